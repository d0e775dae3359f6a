import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { tool } from "../../Provider.ts"
import { flag, integer, offsetField, optionalText } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { pageInfoFields } from "../../Tooling/Paging.ts"
import { ratio, roundCount } from "../../Tooling/Rounding.ts"
import { propertiesBatchRunReports } from "../Endpoints.ts"
import { filterConditions, isNotSetFilter, matchAll } from "../Filters.ts"
import type { RunReportRequest } from "../Generated.ts"
import { isNotSet, mergeNotSet, namedRange, pageMetrics, readPages, sumNotSet } from "../LandingPages.ts"
import { dataWarnings, lowQuota } from "../ReportQuality.ts"
import { dateRange, reportedWindow, reportWindow } from "../ReportWindow.ts"
import { BatchReportsResponse, type ReportResponse } from "../Responses.ts"
import { propertyField } from "../Schemas.ts"

const Input = Schema.Struct({
  property: propertyField,
  ...reportWindow.fields,
  limit: integer({ description: "Maximum number of rows to return.", minimum: 1, maximum: 500, default: 25 }),
  offset: offsetField(1_000_000),
  channel: optionalText({
    description: "Only sessions of this default channel group, such as \"Organic Search\".",
    maxLength: 200
  }),
  page_contains: optionalText({
    description: "Only landing pages that contain this text, in any case.",
    maxLength: 500
  }),
  hostname: optionalText({ description: "Only this host, such as `www.example.com`.", maxLength: 253 }),
  include_query_string: flag({
    description: "Keep query strings in pages. Campaign tags then split one page into many rows.",
    default: false
  }),
  exclude_not_set: flag({
    description: "Leave out sessions without a landing page, from the totals too.",
    default: false
  })
}).check(reportWindow.rules).pipe(Schema.decode(reportWindow.withDefault()))

const Rate = Schema.NullOr(Schema.Finite).annotate({ description: "A fraction: 0.05 is 5 %." })

const Tokens = Schema.NullOr(Integer)

const Day = Schema.String.annotate({
  description: "`YYYY-MM-DD`. When the time zone is unknown, as in the request: `28daysAgo`, `yesterday`."
})

const Output = Schema.Struct({
  property_id: Schema.String,
  start: Day,
  end: Day,
  time_zone: Schema.NullOr(Schema.String),
  totals: Schema.Struct({
    sessions: Integer,
    users: Integer,
    engaged_sessions: Integer,
    engagement_rate: Rate
  }),
  rows: Schema.Array(Schema.Struct({
    page: Schema.String,
    sessions: Integer,
    users: Integer,
    engagement_rate: Rate
  })),
  ...pageInfoFields,
  row_count: Integer,
  quota: Schema.optionalKey(
    Schema.Struct({ tokens_left_today: Tokens, tokens_left_hour: Tokens }).annotate({
      description: "The property's quota at the provider. Present when it is low."
    })
  ),
  warnings: Schema.optionalKey(Schema.Array(Schema.String))
})

