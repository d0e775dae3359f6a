import type { Module } from "../Rules.ts"

const place = { exactlyOneOf: ["location", "endOfSegmentLocation"] }
const mask = { required: ["fields"] }

/** The unions are the "Union field"s of https://developers.google.com/workspace/docs/api/reference/rest. */
export const gdocs: Module = {
  document: "docs-v1",
  roots: ["BatchUpdateDocumentRequest"],
  output: "src/Providers/Gdocs/Generated.ts",
  imports: ["import { NamedRangeName } from \"./Schemas.ts\""],
  rules: {
    BatchUpdateDocumentRequest: { required: ["requests"], minItems: { requests: 1 } },
    WriteControl: { atMostOneOf: ["requiredRevisionId", "targetRevisionId"] },
    Request: { union: true },

    CreateFootnoteRequest: place,
    InsertDateRequest: place,
    InsertInlineImageRequest: place,
    InsertPageBreakRequest: place,
    InsertPersonRequest: place,
    InsertRichLinkRequest: place,
    InsertSectionBreakRequest: place,
    InsertTableRequest: place,
    InsertTextRequest: place,

    DeleteNamedRangeRequest: { exactlyOneOf: ["namedRangeId", "name"] },
    ReplaceAllTextRequest: { required: ["containsText"] },
    ReplaceNamedRangeContentRequest: { exactlyOneOf: ["namedRangeId", "namedRangeName"] },

    UpdateDocumentStyleRequest: mask,
    UpdateDocumentTabPropertiesRequest: mask,
    UpdateNamedStyleRequest: mask,
    UpdateParagraphStyleRequest: mask,
    UpdateSectionStyleRequest: mask,
    UpdateTableCellStyleRequest: { ...mask, exactlyOneOf: ["tableRange", "tableStartLocation"] },
    UpdateTableColumnPropertiesRequest: mask,
    UpdateTableRowStyleRequest: mask,
    UpdateTextStyleRequest: mask,

    CreateNamedRangeRequest: { required: ["name"], fields: { name: "NamedRangeName" } },
    Link: { atMostOneOf: ["url", "tabId", "bookmark", "bookmarkId", "heading", "headingId"] },
    Location: { fields: { index: "NonNegativeInt32" } },
    Range: {
      required: ["startIndex", "endIndex"],
      fields: { startIndex: "NonNegativeInt32", endIndex: "NonNegativeInt32" }
    },
    WeightedFontFamily: { required: ["fontFamily"], fields: { fontFamily: "Schema.NonEmptyString" } }
  }
}
