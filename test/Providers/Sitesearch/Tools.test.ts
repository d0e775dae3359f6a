import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../src/Api/Errors/ProviderErrors.ts"
import { sitesearchTools } from "../../../src/Providers/Sitesearch/Tools.ts"
import { answers, responses, runTool, siteList, statsRow, url } from "./FakeSitesearch.ts"

const site = url

const daysEarlier = (row: ReturnType<typeof statsRow>, days: number) => ({
  ...row,
  Date: `/Date(${1_771_574_400_000 - days * 86_400_000}-0800)/`
})

const rows = (...d: ReadonlyArray<unknown>) => ({ GetQueryStats: { d } })

const one = rows(statsRow("a", 1))
const weekly = rows(statsRow("a", 4), daysEarlier(statsRow("a", 1), 7), daysEarlier(statsRow("a", 2), 14))

const figures = (clicks: number, impressions: number, ctr: number | null, position: number | null = 4) => ({
  clicks,
  impressions,
  ctr,
  position
})

describe("sitesearch_top_queries", () => {
  it.effect("returns the top queries of the window", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* runTool(
        "sitesearch_top_queries",
        { site: "example.com", limit: 2 },
        responses(rows(statsRow("a", 1), statsRow("c", 9), statsRow("b", 9, 200)))
      )
      assert.deepStrictEqual(output, {
        site,
        start: "2026-01-22",
        end: "2026-02-20",
        buckets: 1,
        first_bucket: "2026-02-20",
        latest_bucket: "2026-02-20",
        rows: [{ query: "b", ...figures(9, 200, 0.045) }, { query: "c", ...figures(9, 100, 0.09) }],
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

  answers("sitesearch_top_queries", {
    "counts the bucket of a day": {
      input: { site, start: "2026-02-20", end: "2026-02-20" },
      bodies: one,
      output: { start: "2026-02-20", total: 1, note: /buckets from 2026-02-20 to 2026-02-20.$/ }
    },
    "counts no bucket after the window": {
      input: { site, start: "2026-01-01", end: "2026-01-31" },
      bodies: one,
      output: { total: 0, note: /No bucket lies in the window.$/ }
    },
    "tells a previous window without buckets": {
      input: { site, compare: "previous_year" },
      bodies: weekly,
      output: {
        note:
          /The previous window, 2025-01-22 to 2025-02-20, has no bucket: the first of all is 2026-02-06. So `previous` is null./
      }
    },
    "reads numbers sent as floats and as text": {
      input: { site },
      bodies: rows({ ...statsRow("a", 3.0), Impressions: "12", AvgImpressionPosition: "2" }),
      output: { rows: [{ query: "a", ...figures(3, 12, 0.25, 2) }] }
    }
  })

  it.effect("compare adds the figures of the window before from the same response", () =>
    Effect.gen(function*() {
      const bodies = rows(
        statsRow("a", 4),
        statsRow("new", 2),
        daysEarlier(statsRow("a", 1, 50), 7),
        daysEarlier(statsRow("a", 2, 50), 14)
      )
      const input = { site, days: 7, compare: "previous_period" }
      const { calls, output } = yield* runTool("sitesearch_top_queries", input, responses(bodies))
      assert.deepInclude(output, {
        previous_start: "2026-02-07",
        previous_end: "2026-02-13",
        rows: [
          { query: "a", ...figures(4, 100, 0.04), previous: figures(1, 50, 0.02), change: figures(3, 50, 0.02, 0) },
          {
            query: "new",
            ...figures(2, 100, 0.02),
            previous: figures(0, 0, null, null),
            change: figures(2, 100, null, null)
          }
        ]
      })
      assert.notInclude(Object(output)["note"], "previous window")
      assert.lengthOf(calls, 2)
    }))

  it.effect("fails with the provider's error and says when the site is not verified", () =>
    Effect.gen(function*() {
      const details = { ErrorCode: 14, Message: "ERROR!!! NotAuthorized" }
      const refused = new UpstreamError({ status: 400, message: "NotAuthorized.", details })
      const failing = (IsVerified: boolean) =>
        Effect.flip(
          runTool(
            "sitesearch_top_queries",
            { site },
            (endpoint) => endpoint === "GetUserSites" ? { d: [{ Url: url, IsVerified }] } : Effect.fail(refused)
          )
        )
      assert.strictEqual(yield* failing(true), refused)
      const { message, ...explained } = Object(yield* failing(false))
      assert.strictEqual(message, "NotAuthorized. https://example.com/ is on the account, but not verified.")
      assert.deepInclude(explained, { status: 400, details })
    }))
})

describe("sitesearch_top_pages", () => {
  const pages = [statsRow("https://example.com/Blog/a?x=/shop/", 2), statsRow("https://example.com/shop/", 5)]
  const run = (input: object, d: ReadonlyArray<unknown> = pages) =>
    runTool("sitesearch_top_pages", { site, ...input }, responses({ GetPageStats: { d } }))

  it.effect("reads the URL of a page from the field Query", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* run({})
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
    { input: { path_contains: "/GRÖßE/" }, page: "https://example.com/größe/", total: 1, why: "in any case" },
    { input: { path_contains: "gr%C3%B6" }, page: "https://example.com/gr%C3%B6%C3%9Fe/", total: 1, why: "encoded" },
    { input: { contains: "/Größe 1" }, page: "https://example.com/gr%C3%B6%C3%9Fe%201", total: 1, why: "readable" },
    { input: { contains: "gr%c3%b6" }, page: "https://example.com/größe/", total: 1, why: "readable page" },
    { input: { contains: "%FC\ud800 %" }, total: 0, why: "no UTF-8" }
  ])("$input matches $total ($why)", ({ input, page, total }) =>
    Effect.gen(function*() {
      const { output } = yield* run(input, page === undefined ? pages : [statsRow(page, 1)])
      assert.deepInclude(output, { total })
    }))
})

describe("sitesearch_list_sites", () => {
  const sites = { b: true, c: false, a: true }
  const bodies = {
    GetUserSites: {
      d: Object.entries(sites).map(([name, IsVerified]) => ({
        ...siteList.d[0],
        Url: `https://${name}.example/`,
        IsVerified
      }))
    }
  }
  const verified_only = true

  answers("sitesearch_list_sites", {
    "lists sites by URL, without their verification codes": {
      input: {},
      bodies,
      output: {
        sites: [
          { url: "https://a.example/", verified: true },
          { url: "https://b.example/", verified: true },
          { url: "https://c.example/", verified: false }
        ],
        total: 3,
        note: undefined
      }
    },
    "verified_only leaves out sites that are not verified": { input: { verified_only }, bodies, output: { total: 2 } },
    "adds a note when there is no site": {
      input: { verified_only },
      bodies: { GetUserSites: { d: null } },
      output: { sites: [], total: 0, note: /no sites/ }
    },
    "adds a note when there is no verified site": {
      input: { verified_only },
      bodies: { GetUserSites: { d: [{ Url: url }] } },
      output: { sites: [], total: 0, note: /None .* is verified; without .* there are 1/ }
    }
  })
})

describe("Verification codes", () => {
  it.effect.each(sitesearchTools)("$name never returns them", ({ name }) =>
    Effect.gen(function*() {
      const none = { d: [] }
      const bodies = responses({
        GetQueryStats: none,
        GetPageStats: none,
        GetCrawlStats: none,
        GetCrawlIssues: siteList
      })
      const input = name === "sitesearch_list_sites" ? {} : { site: url }
      const { output } = yield* runTool(name, input, bodies)
      assert.notMatch(JSON.stringify(output), /code258cad36/i)
      if (name === "sitesearch_list_sites") return
      const error = yield* Effect.flip(runTool(name, { site: "other.example" }, bodies))
      assert.notMatch(JSON.stringify(error), /code258cad36/i)
    }))

  it.effect("an error for an unexpected response does not show them", () =>
    Effect.gen(function*() {
      const odd = { d: [{ ...siteList.d[0], Url: null }] }
      const error = yield* Effect.flip(runTool("sitesearch_list_sites", {}, responses({ GetUserSites: odd })))
      assert.instanceOf(error, UpstreamError)
      assert.strictEqual(error.status, 502)
      assert.notMatch(JSON.stringify([error, error.details]), /code258cad36/i)
    }))
})
