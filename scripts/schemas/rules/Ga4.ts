import type { Module } from "../Rules.ts"

/** Unions from google/analytics/data/v1beta/data.proto, bounds from the field descriptions. */
export const ga4: Module = {
  document: "analyticsdata-v1beta",
  roots: ["RunReportRequest", "RunRealtimeReportRequest"],
  output: "src/Providers/Ga4/Generated.ts",
  imports: [
    "import { cohortDimension, datesOrCohorts, daysInOrder, dimensionOrMetric, minutesInOrder, plainDimensionName, plainMetricName } from \"./FieldRules.ts\"",
    "import { CohortName, MinutesAgo, RangeName, ReportDate, RowLimit, RowOffset } from \"./Schemas.ts\""
  ],
  rules: {
    RunReportRequest: {
      maxItems: { dateRanges: 4, dimensions: 9, metrics: 10 },
      fields: { limit: "RowLimit", offset: "RowOffset" },
      checks: ["datesOrCohorts", "cohortDimension", "dimensionOrMetric"]
    },
    RunRealtimeReportRequest: {
      maxItems: { minuteRanges: 2, dimensions: 9, metrics: 10 },
      fields: { limit: "RowLimit" },
      checks: ["dimensionOrMetric"]
    },
    DateRange: {
      required: ["startDate", "endDate"],
      fields: { startDate: "ReportDate", endDate: "ReportDate", name: "RangeName" },
      checks: ["daysInOrder"]
    },
    MinuteRange: {
      fields: { startMinutesAgo: "MinutesAgo", endMinutesAgo: "MinutesAgo", name: "RangeName" },
      checks: ["minutesInOrder"]
    },
    Dimension: { atLeastOneOf: ["name", "dimensionExpression"], checks: ["plainDimensionName"] },
    DimensionExpression: { exactlyOneOf: ["lowerCase", "upperCase", "concatenate"] },
    Metric: { atLeastOneOf: ["name", "expression"], checks: ["plainMetricName"] },
    FilterExpression: { union: true },
    Filter: {
      required: ["fieldName"],
      exactlyOneOf: ["stringFilter", "inListFilter", "numericFilter", "betweenFilter", "emptyFilter"]
    },
    InListFilter: { required: ["values"], minItems: { values: 1 } },
    BetweenFilter: { required: ["fromValue", "toValue"] },
    NumericValue: { exactlyOneOf: ["int64Value", "doubleValue"] },
    OrderBy: { exactlyOneOf: ["metric", "dimension", "pivot"] },
    Comparison: { exactlyOneOf: ["dimensionFilter", "comparison"] },
    Cohort: {
      required: ["dimension", "dateRange"],
      fields: { dimension: "Schema.Literal(\"firstSessionDate\")", name: "CohortName" }
    },
    CohortsRange: {
      required: ["granularity", "endOffset"],
      fields: { granularity: "Schema.Literals([\"DAILY\", \"WEEKLY\", \"MONTHLY\"])" }
    }
  }
}
