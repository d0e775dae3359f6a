import { DateTime, Effect, Option, Schema } from "effect"
import { type SmartTool, tool } from "../Provider.ts"
import { addDays, type DateWindow, lastDays, today } from "../Tooling/DateWindow.ts"
import { flag, integer, optionalText } from "../Tooling/Fields.ts"
import { slicePage } from "../Tooling/Paging.ts"
import { ratio, roundCount } from "../Tooling/Rounding.ts"
import { batchRunReports, type ReportResponse } from "./BatchReports.ts"
import * as LandingPages from "./LandingPages.ts"
import { accountSummaries, containsText, flattenProperties } from "./Properties.ts"
import { propertyField } from "./PropertyField.ts"
import { dataWarnings, lowQuota } from "./ReportQuality.ts"

const offset = integer({
  description: "Rows to skip: the `next_offset` of the answer before.",
  minimum: 0,
  maximum: 1_000_000,
  default: 0
})

export const ga4TrafficByPage = tool({
  name: "ga4_traffic_by_page",
  description: [
    "Top landing pages by sessions, with users and engagement rate, over the last N days.",
    "The window is `days` whole days that end yesterday in the property's time zone; processing takes 24 to 48 hours,",
    "so that the last day or two may still grow.",
    "`engagement_rate` is a fraction (0.05 is 5 %); users of several pages do not add up, `totals` has the true number.",
    "A page is a path without host; sessions without a landing page are one row `(not set)`.",
    "Sorted by sessions, most first, then by page.",
    "At most `limit` rows of `row_count`; `has_more` and `next_offset` say whether and where there are more.",
    "`warnings` says what makes the numbers inexact; without data `rows` is empty and `warnings` says so.",
    "For the property id use ga4_list_properties; for other dimensions the endpoint properties.runReport."
  ].join(" "),
  writes: false,
  input: Schema.Struct({
    property: propertyField,
    days: integer({
      description: "Length of the window in whole days, up to yesterday.",
      minimum: 1,
      maximum: 1100,
      default: 28
    }),
    limit: integer({ description: "The most rows to return.", minimum: 1, maximum: 500, default: 25 }),
    offset,
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
      description: "Pages with their query string; campaign tags then make many rows of one page.",
      default: false
    }),
    exclude_not_set: flag({
      description: "Leave out sessions without a landing page, from the totals too.",
      default: false
    })
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const dimension = input.include_query_string ? "landingPagePlusQueryString" : "landingPage"
    const conditions = LandingPages.conditionsOf(dimension, input)
    const isNamed = { notExpression: LandingPages.isEmpty(dimension) }
    const common = {
      dateRanges: [{ startDate: `${input.days}daysAgo`, endDate: "yesterday" }],
      metrics: LandingPages.metrics,
      returnPropertyQuota: true
    }
    const named = LandingPages.namedRange(input)
    const reports = yield* batchRunReports(provider, input.property, [
      {
        ...common,
        ...LandingPages.all([...conditions, isNamed]),
        dimensions: [{ name: dimension }],
        orderBys: [{ metric: { metricName: "sessions" }, desc: true }, { dimension: { dimensionName: dimension } }],
        limit: String(named.limit),
        offset: String(named.offset),
        keepEmptyRows: false
      },
      { ...common, ...LandingPages.all(input.exclude_not_set ? [...conditions, isNamed] : conditions) },
      ...(input.exclude_not_set
        ? []
        : [{
          ...common,
          ...LandingPages.all([...conditions, LandingPages.isEmpty(dimension)]),
          dimensions: [{ name: dimension }]
        }])
    ])
    const [pages = emptyReport, totals = emptyReport, notSet = emptyReport] = reports
    const rows = LandingPages.readPages(pages)
    const unset = input.exclude_not_set
      ? undefined
      : LandingPages.sumNotSet([...rows, ...LandingPages.readPages(notSet)])
    const page = LandingPages.mergeNotSet(rows.filter((row) => !LandingPages.isNotSet(row)), unset, input)
    const [total = { sessions: 0, users: 0, engagedSessions: 0 }] = LandingPages.readPages(totals)
    const { timeZone, window } = yield* windowOf(reports, input.days)
    const quota = lowQuota(reports)
    const warnings = [
      ...dataWarnings(reports),
      ...(page.rows.length === 0 ? [`No sessions from ${window.start} to ${window.end} match.`] : [])
    ]
    return {
      property_id: input.property,
      start: window.start,
      end: window.end,
      time_zone: timeZone,
      totals: {
        sessions: roundCount(total.sessions),
        users: roundCount(total.users),
        engaged_sessions: roundCount(total.engagedSessions),
        engagement_rate: ratio(total.engagedSessions, total.sessions)
      },
      rows: page.rows.map((row) => ({
        page: cut(row.page),
        sessions: roundCount(row.sessions),
        users: roundCount(row.users),
        engagement_rate: ratio(row.engagedSessions, row.sessions)
      })),
      ...page.info,
      row_count: pages.rowCount - rows.filter(LandingPages.isNotSet).length + (unset === undefined ? 0 : 1),
      ...(quota === undefined ? {} : { quota }),
      ...(warnings.length === 0 ? {} : { warnings })
    }
  })
})

const emptyReport: ReportResponse = { rows: [], rowCount: 0 }

/** The days that the provider counted, in the property's time zone; in its own words where it does not name a zone. */
const windowOf = Effect.fnUntraced(function*(reports: ReadonlyArray<ReportResponse>, days: number) {
  const timeZone = reports.map(({ metadata }) => metadata?.timeZone).find((zone) => zone !== undefined) ?? null
  const zone = Option.flatMap(Option.fromNullishOr(timeZone), DateTime.zoneMakeNamed)
  const window: DateWindow = Option.isSome(zone)
    ? lastDays(days, addDays(yield* today(zone.value), -1))
    : { start: `${days}daysAgo`, end: "yesterday" }
  return { timeZone, window }
})

/** Rows are few, but a path can be of any length. */
const maxPageLength = 300

const cut = (page: string): string =>
  page.length <= maxPageLength ? page : `${page.slice(0, maxPageLength)}…(+${page.length - maxPageLength})`

export const ga4ListProperties = tool({
  name: "ga4_list_properties",
  description: [
    "Every property the connection can read, with its account, as a flat list; as the provider has it now.",
    "`property_id` is what ga4_traffic_by_page takes as `property`.",
    "`type` is there for properties that are not ordinary: rollup, subproperty.",
    "Sorted by account, then by name.",
    "At most `limit` properties of `total`; `has_more` and `next_offset` say whether and where there are more.",
    "Without access or match `properties` is empty and `total` 0.",
    "A property that is listed can still be closed to reports. For accounts without properties, use the endpoint",
    "accountSummaries.list."
  ].join(" "),
  writes: false,
  input: Schema.Struct({
    contains: optionalText({
      description: "Only properties whose name or id, or whose account's, contains this text, in any case.",
      maxLength: 200
    }),
    limit: integer({ description: "The most properties to return.", minimum: 1, maximum: 1000, default: 200 }),
    offset
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const all = flattenProperties(yield* accountSummaries(provider))
    const found = input.contains === undefined ? all : all.filter(containsText(input.contains))
    const page = slicePage(found, input)
    return { properties: page.rows, total: found.length, ...page.info }
  })
})

export const ga4Tools: ReadonlyArray<SmartTool> = [ga4TrafficByPage, ga4ListProperties]
