import { minuteQuotas } from "../Google/MinuteQuotas.ts"

export const gdocsQuotas = minuteQuotas("gdocs", {
  source: "https://developers.google.com/workspace/docs/api/limits",
  asOf: "2026-11-20",
  read: { endpoints: ["documents.get"], account: 300, project: 3000 },
  write: { endpoints: ["documents.create", "documents.batchUpdate"], account: 60, project: 600 }
})
