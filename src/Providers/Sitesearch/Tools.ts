import { Effect, Schema } from "effect"
import { type ProviderCalls, type SmartTool, tool } from "../Provider.ts"
import { addDays, lastDays, today } from "../Tooling/DateWindow.ts"
import { flag, integer, optionalText, text } from "../Tooling/Fields.ts"
import { CrawlIssues, CrawlStats, QueryStats } from "./Answers.ts"
import { crawlDays, crawlReport, type IssueListing } from "./CrawlHealth.ts"
import { crawlIssues } from "./CrawlIssues.ts"
import { pacificTime } from "./Days.ts"
import { getCrawlIssues, getCrawlStats, getPageStats, getQueryStats } from "./Endpoints.ts"
import { explainUnverified, listSites, resolveSite } from "./Sites.ts"
import { bucketRows, longestWindow, type Subject, topReport } from "./TopRows.ts"

const site = text({
  description: "The site: its URL as `sitesearch_list_sites` has it, or a bare host such as `example.com`. What is " +
    "missing (slash, scheme, `www.`) is looked up among the sites on the account.",
  maxLength: 2048
})

const TopFields = Schema.Struct({
  site,
  days: integer({
    description: "Length of the window in days. The source is weekly, so fewer than 14 may hold a single bucket.",
    minimum: 7,
    maximum: longestWindow,
    default: 30
  }),
  limit: integer({ description: "At most that many rows.", minimum: 1, maximum: 500, default: 25 }),
  offset: integer({
    description: "Rows to skip: `next_offset` of the answer before.",
    minimum: 0,
    maximum: 100_000,
    default: 0
  })
})

const TopQueriesInput = Schema.Struct({
  ...TopFields.fields,
  contains: optionalText({
    description: "Only queries that contain this text, in whatever case.",
    maxLength: 500
  })
})

const TopPagesInput = Schema.Struct({
  ...TopFields.fields,
  contains: optionalText({
    description: "Only pages whose URL contains this text, in whatever case.",
    maxLength: 500
  }),
  path_contains: optionalText({
    description: "Only pages whose URL path, without host and query string, contains this text, in whatever case.",
    maxLength: 500
  })
})

const aboutTop = (subject: "queries" | "pages") =>
  "Freshness: the source has one bucket a week and lags by a week or more; `latest_bucket` is the newest one. " +
  "Window: the `days` days that end today, Pacific time; a bucket counts when its date lies in it, so the edges are " +
  "approximate by up to 6 days, and `buckets` says how many counted. " +
  "Units: `ctr` is a fraction (0.05 is 5 %), null without impressions; `position` is weighted by impressions, 1 is " +
  "the highest, null where not measured. " +
  `Sort order: clicks, then impressions, from the most. ` +
  "Truncation: at most `limit` rows of `total`; `has_more` and `next_offset` say how to go on. The provider keeps top " +
  `${subject} only, so the rows add up to less than the site has: the endpoint \`GetRankAndTrafficStats\` has its ` +
  "totals. " +
  "Empty: no rows is not an error; `note` says why. "

export const sitesearchTopQueries = tool({
  name: "sitesearch_top_queries",
  description: "Top search queries by clicks for a site over the last N days, with impressions, CTR and average " +
    `position; source data updates weekly. ${aboutTop("queries")}` +
    "See also `sitesearch_top_pages` for pages and `sitesearch_list_sites` for what `site` can be.",
  writes: false,
  input: TopQueriesInput,
  run: ({ contains = "", ...input }, provider) =>
    top(provider, { ...input, endpoint: getQueryStats, subject: "query", wanted: (query) => includes(query, contains) })
})

export const sitesearchTopPages = tool({
  name: "sitesearch_top_pages",
  description: "Top pages by clicks for a site over the last N days, with impressions, CTR and average position; " +
    `source data updates weekly. ${aboutTop("pages")}` +
    "See also `sitesearch_top_queries` for search queries and `sitesearch_list_sites` for what `site` can be.",
  writes: false,
  input: TopPagesInput,
  run: ({ contains = "", path_contains = "", ...input }, provider) =>
    top(provider, {
      ...input,
      endpoint: getPageStats,
      subject: "page",
      wanted: (page) => includes(page, contains) && includes(pathOf(page), path_contains)
    })
})

