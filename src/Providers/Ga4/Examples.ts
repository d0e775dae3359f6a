import type { Examples } from "../Provider.ts"

const path = { property: "410000011" }

export const ga4Examples: Examples = {
  "accountSummaries.list": {},
  "properties.runReport": {
    path,
    body: {
      dateRanges: [{ startDate: "28daysAgo", endDate: "yesterday" }],
      metrics: [{ name: "sessions" }],
      dimensions: [{ name: "date" }]
    }
  },
  "properties.runRealtimeReport": {
    path,
    body: { metrics: [{ name: "activeUsers" }], dimensions: [{ name: "country" }] }
  },
  "properties.getMetadata": { path }
}
