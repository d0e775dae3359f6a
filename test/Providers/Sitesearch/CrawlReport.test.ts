import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CredentialsRejected, UpstreamError, UpstreamUnreachable } from "../../../src/Api/Errors/ProviderErrors.ts"
import { issueNames, listCrawlIssues } from "../../../src/Providers/Sitesearch/CrawlIssues.ts"
import {
  type CrawlDay,
  crawlDays,
  crawlReport,
  type IssueListing
} from "../../../src/Providers/Sitesearch/CrawlReport.ts"
import { answers, responses, runTool, url } from "./FakeSitesearch.ts"

const window = { start: "2026-01-22", end: "2026-02-20" }
const listed = (...issues: ReturnType<typeof listCrawlIssues>): IssueListing => ({ _tag: "Listed", issues })
const report = (days: ReadonlyArray<CrawlDay>, listing: IssueListing = listed(), limit = 50) =>
  crawlReport(days, listing, { window, isDated: false, limit })
const issue = { url: "https://example.com/a", http_code: 404, issues: ["Code4xx"], in_links: 1 }

describe("Crawl statistics", () => {
  const days = [
    { day: "2026-01-21", InIndex: 900, InLinks: 1, CrawledPages: 1000, Code4xx: 70 },
    { day: "2026-01-22", InIndex: 100, InLinks: 50, CrawledPages: 10, Code4xx: 1 },
    { day: "2026-02-20", InIndex: 130, InLinks: 40, CrawledPages: 5, Code4xx: 2 }
  ]

  it("uses the latest value of stocks, adds up flows, and sorts rows by date", () => {
    assert.deepInclude(report(days), {
      crawled_pages: 15,
      in_index: 130,
      in_index_change: 30,
      in_links: 40,
      latest_day: "2026-02-20"
    })
    assert.strictEqual(report(days).http["4xx"], 3)
    const wire = [7, 5, 6].map((InIndex) => ({
      Date: `/Date(${1771401600000 + (InIndex - 5) * 86_400_000}-0800)/`,
      InIndex
    }))
    assert.deepStrictEqual(crawlDays({ d: wire }).map(({ day }) => day), ["2026-02-18", "2026-02-19", "2026-02-20"])
    assert.deepInclude(report(crawlDays({ d: wire })), { in_index: 7, in_index_change: 2 })
  })

  it.each([
    "CrawlErrors",
    "Code5xx",
    "ContainsMalware",
    "ConnectionTimeout"
  ])("an empty list of issues is not trusted while the statistics count %s", (figure) => {
    const day = { day: "2026-02-20", Code2xx: 5, Code301: 5, AllOtherCodes: 5 }
    assert.isTrue(report([day]).issues_measured)
    const { issues_measured, issues_total, note } = report([{ ...day, [figure]: 1 }])
    assert.deepStrictEqual({ issues_measured, issues_total }, { issues_measured: false, issues_total: 0 })
    assert.match(note ?? "", /does not mean that there are none/)
    assert.isTrue(report([{ ...day, [figure]: 1 }], listed(issue)).issues_measured)
  })

  it("an empty list is trusted when the statistics count no errors, but not without statistics", () => {
    const quiet = report([{ day: "2026-02-20", CrawledPages: 5 }])
    assert.isTrue(quiet.issues_measured)
    assert.match(quiet.note ?? "", /count no errors either/)
    assert.isFalse(report([]).issues_measured)
    assert.isFalse(report([{ day: "2026-01-01", CrawledPages: 5 }]).issues_measured)
  })

  it("without a day in the window flows are null and the index comes from the newest row", () => {
    assert.deepInclude(report([{ day: "2025-12-01", InIndex: 12, InLinks: 3, CrawledPages: 9 }], listed(issue)), {
      ...window,
      latest_day: "2025-12-01",
      in_index: 12,
      in_index_change: null,
      in_links: 3,
      crawled_pages: null,
      http: { "2xx": null, "301": null, "302": null, "4xx": null, "5xx": null, other: null },
      note: "No crawl statistics lie in the window; the newest are of 2025-12-01."
    })
  })

  it("counts repeated rows once", () => {
    const listed = { Url: "https://a/", Issues: 4 }
    assert.strictEqual(listCrawlIssues({ d: [listed, { ...listed }] }).length, 1)
    const row = { Date: "/Date(1771574400000-0800)/", CrawledPages: 7 }
    assert.strictEqual(report(crawlDays({ d: [{ ...row, CrawledPages: 6 }, row] })).crawled_pages, 7)
  })
})

describe("Issue flags", () => {
  it.each<readonly [flags: number, names: string]>([
    [0, ""],
    [31, "Code301 Code302 Code4xx Code5xx BlockedByRobotsTxt"],
    [480, "ContainsMalware ImportantUrlBlockedByRobotsTxt DnsErrors TimeOutErrors"],
    [516, "Code4xx Unknown512"],
    // Beyond 32 bits.
    [2 ** 40 + 1, "Code301 Unknown1099511627776"],
    [-1, ""]
  ])("%i is %s", (flags, names) => assert.strictEqual(issueNames(flags).join(" "), names))

  it("sorts URLs by links, then by URL, and counts all of them when some are cut", () => {
    const issues = listCrawlIssues({
      d: [
        { Url: "https://a/3", Issues: 4, HttpCode: 404, InLinks: 2 },
        { Url: "https://a/1", Issues: 20, HttpCode: 410, InLinks: 2 },
        { Url: "https://a/4", Issues: 128 },
        { Url: "https://a/2", Issues: 4, HttpCode: 404, InLinks: 9 }
      ]
    })
    const { has_more, issue_counts, issues: shown, issues_total, returned } = report([], listed(...issues), 3)
    assert.deepStrictEqual(shown, [
      { url: "https://a/2", http_code: 404, issues: ["Code4xx"], in_links: 9 },
      { url: "https://a/1", http_code: 410, issues: ["Code4xx", "BlockedByRobotsTxt"], in_links: 2 },
      { url: "https://a/3", http_code: 404, issues: ["Code4xx"], in_links: 2 }
    ])
    assert.deepStrictEqual({ has_more, issues_total, returned }, { has_more: true, issues_total: 4, returned: 3 })
    assert.deepStrictEqual(issue_counts, { Code4xx: 3, BlockedByRobotsTxt: 1, DnsErrors: 1 })
    assert.isFalse(report([], listed(...issues), 4).has_more)
  })
})

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
