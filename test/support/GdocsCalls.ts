import { docs } from "@googleapis/docs"
import * as gdocs from "../../src/Providers/Gdocs/Endpoints.ts"
import { commonQuery, type EndpointCalls } from "./EndpointCalls.ts"

const document = { documentId: "1qY_document-id" }
const api = (at: string) => docs({ version: "v1", rootUrl: at }).documents
export const gdocsCalls: ReadonlyArray<EndpointCalls> = [
  {
    endpoint: gdocs.documentsGet,
    origin: "gdocs",
    method: "docs.documents.get",
    inputs: [
      { path: document },
      { path: { documentId: "…/ü?#" }, query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE" } },
      { path: document, query: { fields: "title,tabs(documentTab(body.content(paragraph))),revisionId" } }
    ],
    official: (at, parameters) => api(at).get(parameters)
  },
  {
    endpoint: gdocs.documentsCreate,
    origin: "gdocs",
    method: "docs.documents.create",
    inputs: [{}, { body: {} }, { query: commonQuery, body: { title: "Jon's \"Q1/Q2\" 🚀" } }],
    official: (at, parameters) => api(at).create(parameters)
  },
  {
    endpoint: gdocs.documentsBatchUpdate,
    origin: "gdocs",
    method: "docs.documents.batchUpdate",
    inputs: [
      {
        path: document,
        body: { requests: [{ insertText: { text: "a\n", endOfSegmentLocation: {} } }] }
      },
      {
        path: document,
        query: commonQuery,
        body: {
          writeControl: { requiredRevisionId: "AJp+/=" },
          requests: [
            { insertText: { text: "🚀 \"ü\"", location: { index: 25, tabId: "t.0" } } },
            { deleteContentRange: { range: { startIndex: 1, endIndex: 10, segmentId: "" } } },
            {
              replaceAllText: {
                containsText: { text: "a", matchCase: true },
                replaceText: "",
                tabsCriteria: { tabIds: ["t.0"] }
              }
            },
            {
              createParagraphBullets: { range: { startIndex: 1, endIndex: 5 }, bulletPreset: "NUMBERED_DECIMAL_NESTED" }
            },
            {
              updateTextStyle: {
                range: { startIndex: 1, endIndex: 5 },
                textStyle: {
                  bold: true,
                  link: { url: "https://example.com/?a=b" },
                  fontSize: { magnitude: 12.5, unit: "PT" },
                  weightedFontFamily: { fontFamily: "Arial", weight: 400 }
                },
                fields: "bold,link,font_size,weightedFontFamily"
              }
            },
            { insertTable: { rows: 2, columns: 3, location: { index: 1 } } },
            { insertPageBreak: { endOfSegmentLocation: { segmentId: "" } } },
            { replaceNamedRangeContent: { namedRangeName: "ü", text: "b" } },
            {
              updateTableCellStyle: {
                tableStartLocation: { index: 2 },
                tableCellStyle: { rowSpan: 1 },
                fields: "*"
              }
            },
            { createHeader: { type: "DEFAULT" } }
          ]
        }
      }
    ],
    official: (at, parameters) => api(at).batchUpdate(parameters)
  }
]
