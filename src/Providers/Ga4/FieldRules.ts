import { Schema } from "effect"

interface DateRange {
  readonly startDate: string
  readonly endDate: string
}

interface MinuteRange {
  readonly startMinutesAgo?: number
  readonly endMinutesAgo?: number
}

interface ReportFields {
  readonly dateRanges?: ReadonlyArray<unknown>
  readonly cohortSpec?: unknown
  readonly dimensions?: ReadonlyArray<{ readonly name?: string }>
  readonly metrics?: ReadonlyArray<unknown>
}

interface ReportInput {
  readonly path: { readonly property: string }
  readonly body: { readonly property?: string }
}

export const sameProperty = Schema.makeFilter<ReportInput>(({ body, path }) => {
  const property = `properties/${path.property}`
  return body.property === undefined || body.property === "" || body.property === property
    ? undefined
    : { path: ["body", "property"], issue: `Expected the property of the path, "${property}"` }
})

const daysAgo = (date: string): number | undefined => {
  if (date === "today") return 0
  if (date === "yesterday") return 1
  const days = /^(\d+)daysAgo$/.exec(date)?.[1]
  return days === undefined ? undefined : Number(days)
}

const endsBeforeStart = ({ endDate, startDate }: DateRange) => {
  const start = daysAgo(startDate)
  const end = daysAgo(endDate)
  if (start !== undefined && end !== undefined) return end > start
  return start === undefined && end === undefined && endDate < startDate
}

export const daysInOrder = Schema.makeFilter<DateRange>((range) =>
  endsBeforeStart(range)
    ? { path: ["endDate"], issue: `Expected a day not before startDate, ${range.startDate}` }
    : undefined
)

export const minutesInOrder = Schema.makeFilter<MinuteRange>(({ endMinutesAgo = 0, startMinutesAgo = 29 }) =>
  endMinutesAgo > startMinutesAgo
    ? { path: ["endMinutesAgo"], issue: `Expected at most startMinutesAgo, ${startMinutesAgo}` }
    : undefined
)

interface Named {
  readonly name?: string
}

const plainName = <Field extends string>(expression: Field) =>
  Schema.makeFilter<Named & { readonly [field in Field]?: unknown }>(
    (value) =>
      value[expression] === undefined || value.name === undefined || /^\w+$/.test(value.name)
        ? undefined
        : { path: ["name"], issue: `Expected a name of letters, digits and _ beside ${expression}` },
    {
      toJsonSchema: () => ({
        anyOf: [{ not: { required: [expression] } }, { patternProperties: { "^name$": { pattern: "^\\w+$" } } }]
      })
    }
  )
export const plainDimensionName = plainName("dimensionExpression")
export const plainMetricName = plainName("expression")

const isFilled = (list: ReadonlyArray<unknown> | undefined) => list !== undefined && list.length > 0

const nonEmpty = (field: string) => ({ required: [field], patternProperties: { [`^${field}$`]: { minItems: 1 } } })

export const datesOrCohorts = Schema.makeFilter<ReportFields>(
  ({ cohortSpec, dateRanges }) => {
    if (cohortSpec === undefined) {
      return isFilled(dateRanges) ? undefined : { path: ["dateRanges"], issue: "Expected at least one date range" }
    }
    return isFilled(dateRanges)
      ? { path: ["dateRanges"], issue: "Expected no date ranges beside cohortSpec" }
      : undefined
  },
  {
    toJsonSchema: () => ({
      oneOf: [
        nonEmpty("dateRanges"),
        { required: ["cohortSpec"], patternProperties: { "^dateRanges$": { maxItems: 0 } } }
      ]
    })
  }
)

export const cohortDimension = Schema.makeFilter<ReportFields>(
  ({ cohortSpec, dimensions = [] }) =>
    cohortSpec === undefined || dimensions.some(({ name }) => name === "cohort")
      ? undefined
      : { path: ["dimensions"], issue: "Expected the dimension cohort beside cohortSpec" },
  {
    toJsonSchema: () => ({
      anyOf: [{ not: { required: ["cohortSpec"] } }, {
        required: ["dimensions"],
        patternProperties: { "^dimensions$": { contains: cohortEntry } }
      }]
    })
  }
)

const cohortEntry = {
  type: "object",
  properties: {
    name: { const: "cohort", description: "The dimension of a cohort report." },
    dimensionExpression: { description: "An expression of other dimensions." }
  },
  required: ["name"],
  additionalProperties: false
} as const

export const dimensionOrMetric = Schema.makeFilter<ReportFields>(
  ({ dimensions, metrics }) => isFilled(dimensions) || isFilled(metrics) || "Expected at least one dimension or metric",
  { toJsonSchema: () => ({ anyOf: [nonEmpty("dimensions"), nonEmpty("metrics")] }) }
)
