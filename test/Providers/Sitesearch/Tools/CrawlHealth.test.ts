import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CredentialsRejected, UpstreamError, UpstreamUnreachable } from "../../../../src/Api/Errors/ProviderErrors.ts"
import { answers, responses, runTool, url } from "../FakeSitesearch.ts"

const bodies = {
  GetCrawlStats: {
    d: [
      { Date: "/Date(1771401600000-0800)/", InIndex: 10, CrawledPages: 3 },
      { Date: "/Date(1771488000000-0800)/", InIndex: 12, CrawledPages: 4, Code4xx: 1 },
      { Date: "/Date(1771574400000-0800)/", InIndex: 13, CrawledPages: 1 }
    ]
  },
  GetCrawlIssues: { d: [{ Url: "https://example.com/x", HttpCode: 404, Issues: 4, InLinks: 2 }] }
}

const failing = (failed: string, error: UpstreamError | UpstreamUnreachable | CredentialsRejected) =>
  runTool(
    "sitesearch_crawl_health",
    { site: url },
    (endpoint) => endpoint === failed ? Effect.fail(error) : responses(bodies)(endpoint)
  )

describe("sitesearch_crawl_health", () => {
  it.effect("sums up whole days until yesterday", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* runTool(
        "sitesearch_crawl_health",
        { site: "example.com", days: 2 },
        responses(bodies)
      )
      assert.deepStrictEqual(output, {
        site: url,
        start: "2026-02-18",
        end: "2026-02-19",
        latest_day: "2026-02-19",
        in_index: 12,
        in_index_change: 2,
        in_links: null,
        crawled_pages: 7,
        crawl_errors: null,
        http: { "2xx": null, "301": null, "302": null, "4xx": 1, "5xx": null, other: null },
        blocked_by_robots: null,
        malware: null,
        issue_counts: { Code4xx: 1 },
        issues: [{ url: "https://example.com/x", http_code: 404, issues: ["Code4xx"], in_links: 2 }],
        issues_total: 1,
        returned: 1,
        has_more: false,
        issues_measured: true
      })
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), ["GetUserSites", "GetCrawlStats", "GetCrawlIssues"])
    }))

  answers("sitesearch_crawl_health", {
    "sums up the days from start to end, and says which days there are": {
      input: { site: url, start: "2026-02-01", end: "2026-02-18" },
      bodies,
      output: {
        start: "2026-02-01",
        end: "2026-02-18",
        crawled_pages: 3,
        note: "The provider has statistics from 2026-02-18 to 2026-02-20."
      }
    }
  })

  it.effect.each([
    { error: new UpstreamError({ status: 400, message: "ThrottleUser", details: { ErrorCode: 4 } }) },
    { error: new UpstreamUnreachable({ message: "no answer" }) }
  ])("returns the statistics when the list of issues fails", ({ error }) =>
    Effect.gen(function*() {
      const { output } = yield* failing("GetCrawlIssues", error)
      const rest = { issues: [], issues_measured: false, issues_error: error.message }
      assert.deepInclude(output, { in_index: 12, crawled_pages: 7, ...rest })
    }))

  it.effect("fails when the statistics fail", () =>
    Effect.gen(function*() {
      const error = new CredentialsRejected({ details: { ErrorCode: 3 } })
      assert.strictEqual(yield* Effect.flip(failing("GetCrawlStats", error)), error)
    }))
})
