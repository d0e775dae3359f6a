import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { CredentialsRejected, InvalidInput, UpstreamError, UpstreamUnreachable } from "../../../src/Api/Errors.ts"
import { answers, run, sites, stats, url } from "./RunTool.ts"

describe("sitesearch_top_queries", () => {
  it.effect("answers with the top queries of the window", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run(
        "sitesearch_top_queries",
        { site: "example.com", limit: 2 },
        answers({ GetQueryStats: { d: [stats("a", 1), stats("c", 9), stats("b", 9, 200)] } })
      )
      assert.deepStrictEqual(output, {
        site: url,
        start: "2026-01-22",
        end: "2026-02-20",
        buckets: 1,
        first_bucket: "2026-02-20",
        latest_bucket: "2026-02-20",
        rows: [
          { query: "b", clicks: 9, impressions: 200, ctr: 0.045, position: 4 },
          { query: "c", clicks: 9, impressions: 100, ctr: 0.09, position: 4 }
        ],
        total: 3,
        returned: 2,
        has_more: true,
        next_offset: 2,
        note:
          "The source is weekly: a bucket counts when its date lies in the window, so the edges are approximate by " +
          "up to 6 days. The latest bucket is 2026-02-20."
      })
      assert.deepStrictEqual(calls, [
        { endpoint: "GetUserSites", input: {} },
        { endpoint: "GetQueryStats", input: { query: { siteUrl: url } } }
      ])
    }))

  it.effect("contains finds text in whatever case", () =>
    Effect.gen(function*() {
      const { output } = yield* run(
        "sitesearch_top_queries",
        { site: url, contains: "BRAND" },
        answers({ GetQueryStats: { d: [stats("the Brand shop", 1), stats("else", 9)] } })
      )
      assert.deepInclude(output, {
        total: 1,
        rows: [{ query: "the Brand shop", clicks: 1, impressions: 100, ctr: 0.01, position: 4 }]
      })
    }))

  it.effect("numbers may come as floats and as text", () =>
    Effect.gen(function*() {
      const { output } = yield* run(
        "sitesearch_top_queries",
        { site: url },
        answers({ GetQueryStats: { d: [{ ...stats("a", 3.0), Impressions: "12", AvgImpressionPosition: "2" }] } })
      )
      assert.deepInclude(output, { rows: [{ query: "a", clicks: 3, impressions: 12, ctr: 0.25, position: 2 }] })
    }))

  it.effect.each([
    { input: {}, at: ["input", "site"] },
    { input: { site: "" }, at: ["input", "site"] },
    { input: { site: url, days: 6 }, at: ["input", "days"] },
    { input: { site: url, limit: 501 }, at: ["input", "limit"] },
    { input: { site: url, offset: -1 }, at: ["input", "offset"] },
    { input: { site: url, path_contains: "/" }, at: ["input", "path_contains"] },
    { input: { site: "other.example" }, at: ["input", "site"] }
  ])("refuses $input", ({ at, input }) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(run("sitesearch_top_queries", input, answers({})))
      assert.instanceOf(error, InvalidInput)
      assert.deepStrictEqual(error.details?.map(({ path }) => path), [at])
    }))

  it.effect("what the provider refuses is its error, with the reason where the site is not verified", () =>
    Effect.gen(function*() {
      const body = { ErrorCode: 14, Message: "ERROR!!! NotAuthorized" }
      const refused = new UpstreamError({ status: 400, message: "NotAuthorized.", details: body })
      const failing = (verified: boolean) =>
        Effect.flip(
          run("sitesearch_top_queries", { site: url }, (endpoint) =>
            endpoint === "GetUserSites" ? { d: [{ Url: url, IsVerified: verified }] } : Effect.fail(refused))
        )
      assert.strictEqual(yield* failing(true), refused)
      const explained = yield* failing(false)
      assert.instanceOf(explained, UpstreamError)
      assert.deepStrictEqual({ status: explained.status, message: explained.message, details: explained.details }, {
        status: 400,
        message: "NotAuthorized. https://example.com/ is on the account, but not verified.",
        details: body
      })
    }))
})

describe("sitesearch_top_pages", () => {
  it.effect("the URL of a page is in the field Query", () =>
    Effect.gen(function*() {
      const pages = [stats("https://example.com/Blog/a?x=/shop/", 2), stats("https://example.com/shop/", 5)]
      const { calls, output } = yield* run(
        "sitesearch_top_pages",
        { site: url },
        answers({ GetPageStats: { d: pages } })
      )
      assert.deepInclude(output, {
        rows: [
          { page: "https://example.com/shop/", clicks: 5, impressions: 100, ctr: 0.05, position: 4 },
          { page: "https://example.com/Blog/a?x=/shop/", clicks: 2, impressions: 100, ctr: 0.02, position: 4 }
        ]
      })
      assert.deepStrictEqual(calls.map(({ endpoint }) => endpoint), ["GetUserSites", "GetPageStats"])
    }))

  it.effect.each([
    { input: { path_contains: "/shop/" }, total: 1, why: "the path alone" },
    { input: { contains: "/shop/" }, total: 2, why: "the whole URL" },
    { input: { path_contains: "example.com" }, total: 0, why: "no host in the path" },
    { input: { contains: "example.com", path_contains: "/BLOG/" }, total: 1, why: "both" },
    { input: { contains: "", path_contains: "" }, total: 2, why: "neither" }
  ])("$input leaves $total ($why)", ({ input, total }) =>
    Effect.gen(function*() {
      const pages = [stats("https://example.com/Blog/a?x=/shop/", 2), stats("https://example.com/shop/", 5)]
      const { output } = yield* run(
        "sitesearch_top_pages",
        { site: url, ...input },
        answers({ GetPageStats: { d: pages } })
      )
      assert.deepInclude(output, { total })
    }))
})

