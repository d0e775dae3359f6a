import { Schema } from "effect"

interface DateRange {
  readonly startDate: string
  readonly endDate: string
}

interface MinuteRange {
  readonly startMinutesAgo?: number
  readonly endMinutesAgo?: number
}

interface Report {
  readonly dateRanges?: ReadonlyArray<unknown>
  readonly cohortSpec?: unknown
  readonly dimensions?: ReadonlyArray<{ readonly name?: string }>
  readonly metrics?: ReadonlyArray<unknown>
}

/** Days before today; `undefined` for a calendar day, which only the property's time zone could compare. */
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

/** A dimension or metric that is an expression has a name of the caller's choice, in a small alphabet. */
const plainName = <Field extends string>(expression: Field) =>
  Schema.makeFilter<Named & { readonly [field in Field]?: unknown }>(
    (value) =>
      value[expression] === undefined || value.name === undefined || /^\w+$/.test(value.name)
        ? undefined
        : { path: ["name"], issue: `Expected a name of letters, digits and _ beside ${expression}` },
    {
      toJsonSchema: () => ({
        anyOf: [{ not: { required: [expression] } }, { properties: { name: { pattern: "^\\w+$" } } }]
      })
    }
  )
export const plainDimensionName = plainName("dimensionExpression")
export const plainMetricName = plainName("expression")

const some = (list: ReadonlyArray<unknown> | undefined) => list !== undefined && list.length > 0

const nonEmpty = (field: string) => ({ required: [field], properties: { [field]: { minItems: 1 } } })

/** `A dateRange is required.` is what Google says to a report without either. */
export const datesOrCohorts = Schema.makeFilter<Report>(
  ({ cohortSpec, dateRanges }) => {
    if (cohortSpec === undefined) {
      return some(dateRanges) ? undefined : { path: ["dateRanges"], issue: "Expected at least one date range" }
    }
    return some(dateRanges)
      ? { path: ["dateRanges"], issue: "Expected no date ranges beside cohortSpec" }
      : undefined
  },
  {
    toJsonSchema: () => ({
      oneOf: [
        nonEmpty("dateRanges"),
        { required: ["cohortSpec"], properties: { dateRanges: { maxItems: 0 } } }
      ]
    })
  }
)

export const cohortDimension = Schema.makeFilter<Report>(
  ({ cohortSpec, dimensions = [] }) =>
    cohortSpec === undefined || dimensions.some(({ name }) => name === "cohort")
      ? undefined
      : { path: ["dimensions"], issue: "Expected the dimension cohort beside cohortSpec" },
  {
    toJsonSchema: () => ({
      anyOf: [{ not: { required: ["cohortSpec"] } }, {
        required: ["dimensions"],
        properties: { dimensions: { contains: { properties: { name: { const: "cohort" } }, required: ["name"] } } }
      }]
    })
  }
)

export const somethingToReport = Schema.makeFilter<Report>(
  ({ dimensions, metrics }) => some(dimensions) || some(metrics) || "Expected at least one dimension or metric",
  { toJsonSchema: () => ({ anyOf: [nonEmpty("dimensions"), nonEmpty("metrics")] }) }
)
