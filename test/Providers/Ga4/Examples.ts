import type { Examples } from "../Checks/Examples.ts"
import { cohorts, exact, many, path, realtime, report } from "./Reports.ts"

const nested = (depth: number): unknown => depth === 0 ? exact("a") : { notExpression: nested(depth - 1) }

const reportOf = (body: object) => ({ path, body: { ...report, ...body } })

export const ga4Examples: Examples = {
  rules: /the property of the path|not before startDate|at most startMinutesAgo|days or start and end|Required with/,
  inputs: {
    "accountSummaries.list": [{ query: { pageSize: 1 } }, { query: {} }],
    "properties.runReport": [
      reportOf({ dimensions: many(9), metrics: many(10) }),
      reportOf({ property: "properties/123456789" }),
      { path: { property: "properties/0123" }, body: { ...report, property: "" } },
      { path, body: { ...cohorts, dateRanges: [] } },
      reportOf({ limit: 1_000_000, offset: "0" }),
      reportOf({ dimensionFilter: nested(50) })
    ],
    "properties.runRealtimeReport": [
      { path, body: { ...realtime, minuteRanges: [{ startMinutesAgo: 59, endMinutesAgo: 59 }, {}] } }
    ],
    ga4_list_properties: [{}, { contains: "", limit: 1000, offset: 3 }, { contains: "🚀".repeat(200) }],
    ga4_traffic_by_page: [
      { property: 1 },
      { property: "properties/1", days: 1100, limit: 500, offset: 0, channel: "", page_contains: "/a" },
      { property: "1", start: "2024-02-29", end: "2024-12-31", channel: "a", compare: "previous_period" },
      { property: "1", hostname: "a.example", include_query_string: true, exclude_not_set: true }
    ]
  }
}
