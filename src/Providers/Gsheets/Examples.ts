import type { Examples } from "../Provider.ts"

const spreadsheetId = "sandbox-leads"
const values = [["Fork", 3]]
const raw = { valueInputOption: "RAW" }

export const gsheetsExamples: Examples = {
  "spreadsheets.get": { path: { spreadsheetId } },
  "values.get": { path: { spreadsheetId, range: "Leads!A1:M9" } },
  "values.batchGet": { path: { spreadsheetId }, query: { ranges: ["Leads!A1:B2", "'Jon''s Data'!A1"] } },
  "values.update": {
    path: { spreadsheetId, range: "Empty!A1:B1" },
    query: raw,
    body: { values: [["Tool", "Count"]] }
  },
  "values.append": { path: { spreadsheetId, range: "Empty!A1" }, query: raw, body: { values } },
  "values.batchUpdate": { path: { spreadsheetId }, body: { ...raw, data: [{ range: "Empty!A3:B3", values }] } },
  "values.clear": { path: { spreadsheetId, range: "Empty!A3:B3" } },
  "spreadsheets.create": { body: { properties: { title: "Stock" } } },
  "spreadsheets.batchUpdate": {
    path: { spreadsheetId },
    body: { requests: [{ addSheet: { properties: { title: "Added" } } }] }
  }
}