export const ga4TrafficByPage = tool({
  name: "ga4_traffic_by_page",
  description: [
    "Top landing pages by sessions, with users and engagement rate, over the last N days.",
    "The window is `days` whole days that end yesterday in the property's time zone, or `start` to `end`.",
    "Processing takes 24 to 48 hours, so the last one or two days may still grow.",
    "`engagement_rate` is a fraction (0.05 is 5 %).",
    "Users of several pages do not add up; `totals` has the true number.",
    "A page is a path without host. Sessions without a landing page are one row `(not set)`.",
    "Sorted by sessions, most first, then by page.",
    "At most `limit` rows of `row_count` are returned. `has_more` says whether there are more, `next_offset` where",
    "they start.",
    "`warnings` says why figures are not exact.",
    "Without data `rows` is empty and `warnings` says so.",
    "For the property id use ga4_list_properties. For other dimensions use the endpoint properties.runReport,",
    "for the last 30 minutes properties.runRealtimeReport."
  ].join(" "),
  brief: [
    "Top landing pages by sessions, with users and engagement rate, over the last N days.",
    "The window of `days` ends yesterday in the property's time zone; its last two days may still grow.",
    "`engagement_rate` is a fraction.",
    "Users of several pages do not add up; `totals` has the true number.",
    "A page is a path without host; `(not set)` are sessions without one.",
    "`warnings` says why figures are not exact.",
    "For other dimensions use the endpoint properties.runReport, for the last 30 minutes properties.runRealtimeReport."
  ].join(" "),
  writes: false,
  input: Input,
  resources: { names: ({ property }) => property },
  rows: () => objectsIn("rows"),
  output: Output,
  run: Effect.fnUntraced(function*(input, provider) {
    const { reports } = yield* provider.call(propertiesBatchRunReports, {
      path: { property: input.property },
      body: { requests: reportRequests(input) }
    }, BatchReportsResponse)
    const [pageReport = emptyReport, totalReport = emptyReport, notSetReport = emptyReport] = reports
    const pages = readPages(pageReport)
    const notSet = input.exclude_not_set ? undefined : sumNotSet([...pages, ...readPages(notSetReport)])
    const page = mergeNotSet(pages.filter((row) => !isNotSet(row)), notSet, input)
    const [total = { sessions: 0, users: 0, engagedSessions: 0 }] = readPages(totalReport)
    const window = yield* reportedWindow(reports, input)
    const quota = lowQuota(reports)
    const warnings = [
      ...dataWarnings(reports),
      ...window.notes,
      ...(page.rows.length === 0 ? [`No sessions from ${window.start} to ${window.end} match.`] : [])
    ]
    return {
      property_id: input.property,
      start: window.start,
      end: window.end,
      time_zone: window.timeZone,
      totals: {
        sessions: roundCount(total.sessions),
        users: roundCount(total.users),
        engaged_sessions: roundCount(total.engagedSessions),
        engagement_rate: ratio(total.engagedSessions, total.sessions)
      },
      rows: page.rows.map((row) => ({
        page: truncate(row.page),
        sessions: roundCount(row.sessions),
        users: roundCount(row.users),
        engagement_rate: ratio(row.engagedSessions, row.sessions)
      })),
      ...page.info,
      row_count: pageReport.rowCount - pages.filter(isNotSet).length + (notSet === undefined ? 0 : 1),
      ...(quota === undefined ? {} : { quota }),
      ...(warnings.length === 0 ? {} : { warnings })
    }
  })
})

const reportRequests = (input: typeof Input.Type): ReadonlyArray<typeof RunReportRequest.Type> => {
  const dimension = input.include_query_string ? "landingPagePlusQueryString" : "landingPage"
  const conditions = filterConditions(dimension, input)
  const isNamed = { notExpression: isNotSetFilter(dimension) }
  const common = {
    dateRanges: [dateRange(input)],
    metrics: pageMetrics,
    returnPropertyQuota: true
  }
  const range = namedRange(input)
  return [
    {
      ...common,
      ...matchAll([...conditions, isNamed]),
      dimensions: [{ name: dimension }],
      orderBys: [{ metric: { metricName: "sessions" }, desc: true }, { dimension: { dimensionName: dimension } }],
      limit: String(range.limit),
      offset: String(range.offset),
      keepEmptyRows: false
    },
    { ...common, ...matchAll(input.exclude_not_set ? [...conditions, isNamed] : conditions) },
    ...(input.exclude_not_set
      ? []
      : [{ ...common, ...matchAll([...conditions, isNotSetFilter(dimension)]), dimensions: [{ name: dimension }] }])
  ]
}

const emptyReport: ReportResponse = { rows: [], rowCount: 0 }

const maxPageLength = 300

const truncate = (page: string): string =>
  page.length <= maxPageLength ? page : `${page.slice(0, maxPageLength)}…(+${page.length - maxPageLength})`
