import { minuteQuotas } from "../Google/MinuteQuotas.ts"
import { gsheetsEndpoints } from "./Endpoints.ts"

export const gsheetsQuotas = minuteQuotas("gsheets", gsheetsEndpoints, {
  source: "https://developers.google.com/workspace/sheets/api/limits",
  asOf: "2026-11-20",
  read: { account: 60, project: 300 },
  write: { account: 60, project: 300 }
})
