import { fileConsent } from "../Google/Consent.ts"
import { spreadsheetsGet } from "./Endpoints.ts"

export const gsheetsConsent = fileConsent("Google Sheets", "spreadsheet", (spreadsheetId) => ({
  endpoint: spreadsheetsGet,
  input: { path: { spreadsheetId }, query: { fields: "spreadsheetId" } }
}))