const top = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  { days, endpoint, limit, offset, site, subject, wanted }: typeof TopFields.Type & {
    readonly endpoint: typeof getQueryStats
    readonly subject: Subject
    readonly wanted: (key: string) => boolean
  }
) {
  const window = lastDays(days, yield* today(pacificTime))
  const found = yield* resolveSite(provider, site)
  const answer = yield* provider.call(endpoint, { query: { siteUrl: found.url } }, QueryStats).pipe(
    explainUnverified(found)
  )
  return { site: found.url, ...topReport(bucketRows(answer), { window, page: { limit, offset }, subject, wanted }) }
})

const includes = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

/** As it stands in the URL: a parser would encode it. */
const pathOf = (page: string): string => page.replace(/^\w+:\/\/[^/?#]*/, "").replace(/[?#].*$/s, "")

export const sitesearchCrawlHealth = tool({
  name: "sitesearch_crawl_health",
  description: "Pages in index, crawl and HTTP error totals over the last N days, and URLs with crawl issues (most " +
    "linked first). " +
    "Freshness: statistics are daily and lag by about a day; `latest_day` is the newest one; a fixed issue stays " +
    "listed for days. " +
    "Window: the `days` days that end yesterday, Pacific time; the provider has 6 months. " +
    "Units: `in_index` and `in_links` are counts as of `latest_day`, `in_index_change` is since the first day of the " +
    "window; everything else is a sum over the window, null without data. `issue_counts` counts URLs, all of them. " +
    "Sort order: `issues` by `in_links` from the most, then by URL. " +
    "Truncation: at most `limit` of `issues_total` URLs; `has_more` says that there are others. " +
    "Empty: `issues_measured` is false where the list of issues failed (`issues_error`) or is empty without the " +
    "statistics bearing it out, which is not the same as no issues; `note` explains. Findings about page content, such " +
    "as titles or alt texts, are never included. " +
    "See also `sitesearch_list_sites` for what `site` can be, and the endpoint `GetCrawlStats` for single days.",
  writes: false,
  input: Schema.Struct({
    site,
    days: integer({ description: "Length of the window in days.", minimum: 1, maximum: 180, default: 30 }),
    limit: integer({ description: "At most that many URLs with issues.", minimum: 1, maximum: 500, default: 50 })
  }),
  run: Effect.fnUntraced(function*({ days, limit, site }, provider) {
    const window = lastDays(days, addDays(yield* today(pacificTime), -1))
    const found = yield* resolveSite(provider, site)
    const input = { query: { siteUrl: found.url } }
    const { issues, statistics } = yield* Effect.all({
      statistics: provider.call(getCrawlStats, input, CrawlStats).pipe(explainUnverified(found)),
      issues: provider.call(getCrawlIssues, input, CrawlIssues).pipe(Effect.match({
        onSuccess: (answer): IssueListing => ({ _tag: "Listed", issues: crawlIssues(answer) }),
        onFailure: ({ message }): IssueListing => ({ _tag: "Failed", message })
      }))
    }, { concurrency: 2 })
    return { site: found.url, ...crawlReport(crawlDays(statistics), issues, { window, limit }) }
  })
})

export const sitesearchListSites = tool({
  name: "sitesearch_list_sites",
  description: "Sites on the connected account and whether each is verified. " +
    "Freshness: as the provider has it now. Sorted by URL; all of them, never cut: `total` is their number. " +
    "Only verified sites have data. Empty: no sites is not an error; `note` says why. " +
    "A `url` is what the other `sitesearch_` tools take as `site`.",
  writes: false,
  input: Schema.Struct({
    verified_only: flag({ description: "Leaves out the sites that are not verified.", default: false })
  }),
  run: ({ verified_only }, provider) =>
    Effect.map(listSites(provider), (all) => {
      const sites = verified_only ? all.filter(({ verified }) => verified) : all
      return { sites, total: sites.length, ...sites.length === 0 ? { note: noSites(all.length) } : {} }
    })
})

const noSites = (unverified: number): string =>
  unverified === 0
    ? "The connected account has no sites."
    : `None of the account's sites is verified; without \`verified_only\` there are ${unverified}.`

export const sitesearchTools: ReadonlyArray<SmartTool> = [
  sitesearchTopQueries,
  sitesearchTopPages,
  sitesearchCrawlHealth,
  sitesearchListSites
]
