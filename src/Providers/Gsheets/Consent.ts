import { fileIdIn, googleConsent } from "../Google/Consent.ts"
import type { Consent } from "../Provider.ts"
import { spreadsheetsGet } from "./Endpoints.ts"

export const gsheetsConsent: Consent = {
  ...googleConsent,
  product: "Google Sheets",
  reads: "read your Google Sheets spreadsheets",
  writes: "read and change your Google Sheets spreadsheets",
  invitation: {
    steps: [
      "Open the spreadsheet and choose Share.",
      "Enter the address. Choose Viewer, or Editor to allow changes.",
      "Choose Send."
    ],
    resource: { label: "The link of the spreadsheet", hint: "Copy it from the address bar of your browser." },
    read: (text) => {
      const spreadsheetId = fileIdIn(text)
      return spreadsheetId === undefined
        ? undefined
        : { endpoint: spreadsheetsGet, input: { path: { spreadsheetId }, query: { fields: "spreadsheetId" } } }
    }
  }
}
