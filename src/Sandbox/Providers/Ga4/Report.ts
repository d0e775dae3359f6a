import { Effect, Record } from "effect"
import { type GoogleError, invalidArgument } from "../Google/GoogleError.ts"
import {
  type DimensionColumn,
  findDimension,
  type MetricColumn,
  type ReportKind,
  resolveDimension,
  resolveMetric
} from "./Columns.ts"
import type { Counts } from "./Counts.ts"
import { type EventFilter, groupEvents } from "./Groups.ts"
import { type CountedRow, makeComparator } from "./OrderBys.ts"
import { compileFilter } from "./ReportFilters.ts"
import type { FilterExpression, RunReportRequest } from "./ReportRequest.ts"
import type { SessionRange } from "./SessionRanges.ts"
import type { Session, SessionEvent } from "./Sessions.ts"

type Request = Pick<
  RunReportRequest,
  | "comparisons"
  | "dimensionFilter"
  | "dimensions"
  | "keepEmptyRows"
  | "limit"
  | "metricAggregations"
  | "metricFilter"
  | "metrics"
  | "offset"
  | "orderBys"
>

interface Cell {
  readonly value: string
}

interface ReportRow {
  readonly dimensionValues?: ReadonlyArray<Cell>
  readonly metricValues?: ReadonlyArray<Cell>
}

interface Report {
  readonly dimensionHeaders?: ReadonlyArray<{ readonly name: string }>
  readonly metricHeaders?: ReadonlyArray<{ readonly name: string; readonly type: string }>
  readonly rows?: ReadonlyArray<ReportRow>
  readonly totals?: ReadonlyArray<ReportRow>
  readonly maximums?: ReadonlyArray<ReportRow>
  readonly minimums?: ReadonlyArray<ReportRow>
  readonly rowCount?: number
}

const maxDimensions = 9
const maxMetrics = 10
const defaultLimit = 10_000
const maxLimit = 250_000

export const makeReport = Effect.fnUntraced(function*(
  kind: ReportKind,
  request: Request,
  ranges: ReadonlyArray<SessionRange>
): Effect.fn.Return<Report, GoogleError> {
  const { keepEmptyRows = false, limit = 0, metricAggregations = [], offset = 0 } = request
  yield* checkLimits(request)
  const dimensions = yield* Effect.forEach(request.dimensions ?? [], (each) => resolveDimension(kind, each))
  const metrics = yield* Effect.forEach(request.metrics ?? [], (each) => resolveMetric(kind, each))
  const matches = yield* eventFilter(kind, request.dimensionFilter)
  const keepsRow = yield* rowFilter(kind, metrics, request.metricFilter)
  const comparisons = yield* resolveComparisons(kind, request)
  const headers = [...dimensions, ...extraDimensions(comparisons, ranges)]
  const compare = yield* makeComparator(request.orderBys ?? [], headers, metrics)

  const rows: Array<CountedRow> = []
  const totals: Array<CountedRow> = []
  for (const comparison of comparisons) {
    for (const range of ranges) {
      const extraValues = [
        ...(comparison.name === undefined ? [] : [comparison.name]),
        ...(ranges.length > 1 ? [range.name] : [])
      ]
      const groupBy = (columns: ReadonlyArray<DimensionColumn>) =>
        groupEvents(
          columns,
          range.sessions(),
          (session, event) => matches(session, event) && comparison.matches(session, event)
        )
      for (const { counts, values } of yield* groupBy(dimensions)) {
        const row = toRow([...values, ...extraValues], counts, metrics)
        if ((keepEmptyRows || hasData(row)) && keepsRow(counts)) rows.push(row)
      }
      if (!metricAggregations.includes("TOTAL")) continue
      for (const { counts } of yield* groupBy([])) {
        totals.push(toRow([...dimensions.map(() => "RESERVED_TOTAL"), ...extraValues], counts, metrics))
      }
    }
  }
  rows.sort(compare)

  const page = rows.slice(offset, offset + Math.min(limit === 0 ? defaultLimit : limit, maxLimit))
  const wire = (row: CountedRow) => toWire(row, metrics)
  const extremes = (name: string, pick: (...values: ReadonlyArray<number>) => number) =>
    rows.length === 0 ? [] : [wire(extremeRow(rows, headers.length, name, pick))]
  return withoutEmpty({
    dimensionHeaders: headers.map(({ name }) => ({ name })),
    metricHeaders: metrics.filter(({ visible }) => visible).map(({ name, type }) => ({ name, type })),
    rows: page.map(wire),
    rowCount: rows.length,
    totals: totals.map(wire),
    maximums: metricAggregations.includes("MAXIMUM") ? extremes("RESERVED_MAX", Math.max) : [],
    minimums: metricAggregations.includes("MINIMUM") ? extremes("RESERVED_MIN", Math.min) : []
  })
})

