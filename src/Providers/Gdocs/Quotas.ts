import { minuteQuotas } from "../Google/MinuteQuotas.ts"
import { gdocsEndpoints } from "./Endpoints.ts"

export const gdocsQuotas = minuteQuotas("gdocs", gdocsEndpoints, {
  source: "https://developers.google.com/workspace/docs/api/limits",
  asOf: "2026-11-20",
  read: { account: 300, project: 3000 },
  write: { account: 60, project: 600 }
})
