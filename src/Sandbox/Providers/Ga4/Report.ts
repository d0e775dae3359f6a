import { Effect, Record } from "effect"
import type { FilterExpression } from "../../../Providers/Ga4/Generated.ts"
import { type GoogleError, notSimulated } from "../Google/GoogleError.ts"
import { findDimension, type MetricColumn, type ReportKind, resolveDimension, resolveMetric } from "./Columns.ts"
import type { Counts } from "./Counts.ts"
import { type EventFilter, groupEvents } from "./Groups.ts"
import { type CountedRow, makeComparator } from "./OrderBys.ts"
import { compileFilter } from "./ReportFilters.ts"
import type { ReportRequest } from "./ReportRequest.ts"
import type { SessionRange } from "./SessionRanges.ts"
import type { Session, SessionEvent } from "./Sessions.ts"

interface ReportRow {
  readonly dimensionValues?: ReadonlyArray<{ readonly value: string }>
  readonly metricValues?: ReadonlyArray<{ readonly value: string }>
}

interface Report {
  readonly dimensionHeaders?: ReadonlyArray<{ readonly name: string }>
  readonly metricHeaders?: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly rows?: ReadonlyArray<ReportRow>
  readonly totals?: ReadonlyArray<ReportRow>
  readonly rowCount?: number
}

const defaultLimit = 10_000
const maxLimit = 250_000

export const makeReport = Effect.fnUntraced(function*(
  kind: ReportKind,
  request: ReportRequest,
  ranges: ReadonlyArray<SessionRange>
): Effect.fn.Return<Report, GoogleError> {
  const { keepEmptyRows = false, metricAggregations = [] } = request
  yield* checkRequest(request)
  const dimensions = yield* Effect.forEach(request.dimensions ?? [], (each) => resolveDimension(kind, each))
  const metrics = yield* Effect.forEach(request.metrics ?? [], (each) => resolveMetric(kind, each))
  const matches = yield* eventFilter(kind, request.dimensionFilter)
  const keepsRow = yield* rowFilter(kind, metrics, request.metricFilter)
  const headers = [...dimensions, ...(ranges.length > 1 ? [{ name: "dateRange" }] : [])]
  const compare = yield* makeComparator(request.orderBys ?? [], headers, metrics)

  const rows: Array<CountedRow> = []
  const totals: Array<CountedRow> = []
  for (const range of ranges) {
    const rangeName = ranges.length > 1 ? [range.name] : []
    for (const { counts, values } of yield* groupEvents(dimensions, range.sessions(), matches)) {
      const row = toRow([...values, ...rangeName], counts, metrics)
      if ((keepEmptyRows || hasData(row)) && keepsRow(counts)) rows.push(row)
    }
    if (!metricAggregations.includes("TOTAL")) continue
    for (const { counts } of yield* groupEvents([], range.sessions(), matches)) {
      totals.push(toRow([...dimensions.map(() => "RESERVED_TOTAL"), ...rangeName], counts, metrics))
    }
  }
  rows.sort(compare)

  const offset = Number(request.offset ?? 0)
  const page = rows.slice(offset, offset + Math.min(Number(request.limit ?? defaultLimit), maxLimit))
  const wire = (row: CountedRow) => toWire(row, metrics)
  return withoutEmpty({
    dimensionHeaders: headers.map(({ name }) => ({ name })),
    metricHeaders: metrics.filter(({ visible }) => visible).map(({ name, type }) => ({ name, type })),
    rows: page.map(wire),
    rowCount: rows.length,
    totals: totals.map(wire)
  })
})

const withoutEmpty = (report: Required<Report>): Report =>
  Record.filter({ ...report }, (value) => Array.isArray(value) ? value.length > 0 : value !== 0)

const checkRequest = (
  { comparisons = [], metricAggregations = [] }: ReportRequest
): Effect.Effect<void, GoogleError> => {
  if (comparisons.length > 0) return Effect.fail(notSimulated("comparisons"))
  const other = metricAggregations.find((each) => each !== "TOTAL")
  return other === undefined ? Effect.void : Effect.fail(notSimulated(`the metric aggregation ${other}`))
}

const always = () => true

const eventFilter = (kind: ReportKind, filter: FilterExpression | undefined): Effect.Effect<EventFilter, GoogleError> =>
  filter === undefined
    ? Effect.succeed(always)
    : Effect.map(
      compileFilter<readonly [Session, SessionEvent]>(
        filter,
        (name) => Effect.map(findDimension(kind, name), ({ value }) => ([session, event]) => value(session, event))
      ),
      (matches) => (session, event) => matches([session, event])
    )

const rowFilter = (
  kind: ReportKind,
  metrics: ReadonlyArray<MetricColumn>,
  filter: FilterExpression | undefined
): Effect.Effect<(counts: Counts) => boolean, GoogleError> =>
  filter === undefined
    ? Effect.succeed(always)
    : compileFilter<Counts>(filter, (name) => {
      const requested = metrics.find((metric) => metric.name === name)
      const metric = requested === undefined ? resolveMetric(kind, { name }) : Effect.succeed(requested)
      return Effect.map(metric, ({ value }) => (counts) => String(value(counts)))
    })

const toRow = (
  dimensionValues: ReadonlyArray<string>,
  counts: Counts,
  metrics: ReadonlyArray<MetricColumn>
): CountedRow => ({
  dimensionValues,
  metricValues: metrics.map(({ value }) => value(counts))
})

const hasData = ({ metricValues }: CountedRow) => metricValues.length === 0 || metricValues.some((value) => value !== 0)

const toWire = (row: CountedRow, metrics: ReadonlyArray<MetricColumn>): ReportRow => {
  const dimensionValues = row.dimensionValues.map((value) => ({ value }))
  const metricValues = row.metricValues
    .filter((_, index) => metrics[index]?.visible === true)
    .map((value) => ({ value: String(value) }))
  return {
    ...(dimensionValues.length === 0 ? {} : { dimensionValues }),
    ...(metricValues.length === 0 ? {} : { metricValues })
  }
}
