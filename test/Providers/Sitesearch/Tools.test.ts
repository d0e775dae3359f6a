import { assert, describe, it } from "@effect/vitest"
import { Array, DateTime, Effect, Option, Predicate, Record } from "effect"
import { TestClock } from "effect/testing"
import type { TestContext } from "vitest"
import { CredentialsRejected, InvalidInput, UpstreamError, UpstreamUnreachable } from "../../../src/Api/Errors.ts"
import { validator } from "../../../src/Api/Issues.ts"
import { jsonSchemaOf } from "../../../src/Providers/JsonSchema.ts"
import type { RawInput } from "../../../src/Providers/Provider.ts"
import { sitesearchTools } from "../../../src/Providers/Sitesearch/Tools.ts"
import { fakeProvider } from "../../support/FakeProvider.ts"
import { disagreements, gapsOf, jsonSchemaAccepts } from "../../support/InputSchema.ts"
import { recording } from "./Recordings.ts"

const url = "https://example.com/"
const sites = {
  d: [{ Url: url, IsVerified: true, AuthenticationCode: "AUTHCODE258CAD36", DnsVerificationCode: "dnscode258cad36" }]
}
const stats = (Query: string, Clicks: number, Impressions = 100) => ({
  Query,
  Clicks,
  Impressions,
  AvgImpressionPosition: 4,
  AvgClickPosition: -1,
  Date: "/Date(1771574400000-0800)/"
})

const instant = (text: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(text))
const toolNamed = (name: string) => Option.getOrThrow(Array.findFirst(sitesearchTools, (tool) => tool.name === name))

/** Runs a tool as a call does, from the input as it came; by default on the evening of 20 February 2026 in California. */
const run = Effect.fnUntraced(function*(
  name: string,
  input: unknown,
  answer: (endpoint: string, input: RawInput) => unknown,
  now = "2026-02-21T05:00:00Z"
) {
  yield* TestClock.setTime(instant(now))
  const tool = toolNamed(name)
  const { calls, provider } = fakeProvider(answer)
  const decoded = yield* Effect.mapError(
    Effect.fromResult(validator(tool.input, ["input"])(input)),
    (details) => new InvalidInput({ details })
  )
  return { output: yield* tool.run(decoded, provider), calls }
})

const answers = (bodies: Readonly<Record<string, unknown>>) => (endpoint: string) =>
  endpoint === "GetUserSites" ? bodies[endpoint] ?? sites : bodies[endpoint]

const valid: Record<string, ReadonlyArray<unknown>> = {
  sitesearch_top_queries: [
    { site: "example.com" },
    { site: url, days: 7, limit: 1, offset: 0, contains: "" },
    { site: url, days: 180, limit: 500, offset: 500, contains: "brand" }
  ],
  sitesearch_top_pages: [{ site: "example.com" }, { site: url, contains: "a", path_contains: "/blog/" }],
  sitesearch_crawl_health: [{ site: "example.com" }, { site: url, days: 1, limit: 500 }],
  sitesearch_list_sites: [{}, { verified_only: true }]
}

describe("Site search tools", () => {
  it("are those of the specification, and none writes", () => {
    assert.deepStrictEqual(sitesearchTools.map(({ name, writes }) => ({ name, writes })), [
      { name: "sitesearch_top_queries", writes: false },
      { name: "sitesearch_top_pages", writes: false },
      { name: "sitesearch_crawl_health", writes: false },
      { name: "sitesearch_list_sites", writes: false }
    ])
  })

  it.each(sitesearchTools)("$name has a valid, closed, flat and described input_schema", ({ input, name }) => {
    const schema = jsonSchemaOf(input)
    jsonSchemaAccepts(schema)
    assert.deepStrictEqual(gapsOf(schema), [])
    assert.notMatch(JSON.stringify(schema), /"(?:oneOf|anyOf|\$ref)"/)
    assert.deepStrictEqual(disagreements(input, valid[name] ?? []), [])
  })

  it.each([
    {
      name: "sitesearch_top_queries",
      fields: ["site", "days 30 (7 to 180)", "limit 25 (1 to 500)", "offset 0 (0 to 100000)", "contains"]
    },
    {
      name: "sitesearch_top_pages",
      fields: [
        "site",
        "days 30 (7 to 180)",
        "limit 25 (1 to 500)",
        "offset 0 (0 to 100000)",
        "contains",
        "path_contains"
      ]
    },
    { name: "sitesearch_crawl_health", fields: ["site", "days 30 (1 to 180)", "limit 50 (1 to 500)"] },
    { name: "sitesearch_list_sites", fields: ["verified_only false"] }
  ])("$name takes $fields", ({ fields, name }) => {
    const { properties } = jsonSchemaOf(toolNamed(name).input)
    assert.deepStrictEqual(
      Object.entries(Object(properties)).map(([name, field]) => {
        const { default: value, maximum, minimum } = Object(field)
        return `${name}${value === undefined ? "" : ` ${value}`}${
          minimum === undefined ? "" : ` (${minimum} to ${maximum})`
        }`
      }),
      fields
    )
  })

  it.each([
    {
      name: "sitesearch_top_queries",
      facts: [
        /updates weekly.*lags/,
        /Window: .*today, Pacific.*6 days/,
        /`ctr` is a fraction/,
        /Sort order: clicks, then impressions/,
        /at most `limit`.*`has_more`.*top queries only/,
        /Empty: .*`note`/,
        /See also `sitesearch_top_pages`/,
        /`GetRankAndTrafficStats`/
      ]
    },
    {
      name: "sitesearch_top_pages",
      facts: [
        /updates weekly.*lags/,
        /Window: .*today, Pacific.*6 days/,
        /`ctr` is a fraction/,
        /Sort order: clicks, then impressions/,
        /at most `limit`.*`has_more`.*top pages only/,
        /Empty: .*`note`/,
        /See also `sitesearch_top_queries`/
      ]
    },
    {
      name: "sitesearch_crawl_health",
      facts: [
        /daily and lag/,
        /Window: .*yesterday, Pacific.*6 months/,
        /counts as of `latest_day`.*sum over the window/,
        /Sort order: `issues` by `in_links`/,
        /at most `limit`.*`has_more`/,
        /Empty: `issues_measured` is false.*not the same as no issues/,
        /page content.*never/,
        /See also `sitesearch_list_sites`/
      ]
    },
    {
      name: "sitesearch_list_sites",
      facts: [/Freshness/, /Sorted by URL/, /never cut/, /Empty: .*`note`/, /other `sitesearch_` tools/]
    }
  ])("the description of $name says what an agent has to know", ({ facts, name }) => {
    for (const fact of facts) assert.match(toolNamed(name).description, fact)
  })
})

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

