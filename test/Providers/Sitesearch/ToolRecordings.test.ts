import { assert, describe, it } from "@effect/vitest"
import { Effect, Record } from "effect"
import { recordedTraffic } from "../../support/OutsideFolder.ts"
import { responses, runTool, url } from "./FakeSitesearch.ts"
import { recording } from "./Recordings.ts"

const recorded = (bodies: Readonly<Record<string, string>>) =>
  responses(Record.map(bodies, (name) => recording(name).body))

describe.skipIf(recordedTraffic.isAbsent)(`Site search tools on recorded responses${recordedTraffic.absence}`, () => {
  it.effect("read the crawl statistics of a small site and its empty list of issues", () =>
    Effect.gen(function*() {
      const bodies = recorded({
        GetCrawlStats: "merj__test_get_crawl_stats",
        GetCrawlIssues: "merj__test_get_crawl_issues"
      })
      const { output } = yield* runTool("sitesearch_crawl_health", { site: url }, bodies, "2024-11-14T09:22:32Z")
      assert.deepInclude(output, {
        start: "2024-10-15",
        end: "2024-11-13",
        latest_day: "2024-11-13",
        in_index: 0,
        in_index_change: 0,
        crawled_pages: 0,
        crawl_errors: 36,
        dns_failures: 0,
        timeouts: 0,
        issues: [],
        issues_measured: false
      })
    }))

  it.effect("read the documented crawl issue", () =>
    Effect.gen(function*() {
      const bodies = recorded({
        GetCrawlStats: "merj__test_get_crawl_stats",
        GetCrawlIssues: "ms-learn__GetCrawlIssues"
      })
      const { output } = yield* runTool("sitesearch_crawl_health", { site: url }, bodies, "2024-11-14T09:22:32Z")
      assert.deepInclude(output, {
        issue_counts: { ContainsMalware: 1 },
        issues: [{ url: "http://example.com/url1.htm", http_code: 200, issues: ["ContainsMalware"], in_links: 10 }],
        issues_measured: true
      })
    }))

  it.effect("read the documented query", () =>
    Effect.gen(function*() {
      const bodies = recorded({
        GetUserSites: "ms-learn__GetUserSites",
        GetQueryStats: "ms-learn__GetQueryStats"
      })
      const { output } = yield* runTool(
        "sitesearch_top_queries",
        { site: "example.com" },
        bodies,
        "2014-05-05T12:00:00Z"
      )
      assert.deepInclude(output, {
        site: "http://example.com",
        latest_bucket: "2014-05-03",
        rows: [{ query: "www.getevents.co", clicks: 0, impressions: 1, ctr: 0, position: 27 }]
      })
    }))

  it.effect("read the documented page, which is outside the window", () =>
    Effect.gen(function*() {
      const bodies = recorded({
        GetUserSites: "ms-learn__GetUserSites",
        GetPageStats: "ms-learn__GetPageStats"
      })
      const { output } = yield* runTool("sitesearch_top_pages", { site: "example.com" }, bodies)
      assert.deepInclude(output, { buckets: 0, latest_bucket: "2011-09-16", rows: [], total: 0 })
    }))

  it.effect("read the documented sites", () =>
    Effect.gen(function*() {
      const bodies = recorded({ GetUserSites: "ms-learn__GetUserSites" })
      const { output } = yield* runTool("sitesearch_list_sites", {}, bodies)
      assert.deepStrictEqual(output, { sites: [{ url: "http://example.com", verified: false }], total: 1 })
    }))
})
