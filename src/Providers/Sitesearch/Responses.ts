import { DateTime, identity, Option, Schema } from "effect"

/** The provider sends numbers as integers, floats or text, and `null` or nothing without a measurement. */
const Figure = Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Finite, Schema.FiniteFromString])))
const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

const listOf = <Row extends Schema.Struct.Fields>(fields: Row) =>
  Schema.Struct({ d: Schema.NullOr(Schema.Array(Schema.Struct(fields))) })

/** Leaves out `AuthenticationCode` and `DnsVerificationCode`, which prove ownership of a site. */
export const SiteList = listOf({ Url: Schema.String, IsVerified: Schema.optionalKey(Schema.NullOr(Schema.Boolean)) })

export const QueryStats = listOf({
  Query: Text,
  Date: Text,
  Clicks: Figure,
  Impressions: Figure,
  AvgImpressionPosition: Figure
})

export const CrawlStats = listOf({
  Date: Text,
  InIndex: Figure,
  InLinks: Figure,
  CrawledPages: Figure,
  CrawlErrors: Figure,
  Code2xx: Figure,
  Code301: Figure,
  Code302: Figure,
  Code4xx: Figure,
  Code5xx: Figure,
  AllOtherCodes: Figure,
  BlockedByRobotsTxt: Figure,
  ContainsMalware: Figure,
  DnsFailures: Figure,
  ConnectionTimeout: Figure
})

export const CrawlIssues = listOf({ Url: Schema.String, HttpCode: Figure, Issues: Figure, InLinks: Figure })

/** The provider repeats rows, also with other figures: the last one of each key counts. */
export const distinctRows = <Row>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => unknown = identity
): ReadonlyArray<Row> => [...new Map(rows.map((row) => [JSON.stringify(keyOf(row)), row])).values()]

const wireDate = /^\/Date\((-?\d+)(?:([+-])(\d{2})(\d{2}))?\)\/$/

/** The provider writes "never" as a date in the year 1 or 1601. */
const firstValidDay = "1990-01-01"

/** The calendar day of `/Date(<epoch milliseconds>±<hhmm>)/` in that offset. `null` for "never" and invalid dates. */
export const parseDay = (date: string): string | null => {
  const match = wireDate.exec(date)
  if (match === null) return null
  const [, milliseconds, sign, hours = 0, minutes = 0] = match
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000)
  return Option.match(DateTime.make(Number(milliseconds) + offset), {
    onNone: () => null,
    onSome: (instant) => {
      const day = DateTime.formatIsoDateUtc(instant)
      return day < firstValidDay ? null : day
    }
  })
}
