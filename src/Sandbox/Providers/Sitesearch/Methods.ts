import { Effect, Schema } from "effect"
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
import { pacific } from "./WireDates.ts"

/** Unknown parameters are ignored, as the provider ignores them. */
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
  readonly verb: "GET" | "POST"
  readonly answer: (parameters: Parameters) => Effect.Effect<unknown, SitesearchError>
}

const get = (answer: Method["answer"]): Method => ({ verb: "GET", answer })
const post = (answer: Method["answer"]): Method => ({ verb: "POST", answer })

const given = (text: string | undefined): Effect.Effect<string, SitesearchError> =>
  text === undefined || text.trim() === "" ? Effect.fail(sitesearchError("InvalidParameter")) : Effect.succeed(text)

/** About a verified site, as it is today. */
const ofSite = (answer: (site: Site, today: Day, parameters: Parameters) => Effect.Effect<unknown, SitesearchError>) =>
  get(Effect.fnUntraced(function*(parameters) {
    return yield* answer(yield* findVerifiedSite(parameters.siteUrl ?? ""), yield* today(pacific), parameters)
  }))

const statistics = (answer: (site: Site, today: Day) => unknown) =>
  ofSite((site, today) => Effect.sync(() => answer(site, today)))

const statisticsOf = (parameter: "query" | "page", answer: (site: Site, text: string, today: Day) => unknown) =>
  ofSite((site, today, parameters) => Effect.map(given(parameters[parameter]), (text) => answer(site, text, today)))

/** Every operation, by its name in the URL. */
export const methods = Effect.map(submissions, ({ quota, submit }): ReadonlyMap<string, Method> =>
  new Map([
    ["GetUserSites", get(() => Effect.succeed(userSites))],
    ["GetQueryStats", statistics(queryStats)],
    ["GetPageStats", statistics(pageStats)],
    ["GetRankAndTrafficStats", statistics(rankAndTrafficStats)],
    ["GetQueryPageStats", statisticsOf("query", queryPageStats)],
    ["GetPageQueryStats", statisticsOf("page", pageQueryStats)],
    ["GetQueryTrafficStats", statisticsOf("query", queryTrafficStats)],
    ["GetCrawlStats", statistics(crawlStats)],
    ["GetCrawlIssues", statistics(crawlIssues)],
    ["GetFeeds", statistics(feeds)],
    ["GetUrlSubmissionQuota", ofSite(quota)],
    [
      "GetKeywordStats",
      get(Effect.fnUntraced(function*({ country = "us", language = "en-US", q }) {
        return keywordStats(yield* given(q), country, language, yield* today(pacific))
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
