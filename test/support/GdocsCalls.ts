import { docs } from "@googleapis/docs"
import * as gdocs from "../../src/Providers/Gdocs/Endpoints.ts"
import { callsOf, commonQuery } from "./EndpointCalls.ts"

const document = { documentId: "1qY_document-id" }
export const gdocsCalls = callsOf("gdocs", (rootUrl) => docs({ version: "v1", rootUrl }), [
  [gdocs.documentsGet, "docs.documents.get", [
    { path: document },
    { path: { documentId: "…/ü?#" }, query: { includeTabsContent: true, suggestionsViewMode: "SUGGESTIONS_INLINE" } },
    { path: document, query: { fields: "title,tabs(documentTab(body.content(paragraph))),revisionId" } }
  ]],
  [gdocs.documentsCreate, "docs.documents.create", [{}, { body: {} }, {
    query: commonQuery,
    body: { title: "Jon's \"Q1/Q2\" 🚀" }
  }]],
  [gdocs.documentsBatchUpdate, "docs.documents.batchUpdate", [
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
          { insertTable: { rows: 2, columns: 3, location: { index: 1 } } }
        ]
      }
    }
  ]]
])
