import type { Module } from "../Rules.ts"

const locationUnion = { exactlyOneOf: ["location", "endOfSegmentLocation"] }
const fieldsRequired = { required: ["fields"] }

/** Unions from the "Union field"s of https://developers.google.com/workspace/docs/api/reference/rest */
export const gdocs: Module = {
  document: "docs-v1",
  roots: ["BatchUpdateDocumentRequest"],
  output: "src/Providers/Gdocs/Generated.ts",
  imports: ["import { NamedRangeName } from \"./Schemas.ts\""],
  rules: {
    BatchUpdateDocumentRequest: { required: ["requests"], minItems: { requests: 1 } },
    WriteControl: { atMostOneOf: ["requiredRevisionId", "targetRevisionId"] },
    Request: { union: true },

    CreateFootnoteRequest: locationUnion,
    InsertDateRequest: locationUnion,
    InsertInlineImageRequest: locationUnion,
    InsertPageBreakRequest: locationUnion,
    InsertPersonRequest: locationUnion,
    InsertRichLinkRequest: locationUnion,
    InsertSectionBreakRequest: locationUnion,
    InsertTableRequest: locationUnion,
    InsertTextRequest: locationUnion,

    DeleteNamedRangeRequest: { exactlyOneOf: ["namedRangeId", "name"] },
    ReplaceAllTextRequest: { required: ["containsText"] },
    ReplaceNamedRangeContentRequest: { exactlyOneOf: ["namedRangeId", "namedRangeName"] },

    UpdateDocumentStyleRequest: fieldsRequired,
    UpdateDocumentTabPropertiesRequest: fieldsRequired,
    UpdateNamedStyleRequest: fieldsRequired,
    UpdateParagraphStyleRequest: fieldsRequired,
    UpdateSectionStyleRequest: fieldsRequired,
    UpdateTableCellStyleRequest: { ...fieldsRequired, exactlyOneOf: ["tableRange", "tableStartLocation"] },
    UpdateTableColumnPropertiesRequest: fieldsRequired,
    UpdateTableRowStyleRequest: fieldsRequired,
    UpdateTextStyleRequest: fieldsRequired,

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
