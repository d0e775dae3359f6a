import { Schema } from "effect"
import { objectsIn } from "../../Domain/Table/TableSource.ts"
import { endpoint, type RawEndpoint, type RawInput } from "../Provider.ts"
import { entriesIn, type Resources } from "../Resources.ts"
import { AbsoluteUrl, isForeign, NoInput, QueryText, Text } from "./Schemas.ts"

const origin = { id: "sitesearch", setting: "SITESEARCH_BASE_URL", url: "https://ssl.bing.com" }

export const sitesearchScopes = { read: ["webmaster.read"], write: ["webmaster.manage"] }

const read = <Input extends RawInput>(
  id: string,
  description: string,
  input: Schema.Codec<Input, unknown>,
  resources: Resources<NoInfer<Input>>
) =>
  endpoint({
    id,
    description,
    method: "GET",
    origin,
    path: `/webmaster/api.svc/json/${id}`,
    writes: false,
    scopes: [...sitesearchScopes.read, ...sitesearchScopes.write],
    input,
    resources,
    rows: () => objectsIn("d")
  })

const write = <Input extends RawInput>(
  id: string,
  description: string,
  input: Schema.Codec<Input, unknown>,
  resources: Resources<NoInfer<Input>>
) =>
  endpoint({
    id,
    description,
    method: "POST",
    origin,
    path: `/webmaster/api.svc/json/${id}`,
    writes: true,
    scopes: sitesearchScopes.write,
    input,
    resources
  })

const siteText =
  "The site, exactly as `Url` in `GetUserSites`, such as `https://example.com/`. With `www.` it is another site."
const siteUrl = QueryText(siteText)
const query = QueryText("The search query, without quoting or escaping.")

const inQuery = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ query: Schema.Struct(fields).annotate({ description: "Query parameters." }) })

const SiteInput = inQuery({ siteUrl })
const SiteQueryInput = inQuery({ siteUrl, query })

const site = { names: ({ query }: typeof SiteInput.Type) => query.siteUrl }

export const getUserSites = read(
  "GetUserSites",
  "Lists the sites on the account with verification status.",
  NoInput,
  entriesIn("d", "Url")
)

export const getQueryStats = read(
  "GetQueryStats",
  "Top search queries with clicks, impressions and average positions, by week. Data updates weekly.",
  SiteInput,
  site
)

export const getPageStats = read(
  "GetPageStats",
  "Top pages with clicks, impressions and average positions; the page URL is in the field `Query`. Data updates " +
    "weekly.",
  SiteInput,
  site
)

export const getRankAndTrafficStats = read(
  "GetRankAndTrafficStats",
  "Daily clicks and impressions for the whole site. Data updates daily.",
  SiteInput,
  site
)

export const getQueryPageStats = read(
  "GetQueryPageStats",
  "Pages that ranked for one query, with clicks, impressions and positions; the page URL is in the field `Query`.",
  SiteQueryInput,
  site
)

export const getPageQueryStats = read(
  "GetPageQueryStats",
  "Queries that led to one page, with clicks, impressions and positions.",
  inQuery({ siteUrl, page: QueryText("URL of the page, as in the field `Query` of `GetPageStats`.") }),
  site
)

export const getQueryTrafficStats = read(
  "GetQueryTrafficStats",
  "Daily clicks and impressions for one query.",
  SiteQueryInput,
  site
)

export const getCrawlStats = read(
  "GetCrawlStats",
  "Daily crawl stats for the last 6 months: pages crawled, in index, HTTP code counts, robots.txt blocks.",
  SiteInput,
  site
)

export const getCrawlIssues = read(
  "GetCrawlIssues",
  "URLs with crawl issues. The field `Issues` is a bit flag: 1 Code301, 2 Code302, 4 Code4xx, 8 Code5xx, " +
    "16 BlockedByRobotsTxt, 32 ContainsMalware, 64 ImportantUrlBlockedByRobotsTxt, 128 DnsErrors, 256 TimeOutErrors.",
  SiteInput,
  site
)

export const getFeeds = read(
  "GetFeeds",
  "Sitemaps and feeds submitted for the site.",
  SiteInput,
  site
)

export const getUrlSubmissionQuota = read(
  "GetUrlSubmissionQuota",
  "How many URLs can still be submitted today and this month.",
  SiteInput,
  site
)

export const getKeywordStats = read(
  "GetKeywordStats",
  "Search volume history for a keyword, not tied to the caller's site.",
  inQuery({
    q: QueryText("The keyword, without quoting or escaping."),
    country: Schema.optionalKey(QueryText("Country or region, a lower-case ISO 3166 code such as `us`.")),
    language: Schema.optionalKey(QueryText("Language and culture, such as `en-US`."))
  }),
  "none"
)

export const submitUrl = write(
  "SubmitUrl",
  "Submits one URL for indexing; uses the site's daily quota. Writes data.",
  Schema.Struct({
    body: Schema.Struct({
      siteUrl: Text.annotate({ description: siteText }),
      url: AbsoluteUrl.annotate({ description: "The absolute http or https URL to submit, on that site." })
    }).annotate({ description: "The JSON body." })
  }),
  { names: ({ body }) => body.siteUrl, urls: ({ body }) => [body.url] }
)

export const submitUrlBatch = write(
  "SubmitUrlBatch",
  "Submits up to 500 URLs for indexing; uses the site's daily quota. Writes data.",
  Schema.Struct({
    body: Schema.Struct({
      siteUrl: Text.annotate({ description: siteText }),
      urlList: Schema.Array(AbsoluteUrl).annotate({
        description: "The 1 to 500 absolute http or https URLs to submit, on that site."
      }).check(Schema.isMinLength(1), Schema.isMaxLength(500))
    }).annotate({ description: "The JSON body." })
  }),
  {
    names: ({ body }) => body.siteUrl,
    urls: ({ body }) => body.urlList,
    misplaced: ({ body: { siteUrl, urlList } }) =>
      urlList.flatMap((url, index) =>
        isForeign(siteUrl, url)
          ? [{ path: ["input", "body", "urlList", index], message: `Expected a URL on the site ${siteUrl}` }]
          : []
      )
  }
)

export const sitesearchEndpoints: ReadonlyArray<RawEndpoint> = [
  getUserSites,
  getQueryStats,
  getPageStats,
  getRankAndTrafficStats,
  getQueryPageStats,
  getPageQueryStats,
  getQueryTrafficStats,
  getCrawlStats,
  getCrawlIssues,
  getFeeds,
  getUrlSubmissionQuota,
  getKeywordStats,
  submitUrl,
  submitUrlBatch
]
