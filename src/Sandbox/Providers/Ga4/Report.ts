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
import { addEvent, type Counts, emptyCounts } from "./Counts.ts"
import { makeComparator, type Row } from "./OrderBys.ts"
import { compileFilter } from "./ReportFilters.ts"
import type { FilterExpression, RunReportRequest } from "./ReportRequest.ts"
import type { Session, SessionEvent } from "./Sessions.ts"

/** What happened in one range of days or minutes. */
export interface SessionRange {
  readonly name: string
  readonly sessions: () => Iterable<Session>
}

export type Common =
  & Pick<
    RunReportRequest,
    "dimensions" | "metrics" | "dimensionFilter" | "metricFilter" | "orderBys" | "limit" | "metricAggregations"
  >
  & Pick<RunReportRequest, "offset" | "keepEmptyRows" | "comparisons">

interface Cell {
  readonly value: string
}

export interface ReportRow {
  readonly dimensionValues?: ReadonlyArray<Cell>
  readonly metricValues?: ReadonlyArray<Cell>
}

export interface Report {
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

/** Groups, filters, orders and cuts, as both kinds of report do. */
export const makeReport = Effect.fnUntraced(function*(
  kind: ReportKind,
  request: Common,
  spans: ReadonlyArray<SessionRange>
): Effect.fn.Return<Report, GoogleError> {
  const { dimensions = [], keepEmptyRows = false, limit = 0, metricAggregations = [], metrics = [], offset = 0 } =
    request
  yield* checkLimits(request)
  const columns = yield* Effect.forEach(dimensions, (asked) => resolveDimension(kind, asked))
  const measures = yield* Effect.forEach(metrics, (asked) => resolveMetric(kind, asked))
  const keeps = yield* hitFilter(kind, request.dimensionFilter)
  const having = yield* rowFilter(kind, measures, request.metricFilter)
  const views = yield* viewsOf(kind, request)
  const compare = yield* makeComparator(request.orderBys ?? [], [...columns, ...virtual(views, spans)], measures)

  const rows: Array<Row> = []
  const totals: Array<Row> = []
  for (const view of views) {
    for (const span of spans) {
      const marks = [...(view.name === undefined ? [] : [view.name]), ...(spans.length > 1 ? [span.name] : [])]
      const counts = (by: ReadonlyArray<DimensionColumn>) =>
        count(by, span.sessions(), (session, hit) => keeps(session, hit) && view.keeps(session, hit))
      for (const { tally, values } of counts(columns)) {
        const row = toRow([...values, ...marks], tally, measures)
        if ((keepEmptyRows || isSeen(row)) && having(tally)) rows.push(row)
      }
      if (!metricAggregations.includes("TOTAL")) continue
      for (const { tally } of counts([])) {
        totals.push(toRow([...columns.map(() => "RESERVED_TOTAL"), ...marks], tally, measures))
      }
    }
  }
  rows.sort(compare)

  const page = rows.slice(offset, offset + Math.min(limit === 0 ? defaultLimit : limit, maxLimit))
  const headers = [...columns, ...virtual(views, spans)]
  const wire = (row: Row) => toWire(row, measures)
  const extremes = (name: string, of: (...values: ReadonlyArray<number>) => number) =>
    rows.length === 0 ? [] : [wire(extreme(rows, headers.length, name, of))]
  return withoutEmpty({
    dimensionHeaders: headers.map(({ name }) => ({ name })),
    metricHeaders: measures.filter(({ visible }) => visible).map(({ name, type }) => ({ name, type })),
    rows: page.map(wire),
    rowCount: rows.length,
    totals: totals.map(wire),
    maximums: metricAggregations.includes("MAXIMUM") ? extremes("RESERVED_MAX", Math.max) : [],
    minimums: metricAggregations.includes("MINIMUM") ? extremes("RESERVED_MIN", Math.min) : []
  })
})

/** As Google writes messages: what is empty or zero is left out. */
const withoutEmpty = (report: Required<Report>): Report =>
  Record.filter({ ...report }, (value) => Array.isArray(value) ? value.length > 0 : value !== 0)

const checkLimits = (
  { dimensions = [], limit = 0, metricAggregations = [], metrics = [], offset = 0 }: Common
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

type Keeps = (session: Session, hit: SessionEvent) => boolean

interface Happening {
  readonly session: Session
  readonly hit: SessionEvent
}

const always = () => true

const hitFilter = (kind: ReportKind, filter: FilterExpression | undefined): Effect.Effect<Keeps, GoogleError> =>
  filter === undefined
    ? Effect.succeed(always)
    : Effect.map(
      compileFilter<Happening>(
        filter,
        (name) =>
          Effect.map(findDimension(kind, name), ({ value }) => ({ hit, session }: Happening) => value(session, hit))
      ),
      (keeps) => (session, hit) => keeps({ session, hit })
    )

/** Metrics of the request by their names there, others by the catalogue's. */
const rowFilter = (
  kind: ReportKind,
  measures: ReadonlyArray<MetricColumn>,
  filter: FilterExpression | undefined
): Effect.Effect<(tally: Counts) => boolean, GoogleError> =>
  filter === undefined
    ? Effect.succeed(always)
    : compileFilter<Counts>(filter, (name) => {
      const requested = measures.find((measure) => measure.name === name)
      const measure = requested === undefined ? resolveMetric(kind, { name }) : Effect.succeed(requested)
      return Effect.map(measure, ({ value }) => (tally: Counts) => String(value(tally)))
    })

/** The whole report, or one part of it for each comparison. */
interface View {
  readonly name: string | undefined
  readonly keeps: Keeps
}

const viewsOf = (kind: ReportKind, { comparisons = [] }: Common): Effect.Effect<ReadonlyArray<View>, GoogleError> =>
  comparisons.length === 0
    ? Effect.succeed([{ name: undefined, keeps: always }])
    : Effect.forEach(comparisons, ({ comparison, dimensionFilter, name }, index) =>
      comparison === undefined
        ? Effect.map(hitFilter(kind, dimensionFilter), (keeps) => ({ name: name ?? `comparison_${index}`, keeps }))
        : Effect.fail(invalidArgument(`The comparison ${comparison} does not exist.`)))

/** The columns that nobody asks for by name. */
const virtual = (
  views: ReadonlyArray<View>,
  spans: ReadonlyArray<SessionRange>
): ReadonlyArray<{ readonly name: string }> => [
  ...(views.some(({ name }) => name !== undefined) ? [{ name: "comparison" }] : []),
  ...(spans.length > 1 ? [{ name: "dateRange" }] : [])
]

interface Group {
  readonly values: ReadonlyArray<string>
  readonly tally: Counts
}

const count = (
  columns: ReadonlyArray<DimensionColumn>,
  sessions: Iterable<Session>,
  keeps: Keeps
): Iterable<Group> => {
  const groups = new Map<string, Group>()
  const perSession = columns.every(({ eventScoped }) => !eventScoped)
  for (const session of sessions) {
    let group: Group | undefined
    for (const hit of session.events) {
      if (!keeps(session, hit)) continue
      if (group === undefined || !perSession) group = groupOf(groups, columns.map(({ value }) => value(session, hit)))
      addEvent(group.tally, session, hit)
    }
  }
  return groups.values()
}

const groupOf = (groups: Map<string, Group>, values: ReadonlyArray<string>): Group => {
  const key = values.join("\n")
  const found = groups.get(key)
  if (found !== undefined) return found
  const group = { values, tally: emptyCounts() }
  groups.set(key, group)
  return group
}

const toRow = (values: ReadonlyArray<string>, tally: Counts, measures: ReadonlyArray<MetricColumn>): Row => ({
  values,
  numbers: measures.map(({ value }) => value(tally))
})

/** A row of zeros is left out. */
const isSeen = ({ numbers }: Row) => numbers.length === 0 || numbers.some((number) => number !== 0)

const extreme = (
  rows: ReadonlyArray<Row>,
  width: number,
  name: string,
  of: (...values: ReadonlyArray<number>) => number
): Row => ({
  values: Array.from({ length: width }, () => name),
  numbers: (rows[0]?.numbers ?? []).map((_, index) =>
    rows.map(({ numbers }) => numbers[index] ?? 0).reduce((a, b) => of(a, b))
  )
})

const toWire = ({ numbers, values }: Row, measures: ReadonlyArray<MetricColumn>): ReportRow => {
  const shown = numbers.filter((_, index) => measures[index]?.visible === true)
  return {
    ...(values.length === 0 ? {} : { dimensionValues: values.map((value) => ({ value })) }),
    ...(shown.length === 0 ? {} : { metricValues: shown.map((number) => ({ value: String(number) })) })
  }
}
