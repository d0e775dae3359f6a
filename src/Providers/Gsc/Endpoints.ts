import { Schema } from "effect"
import { objectsIn } from "../../Domain/Table/TableSource.ts"
import { googleQuery } from "../Google/Query.ts"
import { endpoint, type RawEndpoint } from "../Provider.ts"
import { entriesIn } from "../Resources.ts"
import { inspectIssues } from "./FieldRules.ts"
import { QueryBody } from "./QueryBody.ts"
import { InspectBody, SitemapPath, sitemapsListQuery, SitePath } from "./Schemas.ts"

const origin = { id: "gsc", setting: "GSC_BASE_URL", url: "https://searchconsole.googleapis.com" }

const readonly = "https://www.googleapis.com/auth/webmasters.readonly"

export const gscScopes = { read: [readonly], write: [readonly] }

/** No endpoint writes. */
const reads = { origin, writes: false, scopes: [readonly, "https://www.googleapis.com/auth/webmasters"] } as const

export const sitesList = endpoint({
  id: "sites.list",
  description: "Lists the properties the connection can read, including unverified ones (siteUnverifiedUser).",
  method: "GET",
  ...reads,
  path: "/webmasters/v3/sites",
  input: Schema.Struct({ query: googleQuery({}) }),
  resources: entriesIn("siteEntry", "siteUrl"),
  rows: () => objectsIn("siteEntry")
})

export const sitesGet = endpoint({
  id: "sites.get",
  description: "Returns one property and the connection's permission level on it.",
  method: "GET",
  ...reads,
  path: "/webmasters/v3/sites/{siteUrl}",
  input: Schema.Struct({ path: SitePath, query: googleQuery({}) }),
  resources: { names: ({ path }) => path.siteUrl }
})

/** The provider's default for `rowLimit`. */
const defaultRows = 1000

export const searchanalyticsQuery = endpoint({
  id: "searchanalytics.query",
  description:
    "Returns clicks, impressions, CTR and position grouped by dimensions. Sorted by clicks, most first; with the " +
    "dimension date by date, oldest first. Days are in Pacific time. The last two or three days are not final. " +
    "Rows of rare queries are left out. About 50000 rows per day and type are available.",
  method: "POST",
  ...reads,
  path: "/webmasters/v3/sites/{siteUrl}/searchAnalytics/query",
  input: Schema.Struct({ path: SitePath, query: googleQuery({}), body: QueryBody }),
  resources: { names: ({ path }) => path.siteUrl },
  rows: ({ body }) => ({
    ...objectsIn("rows"),
    keys: body.dimensions ?? [],
    columns: ["clicks", "impressions", "ctr", "position"],
    paging: { limit: body.rowLimit ?? defaultRows, offset: body.startRow ?? 0 }
  })
})

export const sitemapsList = endpoint({
  id: "sitemaps.list",
  description: "Lists sitemaps submitted for a property.",
  method: "GET",
  ...reads,
  path: "/webmasters/v3/sites/{siteUrl}/sitemaps",
  input: Schema.Struct({ path: SitePath, query: googleQuery(sitemapsListQuery) }),
  resources: { names: ({ path }) => path.siteUrl },
  rows: () => objectsIn("sitemap")
})

export const sitemapsGet = endpoint({
  id: "sitemaps.get",
  description: "Returns one submitted sitemap.",
  method: "GET",
  ...reads,
  path: "/webmasters/v3/sites/{siteUrl}/sitemaps/{feedpath}",
  input: Schema.Struct({ path: SitemapPath, query: googleQuery({}) }),
  resources: { names: ({ path }) => path.siteUrl }
})

export const urlInspectionIndexInspect = endpoint({
  id: "urlInspection.index.inspect",
  description:
    "Returns index status, crawl and rich-result details for one URL. Shows the version in Google's index, " +
    "without a live test. The connection must be an owner or full user of the property.",
  method: "POST",
  ...reads,
  path: "/v1/urlInspection/index:inspect",
  input: Schema.Struct({ query: googleQuery({}), body: InspectBody }),
  resources: {
    names: ({ body }) => body.siteUrl,
    urls: ({ body }) => [body.inspectionUrl],
    misplaced: ({ body }) => inspectIssues(body)
  }
})

export const gscEndpoints: ReadonlyArray<RawEndpoint> = [
  sitesList,
  sitesGet,
  searchanalyticsQuery,
  sitemapsList,
  sitemapsGet,
  urlInspectionIndexInspect
]
