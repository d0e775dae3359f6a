import { DateTime, Effect, Option, Schema } from "effect"
import { propertiesRunReport } from "../../../Providers/Ga4/Endpoints.ts"
import { ReportResponse } from "../../../Providers/Ga4/Responses.ts"
import type { ProviderCalls } from "../../../Providers/Provider.ts"
import { today } from "../../../Providers/Tooling/DateWindow.ts"
import { readTable } from "./ReadTable.ts"
import { daysUpTo, type Report, totalsByMonth } from "./Report.ts"
import { columnsOf, issuesOf, selected } from "./Selections.ts"

const pageRows = 25_000

/** The first day that the Data API takes. */
const firstDay = "2015-08-14"

/** Names of the Data API, `customEvent:…` and the like. */
const isName = (name: string): boolean => /^\w+(?::[\w.-]+)*(?:\[[\w.-]+\])?$/.test(name)

const Total = Schema.Struct({
  rowCount: Schema.optionalKey(Schema.Finite),
  metadata: Schema.optionalKey(Schema.Struct({ dataLossFromOtherRow: Schema.optionalKey(Schema.Boolean) }))
})
const decodeTotal = Schema.decodeUnknownOption(Total)

export const ga4Report: Report = {
  provider: "ga4",
  span: 1,

  select: (dimensions, metrics) =>
    selected(
      {
        dimensions: dimensions ?? ["landingPagePlusQueryString", "sessionDefaultChannelGroup"],
        metrics: metrics ?? ["sessions", "engagedSessions", "screenPageViews", "keyEvents"]
      },
      issuesOf({
        field: "dimensions",
        names: dimensions,
        isKnown: isName,
        expected: "the name of a dimension",
        isEmptyAllowed: true
      }),
      dimensions !== undefined && dimensions.length > 9
        ? [{ path: ["dimensions"], message: "Expected at most 9 dimensions" }]
        : [],
      issuesOf({ field: "metrics", names: metrics, isKnown: isName, expected: "the name of a metric" })
    ),

  columns: (selection) => columnsOf(selection),

  open: Effect.fnUntraced(function*(calls, property, { dimensions, metrics }) {
    const path = { property: property.slice("properties/".length) }
    const [firstMetric = ""] = metrics
    const names = [...dimensions, ...metrics]
    const { metadata } = yield* calls.call(propertiesRunReport, {
      path,
      body: {
        dateRanges: [{ startDate: "yesterday", endDate: "yesterday" }],
        metrics: [{ name: firstMetric }],
        returnPropertyQuota: true
      }
    }, ReportResponse)
    const zone = Option.getOrElse(DateTime.zoneMakeNamed(metadata?.timeZone ?? ""), () => DateTime.zoneMakeOffset(0))
    const now = yield* today(zone)

    const totals = yield* totalsByMonth((month) => totalsOf(calls, path, firstMetric, month), now)

    return {
      zone,
      today: now,
      days: (since) => daysUpTo(now, since < firstDay ? firstDay : since),
      layout: { names, places: names.map((_, place) => place), counted: dimensions.length },
      fetch: Effect.fnUntraced(function*(day, { write }) {
        let count = 0
        for (;;) {
          const input = {
            path,
            body: {
              dateRanges: [{ startDate: day, endDate: day }],
              dimensions: dimensions.map((name) => ({ name })),
              metrics: metrics.map((name) => ({ name })),
              // Paging needs a fixed order.
              orderBys: dimensions.map((dimensionName) => ({ dimension: { dimensionName } })),
              limit: `${pageRows}`,
              offset: `${count}`,
              returnPropertyQuota: true
            }
          }
          const { fields, rows } = yield* calls.callWith(
            propertiesRunReport,
            input,
            (body) => write(body, propertiesRunReport.rows?.(input))
          )
          count += rows
          const { metadata, rowCount = 0 } = Option.getOrElse(decodeTotal(fields), (): typeof Total.Type => ({}))
          if (rows > 0 && count < rowCount) continue
          return {
            total: (yield* totals(day)) ?? 0,
            // Paging reaches all rows, except those that Google has summed into the row `(other)`.
            capped: metadata?.dataLossFromOtherRow === true
          }
        }
      })
    }
  })
}

const totalsOf = (
  calls: ProviderCalls,
  path: { readonly property: string },
  metric: string,
  { end, start }: { readonly start: string; readonly end: string }
) =>
  Effect.map(
    readTable(
      calls,
      propertiesRunReport,
      {
        path,
        body: {
          dateRanges: [{ startDate: start, endDate: end }],
          dimensions: [{ name: "date" }],
          metrics: [{ name: metric }],
          returnPropertyQuota: true
        }
      },
      ["date", metric]
    ),
    ([dates = [], values = []]) =>
      new Map(dates.map((date, index) => [
        String(date).replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"),
        Number(values[index])
      ]))
  )
