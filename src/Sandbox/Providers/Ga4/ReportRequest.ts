import { Schema } from "effect"
import { bool, double, emptyMessage, enumOf, int32, int64, message, repeated, string } from "../Google/ProtoJson.ts"

const proto = (name: string) => `google.analytics.data.v1beta.${name}`

const NumericValue = message({ int64Value: int64, doubleValue: double })

const Filter = message({
  fieldName: string,
  stringFilter: message({
    matchType: enumOf(proto("Filter.StringFilter.MatchType"), [
      "MATCH_TYPE_UNSPECIFIED",
      "EXACT",
      "BEGINS_WITH",
      "ENDS_WITH",
      "CONTAINS",
      "FULL_REGEXP",
      "PARTIAL_REGEXP"
    ]),
    value: string,
    caseSensitive: bool
  }),
  inListFilter: message({ values: repeated(string), caseSensitive: bool }),
  numericFilter: message({
    operation: enumOf(proto("Filter.NumericFilter.Operation"), [
      "OPERATION_UNSPECIFIED",
      "EQUAL",
      "LESS_THAN",
      "LESS_THAN_OR_EQUAL",
      "GREATER_THAN",
      "GREATER_THAN_OR_EQUAL"
    ]),
    value: NumericValue
  }),
  betweenFilter: message({ fromValue: NumericValue, toValue: NumericValue }),
  emptyFilter: emptyMessage
})
export type Filter = typeof Filter.Type

export interface FilterExpression {
  readonly andGroup?: { readonly expressions?: ReadonlyArray<FilterExpression> }
  readonly orGroup?: { readonly expressions?: ReadonlyArray<FilterExpression> }
  readonly notExpression?: FilterExpression
  readonly filter?: Filter
}
const suspended = Schema.suspend((): Schema.Codec<FilterExpression, unknown> => FilterExpression)
const FilterExpression: Schema.Codec<FilterExpression, unknown> = message({
  andGroup: message({ expressions: repeated(suspended) }),
  orGroup: message({ expressions: repeated(suspended) }),
  notExpression: suspended,
  filter: Filter
})

const DimensionReference = message({ dimensionName: string })
const Dimension = message({
  name: string,
  dimensionExpression: message({
    lowerCase: DimensionReference,
    upperCase: DimensionReference,
    concatenate: message({ dimensionNames: repeated(string), delimiter: string })
  })
})
export type RequestedDimension = typeof Dimension.Type

const Metric = message({ name: string, expression: string, invisible: bool })
export type RequestedMetric = typeof Metric.Type

const DateRange = message({ startDate: string, endDate: string, name: string })

const OrderBy = message({
  desc: bool,
  metric: message({ metricName: string }),
  dimension: message({
    dimensionName: string,
    orderType: enumOf(proto("OrderBy.DimensionOrderBy.OrderType"), [
      "ORDER_TYPE_UNSPECIFIED",
      "ALPHANUMERIC",
      "CASE_INSENSITIVE_ALPHANUMERIC",
      "NUMERIC"
    ])
  }),
  pivot: message({
    metricName: string,
    pivotSelections: repeated(message({ dimensionName: string, dimensionValue: string }))
  })
})
export type OrderBy = typeof OrderBy.Type

const sharedFields = {
  dimensions: repeated(Dimension),
  metrics: repeated(Metric),
  dimensionFilter: FilterExpression,
  metricFilter: FilterExpression,
  limit: int64,
  metricAggregations: repeated(enumOf(proto("MetricAggregation"), [
    "METRIC_AGGREGATION_UNSPECIFIED",
    "TOTAL",
    "MINIMUM",
    "MAXIMUM",
    "COUNT"
  ])),
  orderBys: repeated(OrderBy),
  returnPropertyQuota: bool
}

export const RunReportRequest = message({
  ...sharedFields,
  property: string,
  dateRanges: repeated(DateRange),
  offset: int64,
  currencyCode: string,
  keepEmptyRows: bool,
  comparisons: repeated(message({ name: string, dimensionFilter: FilterExpression, comparison: string })),
  cohortSpec: message({
    cohorts: repeated(message({ name: string, dimension: string, dateRange: DateRange })),
    cohortsRange: message({
      granularity: enumOf(proto("CohortsRange.Granularity"), ["GRANULARITY_UNSPECIFIED", "DAILY", "WEEKLY", "MONTHLY"]),
      startOffset: int32,
      endOffset: int32
    }),
    cohortReportSettings: message({ accumulate: bool })
  })
})
export type RunReportRequest = typeof RunReportRequest.Type

export const RunRealtimeReportRequest = message({
  ...sharedFields,
  minuteRanges: repeated(message({ startMinutesAgo: int32, endMinutesAgo: int32, name: string }))
})
export type RunRealtimeReportRequest = typeof RunRealtimeReportRequest.Type
