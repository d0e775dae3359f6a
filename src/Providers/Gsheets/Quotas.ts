import { minuteQuotas } from "../Google/MinuteQuotas.ts"

export const gsheetsQuotas = minuteQuotas("gsheets", {
  source: "https://developers.google.com/workspace/sheets/api/limits",
  asOf: "2026-11-20",
  read: { endpoints: ["spreadsheets.get", "values.get", "values.batchGet"], account: 60, project: 300 },
  write: {
    endpoints: [
      "values.update",
      "values.append",
      "values.batchUpdate",
      "values.clear",
      "spreadsheets.create",
      "spreadsheets.batchUpdate"
    ],
    account: 60,
    project: 300
  }
})
