import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  documentsBatchUpdate,
  documentsCreate,
  documentsGet,
  gdocsEndpoints
} from "../../../src/Providers/Gdocs/Endpoints.ts"
import type { RawEndpoint } from "../../../src/Providers/Provider.ts"
import { endpointSuite, wrongAt } from "../../support/EndpointSuite.ts"

const path = { documentId: "1a-b_C" }
const range = { startIndex: 1, endIndex: 5 }
const insertText = { insertText: { text: "a", location: { index: 1 } } }

const requests = (...requests: ReadonlyArray<unknown>) => ({ path, body: { requests } })

describe("Gdocs endpoints", () => {
  endpointSuite(gdocsEndpoints, {
    betweenFields: /^$/,
    accepted: {
      "documents.get": [
        { path, query: { includeTabsContent: false } },
        { path, query: { suggestionsViewMode: "PREVIEW_WITHOUT_SUGGESTIONS" } }
      ],
      "documents.batchUpdate": [
        requests({ insertText: { text: "", location: {} } }),
        requests({ insertText: { text: "a", location: { index: 0, segmentId: "kix.h", tabId: "t.1" } } }),
        { path, body: { requests: [insertText], writeControl: {} } },
        { path, body: { requests: [insertText], writeControl: { targetRevisionId: "a" } } },
        requests({ deleteNamedRange: { namedRangeId: "kix.1" } }),
        requests({ deleteNamedRange: { name: "a", tabsCriteria: { tabIds: ["t.0"] } } }),
        requests({ createNamedRange: { name: "ü".repeat(256), range } }),
        requests({ updateDocumentStyle: { documentStyle: { background: { color: {} } }, fields: "background" } }),
        requests({ updateParagraphStyle: { paragraphStyle: { namedStyleType: "HEADING_1" }, fields: "*", range } }),
        requests({ insertInlineImage: { uri: "https://example.com/a.png", endOfSegmentLocation: {} } }),
        requests({ insertSectionBreak: { sectionType: "NEXT_PAGE", location: { index: 1 } } }),
        requests({ createFootnote: { endOfSegmentLocation: {} } }),
        requests({
          insertDate: {
            location: { index: 1 },
            dateElementProperties: { timestamp: "2026-01-31T00:00:00Z", dateFormat: "DATE_FORMAT_ISO8601" }
          }
        }),
        requests({ insertPerson: { location: { index: 1 }, personProperties: { email: "a@example.com" } } }),
        requests({ insertRichLink: { location: { index: 1 }, richLinkProperties: { uri: "https://example.com" } } }),
        requests({
          updateTableCellStyle: {
            tableRange: {
              tableCellLocation: { tableStartLocation: { index: 2 }, rowIndex: 0, columnIndex: 0 },
              rowSpan: 1,
              columnSpan: 1
            },
            tableCellStyle: { backgroundColor: { color: { rgbColor: { red: 0.1 } } } },
            fields: "backgroundColor"
          }
        }),
        requests({ updateTableColumnProperties: { tableStartLocation: {}, columnIndices: [0], fields: "width" } }),
        requests({ addDocumentTab: {} }, { deleteTab: { tabId: "t.1" } }),
        requests({ pinTableHeaderRows: { tableStartLocation: { index: 1 }, pinnedHeaderRowsCount: 0 } })
      ]
    }
  })

  it("sends only what the caller sent", () => {
    assert.deepStrictEqual<unknown>(Result.getOrThrow(validator(documentsCreate.input)({})), {})
    assert.deepStrictEqual<unknown>(Result.getOrThrow(validator(documentsGet.input)({ path })), { path })
  })

  const refused: ReadonlyArray<readonly [endpoint: RawEndpoint, input: object, where: string]> = [
    [documentsGet, { path: { documentId: "" } }, "path.documentId"],
    [documentsGet, { path: { documentId: ".." } }, "path.documentId"],
    [documentsGet, {}, "path"],
    [documentsGet, { path, body: {} }, "body"],
    [documentsGet, { path, query: { suggestionsViewMode: "INLINE" } }, "query.suggestionsViewMode"],
    [documentsGet, { path, query: { commentsViewMode: "COMMENTS_VIEW_MODE_INCLUDED" } }, "query.commentsViewMode"],
    [documentsCreate, { path }, "path"],
    [documentsCreate, { body: { title: 1 } }, "body.title"],
    [documentsCreate, { body: { title: "a", body: { content: [] } } }, "body.body"],
    [documentsCreate, { body: { documentId: "a" } }, "body.documentId"],
    [documentsBatchUpdate, { path }, "body"],
    [documentsBatchUpdate, { path, body: {} }, "body.requests"],
    [documentsBatchUpdate, requests(), "body.requests"],
    [documentsBatchUpdate, {
      path,
      body: { requests: [insertText], writeControl: { requiredRevisionId: "a", targetRevisionId: "b" } }
    }, "body.writeControl"],
    [
      documentsBatchUpdate,
      { path, body: { requests: [insertText], writeControl: { writeMode: "SUGGEST" } } },
      "body.writeControl.writeMode"
    ]
  ]
  for (const [endpoint, input, where] of refused) {
    it(`${endpoint.id} refuses ${JSON.stringify(input).slice(0, 100)}`, () => {
      assert.deepStrictEqual(wrongAt(endpoint, input), [where])
    })
  }

  const refusedEdits: ReadonlyArray<readonly [request: object, at: string]> = [
    [{}, ""],
    [{ ...insertText, deleteContentRange: { range } }, ""],
    [{ insert_text: insertText.insertText }, ".insert_text"],
    [{ insertComment: { content: "a", range } }, ".insertComment"],
    [{ insertInlineSheetsChart: {} }, ".insertInlineSheetsChart"],
    [{ insertText: { text: "a" } }, ".insertText"],
    [{ insertText: { text: "a", location: {}, endOfSegmentLocation: {} } }, ".insertText"],
    [{ insertText: { text: "a", location: { index: -1 } } }, ".insertText.location.index"],
    [{ insertTable: { rows: 1, columns: 1 } }, ".insertTable"],
    [{ insertPageBreak: {} }, ".insertPageBreak"],
    [{ createFootnote: {} }, ".createFootnote"],
    [{ deleteContentRange: { range: { startIndex: 1 } } }, ".deleteContentRange.range.endIndex"],
    [{ deleteContentRange: { range: { endIndex: 1 } } }, ".deleteContentRange.range.startIndex"],
    [{ deleteNamedRange: {} }, ".deleteNamedRange"],
    [{ deleteNamedRange: { name: "a", namedRangeId: "b" } }, ".deleteNamedRange"],
    [{ replaceNamedRangeContent: { text: "a" } }, ".replaceNamedRangeContent"],
    [{ replaceAllText: { replaceText: "a" } }, ".replaceAllText.containsText"],
    [{ createNamedRange: { name: "", range } }, ".createNamedRange.name"],
    [{ createNamedRange: { name: "🚀".repeat(129), range } }, ".createNamedRange.name"],
    [{ updateTextStyle: { textStyle: {}, range } }, ".updateTextStyle.fields"],
    [{ updateTextStyle: { textStyle: {}, range, fields: "" } }, ".updateTextStyle.fields"],
    [
      { updateTextStyle: { textStyle: { link: { url: "a", tabId: "b" } }, range, fields: "link" } },
      ".updateTextStyle.textStyle.link"
    ],
    [
      { updateTextStyle: { textStyle: { weightedFontFamily: { weight: 400 } }, range, fields: "*" } },
      ".updateTextStyle.textStyle.weightedFontFamily.fontFamily"
    ],
    [{ createParagraphBullets: { range, bulletPreset: "BULLET" } }, ".createParagraphBullets.bulletPreset"],
    [{ updateTableCellStyle: { fields: "*" } }, ".updateTableCellStyle"]
  ]
  for (const [request, at] of refusedEdits) {
    it(`refuses the edit ${JSON.stringify(request).slice(0, 100)}`, () => {
      assert.deepStrictEqual(wrongAt(documentsBatchUpdate, requests(insertText, request)), [`body.requests.1${at}`])
    })
  }
})
