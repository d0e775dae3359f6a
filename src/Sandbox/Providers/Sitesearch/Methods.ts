import { Effect, Schema } from "effect"
import { pacificTime } from "../../../Providers/Tooling/DateWindow.ts"
import { type Day, today } from "../../Data/Day.ts"
import { crawlIssues, crawlStats, feeds } from "./Crawl.ts"
import { keywordStats } from "./Keywords.ts"
import { findVerifiedSite, type Site, userSites } from "./Sites.ts"
import { type SitesearchError, sitesearchError } from "./SitesearchError.ts"
import { submissions } from "./Submissions.ts"
import {
  pageQueryStats,
  pageStats,
  queryPageStats,
  queryStats,
  queryTrafficStats,
  rankAndTrafficStats
} from "./Traffic.ts"

const parameters = Schema.Struct({
  siteUrl: Schema.optionalKey(Schema.String),
  query: Schema.optionalKey(Schema.String),
  page: Schema.optionalKey(Schema.String),
  q: Schema.optionalKey(Schema.String),
  country: Schema.optionalKey(Schema.String),
  language: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
  urlList: Schema.optionalKey(Schema.Array(Schema.String))
})
export type Parameters = typeof parameters.Type

export const decodeParameters = Schema.decodeUnknownEffect(parameters)

export interface Method {
  readonly method: "GET" | "POST"
  readonly respond: (parameters: Parameters) => Effect.Effect<unknown, SitesearchError>
}

const get = (respond: Method["respond"]): Method => ({ method: "GET", respond })
const post = (respond: Method["respond"]): Method => ({ method: "POST", respond })

const required = (text: string | undefined): Effect.Effect<string, SitesearchError> =>
  text === undefined || text.trim() === "" ? Effect.fail(sitesearchError("InvalidParameter")) : Effect.succeed(text)

const getOfSite = (
  respond: (site: Site, today: Day, parameters: Parameters) => Effect.Effect<unknown, SitesearchError>
) =>
  get(Effect.fnUntraced(function*(parameters) {
    return yield* respond(yield* findVerifiedSite(parameters.siteUrl ?? ""), yield* today(pacificTime), parameters)
  }))

const siteStatistics = (respond: (site: Site, today: Day) => unknown) =>
  getOfSite((site, today) => Effect.sync(() => respond(site, today)))

const filteredStatistics = (parameter: "query" | "page", respond: (site: Site, text: string, today: Day) => unknown) =>
  getOfSite((site, today, parameters) =>
    Effect.map(required(parameters[parameter]), (text) => respond(site, text, today))
  )

export const methods = Effect.map(submissions, ({ quota, submit }): ReadonlyMap<string, Method> =>
  new Map([
    ["GetUserSites", get(() => Effect.succeed(userSites))],
    ["GetQueryStats", siteStatistics(queryStats)],
    ["GetPageStats", siteStatistics(pageStats)],
    ["GetRankAndTrafficStats", siteStatistics(rankAndTrafficStats)],
    ["GetQueryPageStats", filteredStatistics("query", queryPageStats)],
    ["GetPageQueryStats", filteredStatistics("page", pageQueryStats)],
    ["GetQueryTrafficStats", filteredStatistics("query", queryTrafficStats)],
    ["GetCrawlStats", siteStatistics(crawlStats)],
    ["GetCrawlIssues", siteStatistics(crawlIssues)],
    ["GetFeeds", siteStatistics(feeds)],
    ["GetUrlSubmissionQuota", getOfSite(quota)],
    [
      "GetKeywordStats",
      get(Effect.fnUntraced(function*({ country = "us", language = "en-US", q }) {
        return keywordStats(yield* required(q), country, language, yield* today(pacificTime))
      }))
    ],
    [
      "SubmitUrl",
      post(({ siteUrl = "", url = "" }) => Effect.flatMap(findVerifiedSite(siteUrl), (site) => submit(site, [url])))
    ],
    [
      "SubmitUrlBatch",
      post(({ siteUrl = "", urlList = [] }) =>
        Effect.flatMap(findVerifiedSite(siteUrl), (site) => submit(site, urlList))
      )
    ]
  ]))
