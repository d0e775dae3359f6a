import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  documentsBatchUpdate,
  documentsCreate,
  documentsGet,
  gdocsEndpoints
} from "../../../src/Providers/Gdocs/Endpoints.ts"
import { endpointSuite, findIssues } from "../../support/EndpointSuite.ts"

const path = { documentId: "1a-b_C" }
const range = { startIndex: 1, endIndex: 5 }
const insertText = { insertText: { text: "a", location: { index: 1 } } }

const requests = (...requests: ReadonlyArray<unknown>) => ({ path, body: { requests } })

describe("Gdocs endpoints", () => {
  it("match the specification", () => {
    assert.deepStrictEqual(
      gdocsEndpoints.map(({ createsFile = false, id, method, path, writes }) => [
        id,
        method,
        path,
        writes,
        createsFile
      ]),
      [
        ["documents.get", "GET", "/v1/documents/{documentId}", false, false],
        ["documents.create", "POST", "/v1/documents", true, true],
        ["documents.batchUpdate", "POST", "/v1/documents/{documentId}:batchUpdate", true, false]
      ]
    )
  })

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

  it.each([
    { endpoint: documentsGet, input: { path: { documentId: "" } }, where: ["path", "documentId"] },
    { endpoint: documentsGet, input: { path: { documentId: ".." } }, where: ["path", "documentId"] },
    { endpoint: documentsGet, input: {}, where: ["path"] },
    { endpoint: documentsGet, input: { path, body: {} }, where: ["body"] },
    {
      endpoint: documentsGet,
      input: { path, query: { suggestionsViewMode: "INLINE" } },
      where: ["query", "suggestionsViewMode"]
    },
    {
      endpoint: documentsGet,
      input: { path, query: { commentsViewMode: "COMMENTS_VIEW_MODE_INCLUDED" } },
      where: ["query", "commentsViewMode"]
    },
    { endpoint: documentsCreate, input: { path }, where: ["path"] },
    { endpoint: documentsCreate, input: { body: { title: 1 } }, where: ["body", "title"] },
    { endpoint: documentsCreate, input: { body: { title: "a", body: { content: [] } } }, where: ["body", "body"] },
    { endpoint: documentsCreate, input: { body: { documentId: "a" } }, where: ["body", "documentId"] },
    { endpoint: documentsBatchUpdate, input: { path }, where: ["body"] },
    { endpoint: documentsBatchUpdate, input: { path, body: {} }, where: ["body", "requests"] },
    { endpoint: documentsBatchUpdate, input: requests(), where: ["body", "requests"] },
    {
      endpoint: documentsBatchUpdate,
      input: {
        path,
        body: { requests: [insertText], writeControl: { requiredRevisionId: "a", targetRevisionId: "b" } }
      },
      where: ["body", "writeControl"]
    },
    {
      endpoint: documentsBatchUpdate,
      input: { path, body: { requests: [insertText], writeControl: { writeMode: "SUGGEST" } } },
      where: ["body", "writeControl", "writeMode"]
    }
  ])("$endpoint.id refuses $input", ({ endpoint, input, where }) => {
    assert.deepStrictEqual(findIssues(endpoint, input).map(({ path }) => path), [["input", ...where]])
  })

  it.each([
    { request: {}, where: [] },
    { request: { ...insertText, deleteContentRange: { range } }, where: [] },
    { request: { insert_text: insertText.insertText }, where: ["insert_text"] },
    { request: { insertComment: { content: "a", range } }, where: ["insertComment"] },
    { request: { insertInlineSheetsChart: {} }, where: ["insertInlineSheetsChart"] },
    { request: { insertText: { text: "a" } }, where: ["insertText"] },
    { request: { insertText: { text: "a", location: {}, endOfSegmentLocation: {} } }, where: ["insertText"] },
    { request: { insertText: { text: "a", location: { index: -1 } } }, where: ["insertText", "location", "index"] },
    { request: { insertTable: { rows: 1, columns: 1 } }, where: ["insertTable"] },
    { request: { insertPageBreak: {} }, where: ["insertPageBreak"] },
    { request: { createFootnote: {} }, where: ["createFootnote"] },
    {
      request: { deleteContentRange: { range: { startIndex: 1 } } },
      where: ["deleteContentRange", "range", "endIndex"]
    },
    {
      request: { deleteContentRange: { range: { endIndex: 1 } } },
      where: ["deleteContentRange", "range", "startIndex"]
    },
    { request: { deleteNamedRange: {} }, where: ["deleteNamedRange"] },
    { request: { deleteNamedRange: { name: "a", namedRangeId: "b" } }, where: ["deleteNamedRange"] },
    { request: { replaceNamedRangeContent: { text: "a" } }, where: ["replaceNamedRangeContent"] },
    { request: { replaceAllText: { replaceText: "a" } }, where: ["replaceAllText", "containsText"] },
    { request: { createNamedRange: { name: "", range } }, where: ["createNamedRange", "name"] },
    { request: { createNamedRange: { name: "🚀".repeat(129), range } }, where: ["createNamedRange", "name"] },
    { request: { updateTextStyle: { textStyle: {}, range } }, where: ["updateTextStyle", "fields"] },
    { request: { updateTextStyle: { textStyle: {}, range, fields: "" } }, where: ["updateTextStyle", "fields"] },
    {
      request: { updateTextStyle: { textStyle: { link: { url: "a", tabId: "b" } }, range, fields: "link" } },
      where: ["updateTextStyle", "textStyle", "link"]
    },
    {
      request: { updateTextStyle: { textStyle: { weightedFontFamily: { weight: 400 } }, range, fields: "*" } },
      where: ["updateTextStyle", "textStyle", "weightedFontFamily", "fontFamily"]
    },
    {
      request: { createParagraphBullets: { range, bulletPreset: "BULLET" } },
      where: ["createParagraphBullets", "bulletPreset"]
    },
    { request: { updateTableCellStyle: { fields: "*" } }, where: ["updateTableCellStyle"] }
  ])("refuses the edit $request", ({ request, where }) => {
    assert.deepStrictEqual(
      findIssues(documentsBatchUpdate, requests(insertText, request)).map(({ path }) => path),
      [["input", "body", "requests", 1, ...where]]
    )
  })
})
