import { Schema } from "effect"

/** Numbers come as integers, as floats, and now and then as text; `null` or nothing where there is no measurement. */
const Figure = Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Finite, Schema.FiniteFromString])))
const MaybeText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** `d` is `null` where a list is empty, now and then. */
const list = <Row extends Schema.Struct.Fields>(fields: Row) =>
  Schema.Struct({ d: Schema.NullOr(Schema.Array(Schema.Struct(fields))) })

/** Leaves out `AuthenticationCode` and `DnsVerificationCode`: with them anybody can prove to own the site. */
export const SiteList = list({ Url: Schema.String, IsVerified: Schema.optionalKey(Schema.NullOr(Schema.Boolean)) })

/** `Query` is the search query of `GetQueryStats` and the page's URL of `GetPageStats`. */
export const QueryStats = list({
  Query: MaybeText,
  Date: MaybeText,
  Clicks: Figure,
  Impressions: Figure,
  AvgImpressionPosition: Figure
})

export const CrawlStats = list({
  Date: MaybeText,
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

export const CrawlIssues = list({ Url: Schema.String, HttpCode: Figure, Issues: Figure, InLinks: Figure })