const withoutEmpty = (report: Required<Report>): Report =>
  Record.filter({ ...report }, (value) => Array.isArray(value) ? value.length > 0 : value !== 0)

const checkLimits = (
  { dimensions = [], limit = 0, metricAggregations = [], metrics = [], offset = 0 }: Request
): Effect.Effect<void, GoogleError> => {
  if (dimensions.length > maxDimensions) {
    return Effect.fail(
      invalidArgument(`Requests are limited to ${maxDimensions} dimensions; got ${dimensions.length}.`)
    )
  }
  if (metrics.length > maxMetrics) {
    return Effect.fail(invalidArgument(`Requests are limited to ${maxMetrics} metrics; got ${metrics.length}.`))
  }
  if (dimensions.length + metrics.length === 0) {
    return Effect.fail(invalidArgument("Requests must have at least one dimension or metric."))
  }
  if (limit < 0 || offset < 0) return Effect.fail(invalidArgument("Limit and offset must not be negative."))
  return metricAggregations.includes("COUNT")
    ? Effect.fail(invalidArgument("The metric aggregation COUNT is not supported."))
    : Effect.void
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

interface Comparison {
  readonly name?: string
  readonly matches: EventFilter
}

const resolveComparisons = (
  kind: ReportKind,
  { comparisons = [] }: Request
): Effect.Effect<ReadonlyArray<Comparison>, GoogleError> =>
  comparisons.length === 0
    ? Effect.succeed([{ matches: always }])
    : Effect.forEach(comparisons, ({ comparison, dimensionFilter, name }, index) =>
      comparison === undefined
        ? Effect.map(
          eventFilter(kind, dimensionFilter),
          (matches) => ({ name: name ?? `comparison_${index}`, matches })
        )
        : Effect.fail(invalidArgument(`The comparison ${comparison} does not exist.`)))

const extraDimensions = (
  comparisons: ReadonlyArray<Comparison>,
  ranges: ReadonlyArray<SessionRange>
): ReadonlyArray<{ readonly name: string }> => [
  ...(comparisons.some(({ name }) => name !== undefined) ? [{ name: "comparison" }] : []),
  ...(ranges.length > 1 ? [{ name: "dateRange" }] : [])
]

const toRow = (
  dimensionValues: ReadonlyArray<string>,
  counts: Counts,
  metrics: ReadonlyArray<MetricColumn>
): CountedRow => ({
  dimensionValues,
  metricValues: metrics.map(({ value }) => value(counts))
})

const hasData = ({ metricValues }: CountedRow) => metricValues.length === 0 || metricValues.some((value) => value !== 0)

const extremeRow = (
  rows: ReadonlyArray<CountedRow>,
  width: number,
  name: string,
  pick: (...values: ReadonlyArray<number>) => number
): CountedRow => ({
  dimensionValues: Array.from({ length: width }, () => name),
  metricValues: (rows[0]?.metricValues ?? []).map((_, index) =>
    rows.map(({ metricValues }) => metricValues[index] ?? 0).reduce((a, b) => pick(a, b))
  )
})

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
