import type { Examples } from "../Provider.ts"

const path = { documentId: "sandbox-plan" }

export const gdocsExamples: Examples = {
  "documents.get": { path },
  "documents.create": { body: { title: "Minutes" } },
  "documents.batchUpdate": {
    path,
    body: { requests: [{ insertText: { text: "\nWritten by a request.", endOfSegmentLocation: {} } }] }
  }
}
