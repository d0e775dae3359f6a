import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, tool } from "../../Provider.ts"
import { addDays, lastDays, pacificTime, today } from "../../Tooling/DateWindow.ts"
import { integer } from "../../Tooling/Fields.ts"
import { windowInput } from "../../Tooling/WindowInput.ts"
import { listCrawlIssues } from "../CrawlIssues.ts"
import { crawlDays, crawlReport, crawlReportFields, type IssueListing } from "../CrawlReport.ts"
import { getCrawlIssues, getCrawlStats } from "../Endpoints.ts"
import { CrawlIssues, CrawlStats } from "../Responses.ts"
import { siteField } from "../Schemas.ts"
import { explainUnverified, namedSite, resolveSite } from "../Sites.ts"

const crawlWindow = windowInput({ description: "Length of the window in days.", minimum: 1, maximum: 180, default: 30 })

export const sitesearchCrawlHealth = tool({
  name: "sitesearch_crawl_health",
  ...described([
    "Pages in index, crawl and HTTP error totals over the last N days, and URLs with crawl issues (most linked first).",
    "The window of `days` ends yesterday, Pacific time; data lags by a day and reaches back 6 months.",
    "`in_index` and `in_links` are counts as of `latest_day`, other figures sums, null without data.",
    "A fixed issue stays listed for days.",
    "`issues_measured` is false when the list of issues failed or cannot be confirmed.",
    "For single days use the endpoint GetCrawlStats."
  ], [
    "The window is the `days` days that end yesterday, or `start` to `end`.",
    "`latest_day` is the newest day.",
    "`in_index_change` is the change since the start of the window.",
    "`issue_counts` counts all URLs with issues.",
    "`issues` has at most `limit` of `issues_total` URLs; `has_more` says that there are more.",
    "`issues_error` says why the list of issues failed; an empty list can lack statistics that confirm it.",
    "Findings about page content, such as titles, are never included.",
    "sitesearch_list_sites lists the values of `site`."
  ]),
  writes: false,
  input: Schema.Struct({
    site: siteField,
    ...crawlWindow.fields,
    limit: integer({
      description: "Maximum number of URLs with issues to return.",
      minimum: 1,
      maximum: 500,
      default: 50
    })
  }).check(crawlWindow.rules).pipe(Schema.decode(crawlWindow.withDefault())),
  resources: { names: ({ site }) => namedSite(site) },
  rows: () => objectsIn("issues"),
  output: Schema.Struct({ site: Schema.String, ...crawlReportFields }),
  run: Effect.fnUntraced(function*(input, provider) {
    const yesterday = addDays(yield* today(pacificTime), -1)
    const window = crawlWindow.resolve(input, (days) => lastDays(days, yesterday))
    const found = yield* resolveSite(provider, input.site)
    const request = { query: { siteUrl: found.url } }
    const { issues, statistics } = yield* Effect.all({
      statistics: provider.call(getCrawlStats, request, CrawlStats).pipe(explainUnverified(found)),
      issues: provider.call(getCrawlIssues, request, CrawlIssues).pipe(Effect.match({
        onSuccess: (response): IssueListing => ({ _tag: "Listed", issues: listCrawlIssues(response) }),
        onFailure: ({ message }): IssueListing => ({ _tag: "Failed", message })
      }))
    }, { concurrency: 2 })
    return {
      site: found.url,
      ...crawlReport(crawlDays(statistics), issues, { window, isDated: input.start !== undefined, limit: input.limit })
    }
  })
})