describe("path_contains", () => {
  it.effect.each([
    { page: "https://example.com/größe/", text: "/GRÖßE/" },
    { page: "https://example.com/gr%C3%B6%C3%9Fe/", text: "gr%C3%B6" },
    { page: "example.com/bare", text: "/bare" }
  ])("finds $text in $page", ({ page, text }) =>
    Effect.gen(function*() {
      const bodies = answers({ GetPageStats: { d: [stats(page, 1)] } })
      const { output } = yield* run("sitesearch_top_pages", { site: url, path_contains: text }, bodies)
      assert.deepInclude(output, { total: 1 })
    }))
})

describe("sitesearch_crawl_health", () => {
  const statistics = {
    d: [
      { Date: "/Date(1771401600000-0800)/", InIndex: 10, CrawledPages: 3 },
      { Date: "/Date(1771488000000-0800)/", InIndex: 12, CrawledPages: 4, Code4xx: 1 },
      { Date: "/Date(1771574400000-0800)/", InIndex: 13, CrawledPages: 1 }
    ]
  }
  const issues = { d: [{ Url: "https://example.com/x", HttpCode: 404, Issues: 4, InLinks: 2 }] }

  it.effect("sums up whole days: the window ends yesterday", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run(
        "sitesearch_crawl_health",
        { site: "example.com", days: 2 },
        answers({ GetCrawlStats: statistics, GetCrawlIssues: issues })
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

  it.effect.each([
    { error: new UpstreamError({ status: 400, message: "ThrottleUser", details: { ErrorCode: 4 } }) },
    { error: new UpstreamUnreachable({ message: "no answer" }) }
  ])("when the issues fail, the statistics are the answer", ({ error }) =>
    Effect.gen(function*() {
      const { output } = yield* run("sitesearch_crawl_health", { site: url }, (endpoint) =>
        endpoint === "GetCrawlIssues" ? Effect.fail(error) : answers({ GetCrawlStats: statistics })(endpoint))
      assert.deepInclude(output, {
        in_index: 12,
        crawled_pages: 7,
        issues: [],
        issues_measured: false,
        issues_error: error.message
      })
    }))

  it.effect("when the statistics fail, the call fails", () =>
    Effect.gen(function*() {
      const error = new CredentialsRejected({ details: { ErrorCode: 3 } })
      const failed = yield* Effect.flip(
        run("sitesearch_crawl_health", { site: url }, (endpoint) =>
          endpoint === "GetCrawlStats" ? Effect.fail(error) : answers({ GetCrawlIssues: issues })(endpoint))
      )
      assert.strictEqual(failed, error)
    }))
})

describe("sitesearch_list_sites", () => {
  const account = {
    d: [
      { ...sites.d[0], Url: "https://b.example/" },
      { ...sites.d[0], Url: "https://c.example/", IsVerified: false },
      { ...sites.d[0], Url: "https://a.example/" }
    ]
  }

  it.effect("lists sites by URL, without their verification codes", () =>
    Effect.gen(function*() {
      const { output } = yield* run("sitesearch_list_sites", {}, answers({ GetUserSites: account }))
      assert.deepStrictEqual(output, {
        sites: [
          { url: "https://a.example/", verified: true },
          { url: "https://b.example/", verified: true },
          { url: "https://c.example/", verified: false }
        ],
        total: 3
      })
    }))

  it.effect("verified_only leaves the others out", () =>
    Effect.gen(function*() {
      const { output } = yield* run(
        "sitesearch_list_sites",
        { verified_only: true },
        answers({ GetUserSites: account })
      )
      assert.deepInclude(output, { total: 2 })
    }))

  it.effect.each([
    { why: "no site", body: { d: null }, note: /no sites/ },
    { why: "no verified site", body: { d: [{ Url: url }] }, note: /None .* is verified; without .* there are 1/ }
  ])("$why is an answer with a note", ({ body, note }) =>
    Effect.gen(function*() {
      const { output } = yield* run("sitesearch_list_sites", { verified_only: true }, answers({ GetUserSites: body }))
      assert.deepInclude(output, { sites: [], total: 0 })
      assert.match(Predicate.hasProperty(output, "note") ? String(output.note) : "", note)
    }))
})
