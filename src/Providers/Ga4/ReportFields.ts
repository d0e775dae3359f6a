import { Schema } from "effect"

/** Leap years are every fourth, of the full centuries every fourth. */
const days = [
  String.raw`\d{4}-(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])`,
  String.raw`\d{4}-(?:0[469]|11)-(?:0[1-9]|[12]\d|30)`,
  String.raw`\d{4}-02-(?:0[1-9]|1\d|2[0-8])`,
  String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`
]

/** A calendar day, or one counted back from today in the property's time zone. */
export const ReportDate = Schema.String.check(
  Schema.isPattern(new RegExp(String.raw`^(?:${days.join("|")}|today|yesterday|\d+daysAgo)$`, "u"), {
    message: "Expected a day: YYYY-MM-DD, today, yesterday or NdaysAgo"
  })
)

const name = (...prefixes: ReadonlyArray<string>) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^(?!${prefixes.join("|")})`, "u"), {
      message: `Expected a name that does not begin with ${prefixes.join(" or ")}`
    })
  )

/** Google names the ranges and cohorts that have no name; its names are not to be had. */
export const RangeName = name("date_range_", "RESERVED_")
export const CohortName = name("cohort_", "RESERVED_")

const int64 = (minimum: number, digits: RegExp, message: string) =>
  Schema.Union([
    Schema.Int.check(Schema.isBetween({ minimum, maximum: Number.MAX_SAFE_INTEGER }, { message })),
    Schema.String.check(Schema.isPattern(digits, { message }))
  ])

/** Not capped: Google returns 250,000 rows at most "no matter how many you ask for". */
export const RowLimit = int64(1, /^0*[1-9]\d{0,18}$/u, "Expected a positive integer")
export const RowOffset = int64(0, /^\d{1,19}$/u, "Expected an integer that is not negative")

/** Half an hour for a standard property, an hour for a 360 one. */
export const MinutesAgo = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 59 }))
