import type { Examples } from "../Checks/Examples.ts"

const path = { documentId: "1a-b_C" }
const range = { startIndex: 1, endIndex: 5 }
const location = { index: 1 }
const insertText = { insertText: { text: "a", location } }
const document = "1fLfF7Mx-Vt_ZZSYJ3ksfEIcH9gEV5Fnat4tPewazyug"
const address = `https://docs.google.com/document/d/${document}/edit?tab=t.1`

const requests = (...requests: ReadonlyArray<object>) => ({ path, body: { requests } })

export const gdocsExamples: Examples = {
  rules: /^Expected exactly one of "heading"|^"none" takes plain text/,
  inputs: {
    "documents.get": [{ path, query: { suggestionsViewMode: "PREVIEW_WITHOUT_SUGGESTIONS" } }],
    "documents.batchUpdate": [
      requests({ insertText: { text: "a", location: { index: 0, segmentId: "kix.h", tabId: "t.1" } } }),
      { path, body: { requests: [insertText], writeControl: { targetRevisionId: "a" } } },
      requests({ deleteNamedRange: { name: "a", tabsCriteria: { tabIds: ["t.0"] } } }),
      requests({ createNamedRange: { name: "ü".repeat(256), range } })
    ],
    docs_read: [
      { document },
      { document: address, tab: "*", max_chars: 1000, format: "text", suggestions: "MARK" },
      { document, tab: "", start_index: 7, max_chars: 200_000, format: "" }
    ],
    docs_create: [{ title: "T" }, { title: "T", text: "# 🚀" }, { title: "T", text: "" }],
    docs_append: [
      { document, text: "x" },
      { document, text: "x", format: "plain", separator: "none", tab: "Main" },
      { document, text: "x", separator: "paragraph" }
    ],
    docs_replace_text: [
      { document, find: "a", replace: "" },
      { document, find: "a", replace: "b", match_case: false, tab: "t.0", expected_count: 2 }
    ],
    docs_insert: [
      { document, text: "x", heading: "A", occurrence: 2, placement: "section_end", format: "markdown" },
      { document, text: "x", index: 1, tab: "t.0", expect_revision: "r" }
    ]
  }
}
