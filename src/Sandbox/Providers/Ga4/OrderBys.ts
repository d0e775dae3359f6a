import { Effect, Order } from "effect"
import { type GoogleError, invalidArgument, notSimulated } from "../Google/GoogleError.ts"
import type { OrderBy } from "./ReportRequest.ts"

export interface CountedRow {
  readonly dimensionValues: ReadonlyArray<string>
  readonly metricValues: ReadonlyArray<number>
}

interface Named {
  readonly name: string
}

export const makeComparator = (
  orderBys: ReadonlyArray<OrderBy>,
  dimensions: ReadonlyArray<Named>,
  metrics: ReadonlyArray<Named>
): Effect.Effect<Order.Order<CountedRow>, GoogleError> =>
  Effect.map(
    Effect.forEach(orderBys, (orderBy) => orderOf(orderBy, dimensions, metrics)),
    (orders) => Order.combineAll([...orders, Order.flip(byMetric(0)), byValues])
  )

const byMetric = (index: number): Order.Order<CountedRow> =>
  Order.mapInput(Order.Number, ({ metricValues }) => metricValues[index] ?? 0)

const byValues: Order.Order<CountedRow> = Order.mapInput(
  Order.Array(Order.String),
  ({ dimensionValues }) => dimensionValues
)

const orderOf = (
  { desc = false, dimension, metric, pivot }: OrderBy,
  dimensions: ReadonlyArray<Named>,
  metrics: ReadonlyArray<Named>
): Effect.Effect<Order.Order<CountedRow>, GoogleError> => {
  const inDirection = (order: Order.Order<CountedRow>) => desc ? Order.flip(order) : order
  if (pivot !== undefined) return Effect.fail(notSimulated("orders of pivots"))
  if (metric !== undefined) {
    const index = metrics.findIndex(({ name }) => name === metric.metricName)
    return index < 0
      ? Effect.fail(invalidArgument(`Order-bys must be on requested metrics. ${metric.metricName} is not requested.`))
      : Effect.succeed(inDirection(byMetric(index)))
  }
  const index = dimensions.findIndex(({ name }) => name === dimension?.dimensionName)
  if (index < 0) {
    return Effect.fail(
      invalidArgument(`Order-bys must be on requested dimensions. ${dimension?.dimensionName} is not requested.`)
    )
  }
  const order = orders.get(dimension?.orderType) ?? Order.String
  return Effect.succeed(inDirection(Order.mapInput(order, ({ dimensionValues }) => dimensionValues[index] ?? "")))
}

const orders = new Map<string | undefined, Order.Order<string>>([
  ["CASE_INSENSITIVE_ALPHANUMERIC", Order.mapInput(Order.String, (text) => text.toLowerCase())],
  ["NUMERIC", Order.mapInput(Order.Number, (text) => Number(text) || 0)]
])
