import { Effect } from "effect"
import { type GoogleError, invalidArgument, notSimulated } from "../Google/GoogleError.ts"
import type { OrderBy } from "./ReportRequest.ts"

export interface CountedRow {
  readonly dimensionValues: ReadonlyArray<string>
  readonly metricValues: ReadonlyArray<number>
}

interface Named {
  readonly name: string
}

type Comparator = (a: CountedRow, b: CountedRow) => number

const compareTexts = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

export const makeComparator = (
  orderBys: ReadonlyArray<OrderBy>,
  dimensions: ReadonlyArray<Named>,
  metrics: ReadonlyArray<Named>
): Effect.Effect<Comparator, GoogleError> =>
  Effect.map(Effect.forEach(orderBys, (orderBy) => orderByComparator(orderBy, dimensions, metrics)), (comparators) => {
    const comparatorsInOrder = [...comparators, byFirstMetric, byValues]
    return (a, b) => {
      for (const compare of comparatorsInOrder) {
        const order = compare(a, b)
        if (order !== 0) return order
      }
      return 0
    }
  })

const byFirstMetric: Comparator = (a, b) => (b.metricValues[0] ?? 0) - (a.metricValues[0] ?? 0)

const byValues: Comparator = (a, b) => {
  for (let index = 0; index < a.dimensionValues.length; index++) {
    const order = compareTexts(a.dimensionValues[index] ?? "", b.dimensionValues[index] ?? "")
    if (order !== 0) return order
  }
  return 0
}

const orderByComparator = (
  { desc = false, dimension, metric, pivot }: OrderBy,
  dimensions: ReadonlyArray<Named>,
  metrics: ReadonlyArray<Named>
): Effect.Effect<Comparator, GoogleError> => {
  const sign = desc ? -1 : 1
  if (pivot !== undefined) return Effect.fail(notSimulated("orders of pivots"))
  if (metric !== undefined) {
    const index = metrics.findIndex(({ name }) => name === metric.metricName)
    return index < 0
      ? Effect.fail(invalidArgument(`Order-bys must be on requested metrics. ${metric.metricName} is not requested.`))
      : Effect.succeed((a, b) => sign * ((a.metricValues[index] ?? 0) - (b.metricValues[index] ?? 0)))
  }
  const index = dimensions.findIndex(({ name }) => name === dimension?.dimensionName)
  if (index < 0) {
    return Effect.fail(
      invalidArgument(`Order-bys must be on requested dimensions. ${dimension?.dimensionName} is not requested.`)
    )
  }
  const compare = comparisons.get(dimension?.orderType) ?? compareTexts
  return Effect.succeed((a, b) => sign * compare(a.dimensionValues[index] ?? "", b.dimensionValues[index] ?? ""))
}

const comparisons = new Map<string | undefined, (a: string, b: string) => number>([
  ["CASE_INSENSITIVE_ALPHANUMERIC", (a, b) => compareTexts(a.toLowerCase(), b.toLowerCase())],
  ["NUMERIC", (a, b) => (Number(a) || 0) - (Number(b) || 0)]
])