describe("Verification codes", () => {
  it.effect.each(sitesearchTools)("$name never shows them", ({ name }) =>
    Effect.gen(function*() {
      const bodies = {
        GetQueryStats: { d: [] },
        GetPageStats: { d: [] },
        GetCrawlStats: { d: [] },
        GetCrawlIssues: sites
      }
      const input = name === "sitesearch_list_sites" ? {} : { site: url }
      const { output } = yield* run(name, input, answers(bodies))
      assert.notMatch(JSON.stringify(output), /code258cad36/i)
      if (name === "sitesearch_list_sites") return
      const error = yield* Effect.flip(run(name, { site: "other.example" }, answers(bodies)))
      assert.notMatch(JSON.stringify(error), /code258cad36/i)
    }))

  it.effect("an answer of an unknown form does not show them", () =>
    Effect.gen(function*() {
      const odd = { d: [{ ...sites.d[0], Url: null }] }
      const error = yield* Effect.flip(run("sitesearch_list_sites", {}, answers({ GetUserSites: odd })))
      assert.instanceOf(error, UpstreamError)
      assert.strictEqual(error.status, 502)
      assert.notMatch(JSON.stringify([error, error.details]), /code258cad36/i)
    }))
})

const recorded = (context: TestContext, bodies: Readonly<Record<string, string>>) =>
  answers(Record.map(bodies, (name) => recording(context, name).body))

describe("Recorded answers", () => {
  it.effect("the crawl statistics of a small site, and its empty list of issues", (context) =>
    Effect.gen(function*() {
      const bodies = recorded(context, {
        GetCrawlStats: "merj__test_get_crawl_stats",
        GetCrawlIssues: "merj__test_get_crawl_issues"
      })
      const { output } = yield* run("sitesearch_crawl_health", { site: url }, bodies, "2024-11-14T09:22:32Z")
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

  it.effect("the documented crawl issue", (context) =>
    Effect.gen(function*() {
      const bodies = recorded(context, {
        GetCrawlStats: "merj__test_get_crawl_stats",
        GetCrawlIssues: "ms-learn__GetCrawlIssues"
      })
      const { output } = yield* run("sitesearch_crawl_health", { site: url }, bodies, "2024-11-14T09:22:32Z")
      assert.deepInclude(output, {
        issue_counts: { ContainsMalware: 1 },
        issues: [{ url: "http://example.com/url1.htm", http_code: 200, issues: ["ContainsMalware"], in_links: 10 }],
        issues_measured: true
      })
    }))

  it.effect("the documented query", (context) =>
    Effect.gen(function*() {
      const bodies = recorded(context, {
        GetUserSites: "ms-learn__GetUserSites",
        GetQueryStats: "ms-learn__GetQueryStats"
      })
      const { output } = yield* run("sitesearch_top_queries", { site: "example.com" }, bodies, "2014-05-05T12:00:00Z")
      assert.deepInclude(output, {
        site: "http://example.com",
        latest_bucket: "2014-05-03",
        rows: [{ query: "www.getevents.co", clicks: 0, impressions: 1, ctr: 0, position: 27 }]
      })
    }))

  it.effect("the documented page, long after", (context) =>
    Effect.gen(function*() {
      const bodies = recorded(context, {
        GetUserSites: "ms-learn__GetUserSites",
        GetPageStats: "ms-learn__GetPageStats"
      })
      const { output } = yield* run("sitesearch_top_pages", { site: "example.com" }, bodies)
      assert.deepInclude(output, { buckets: 0, latest_bucket: "2011-09-16", rows: [], total: 0 })
    }))

  it.effect("the documented sites", (context) =>
    Effect.gen(function*() {
      const bodies = recorded(context, { GetUserSites: "ms-learn__GetUserSites" })
      const { output } = yield* run("sitesearch_list_sites", {}, bodies)
      assert.deepStrictEqual(output, { sites: [{ url: "http://example.com", verified: false }], total: 1 })
    }))
})
