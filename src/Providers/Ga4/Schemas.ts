import { Schema, SchemaTransformation } from "effect"
import { calendarDayPattern } from "../Tooling/Fields.ts"

export const PropertyId = Schema.String.check(
  Schema.isPattern(/^\s*(?:properties\/)?\d+\s*$/u, {
    message: "Expected a numeric property id, as in \"123456789\" or \"properties/123456789\""
  })
).annotate({
  description: "Numeric Google Analytics property id, such as `123456789` or `properties/123456789`."
}).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (property) => property.replace("properties/", "").trim(),
      encode: (id: string) => id
    })
  )
)

const otherId = /^\s*(?:G|UA|GTM|AW)-/i

const isProperty = Schema.makeFilter(
  (property: string) =>
    /^\s*(?:properties\/)?\d+\s*$/.test(property) ||
    (otherId.test(property)
      ? `"${property}" is no property id; expected the number, which ga4_list_properties lists`
      : "Expected a numeric property id, such as 123456789; ga4_list_properties finds the id by name"),
  { toJsonSchema: () => ({ pattern: "^\\s*(?:properties/)?\\d+\\s*$" }) }
)

export const propertyField = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  Schema.String.check(isProperty)
]).annotate({
  description: "Numeric property id, such as 123456789. ga4_list_properties lists them."
}).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform<string, string | number>({
      decode: (property) => String(property).replace("properties/", "").trim(),
      encode: (id) => id
    })
  )
)

export const ReportDate = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?:${calendarDayPattern}|today|yesterday|\\d+daysAgo)$`, "u"), {
    message: "Expected a day: YYYY-MM-DD, today, yesterday or NdaysAgo"
  })
)

const nameWithoutPrefix = (...prefixes: ReadonlyArray<string>) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^(?!${prefixes.join("|")})`, "u"), {
      message: `Expected a name that does not begin with ${prefixes.join(" or ")}`
    })
  )

export const RangeName = nameWithoutPrefix("date_range_", "RESERVED_")
export const CohortName = nameWithoutPrefix("cohort_", "RESERVED_")

const int64 = (minimum: number, digits: RegExp, message: string) =>
  Schema.Union([
    Schema.Int.check(Schema.isBetween({ minimum, maximum: Number.MAX_SAFE_INTEGER }, { message })),
    Schema.String.check(Schema.isPattern(digits, { message }))
  ])

/** No maximum: Google returns at most 250,000 rows "no matter how many you ask for". */
export const RowLimit = int64(1, /^0*[1-9]\d{0,18}$/u, "Expected a positive integer")
export const RowOffset = int64(0, /^\d{1,19}$/u, "Expected an integer that is not negative")

/** Standard properties allow 29, 360 properties 59. */
export const MinutesAgo = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 59 }))
