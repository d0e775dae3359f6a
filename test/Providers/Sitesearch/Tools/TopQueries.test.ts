import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { InvalidInput, UpstreamError } from "../../../../src/Api/Errors.ts"
import { responses, runTool, statsRow, url } from "../FakeSitesearch.ts"

const daysEarlier = (row: ReturnType<typeof statsRow>, days: number) => ({
  ...row,
  Date: `/Date(${1_771_574_400_000 - days * 86_400_000}-0800)/`
})

describe("sitesearch_top_queries", () => {
  it.effect("returns the top queries of the window", () =>
    Effect.gen(function*() {
      const { calls, output } = yield* runTool(
        "sitesearch_top_queries",
        { site: "example.com", limit: 2 },
        responses({ GetQueryStats: { d: [statsRow("a", 1), statsRow("c", 9), statsRow("b", 9, 200)] } })
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

  it.effect.each([
    { input: { start: "2026-02-20", end: "2026-02-20" }, total: 1, note: "buckets from 2026-02-20 to 2026-02-20." },
    { input: { start: "2026-03-01", end: "2026-03-31" }, total: 0, note: "No bucket lies in the window." },
    { input: { start: "2026-01-01", end: "2026-01-31" }, total: 0, note: "No bucket lies in the window." }
  ])("counts the buckets of $input", ({ input, note, total }) =>
    Effect.gen(function*() {
      const { output } = yield* runTool(
        "sitesearch_top_queries",
        { site: url, ...input },
        responses({ GetQueryStats: { d: [statsRow("a", 1)] } })
      )
      assert.deepInclude(output, { ...input, total })
      assert.match(String(Object(output)["note"]), new RegExp(`${note}$`))
    }))

  it.effect("compare adds the figures of the window before from the same response", () =>
    Effect.gen(function*() {
      const rows = [
        statsRow("a", 4),
        statsRow("new", 2),
        daysEarlier(statsRow("a", 1, 50), 7),
        daysEarlier(statsRow("a", 2, 50), 14)
      ]
      const { calls, output } = yield* runTool(
        "sitesearch_top_queries",
        { site: url, days: 7, compare: "previous_period" },
        responses({ GetQueryStats: { d: rows } })
      )
      assert.deepInclude(output, {
        previous_start: "2026-02-07",
        previous_end: "2026-02-13",
        rows: [
          {
            query: "a",
            clicks: 4,
            impressions: 100,
            ctr: 0.04,
            position: 4,
            previous: { clicks: 1, impressions: 50, ctr: 0.02, position: 4 },
            change: { clicks: 3, impressions: 50, ctr: 0.02, position: 0 }
          },
          {
            query: "new",
            clicks: 2,
            impressions: 100,
            ctr: 0.02,
            position: 4,
            previous: { clicks: 0, impressions: 0, ctr: null, position: null },
            change: { clicks: 2, impressions: 100, ctr: null, position: null }
          }
        ]
      })
      assert.notInclude(Object(output)["note"], "previous window")
      assert.lengthOf(calls, 2)
    }))

  it.effect.each([
    {
      input: { compare: "previous_year" },
      note: "The previous window, 2025-01-22 to 2025-02-20, has no bucket: the first of all is 2026-02-06. " +
        "So `previous` is null."
    },
    {
      input: { days: 14, compare: "previous_period" },
      note:
        "The previous window, 2026-01-24 to 2026-02-06, has 1 bucket, this one 2. The first bucket of all is 2026-02-06."
    }
  ])("a previous window that is not covered is told ($input)", ({ input, note }) =>
    Effect.gen(function*() {
      const rows = [statsRow("a", 4), daysEarlier(statsRow("a", 1), 7), daysEarlier(statsRow("a", 2), 14)]
      const { output } = yield* runTool(
        "sitesearch_top_queries",
        { site: url, ...input },
        responses({ GetQueryStats: { d: rows } })
      )
      assert.include(Object(output)["note"], note)
    }))

  it.effect("contains ignores case", () =>
    Effect.gen(function*() {
      const { output } = yield* runTool(
        "sitesearch_top_queries",
        { site: url, contains: "BRAND" },
        responses({ GetQueryStats: { d: [statsRow("the Brand shop", 1), statsRow("else", 9)] } })
      )
      assert.deepInclude(output, {
        total: 1,
        rows: [{ query: "the Brand shop", clicks: 1, impressions: 100, ctr: 0.01, position: 4 }]
      })
    }))

  it.effect("reads numbers sent as floats and as text", () =>
    Effect.gen(function*() {
      const { output } = yield* runTool(
        "sitesearch_top_queries",
        { site: url },
        responses({ GetQueryStats: { d: [{ ...statsRow("a", 3.0), Impressions: "12", AvgImpressionPosition: "2" }] } })
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
      const error = yield* Effect.flip(runTool("sitesearch_top_queries", input, responses({})))
      assert.instanceOf(error, InvalidInput)
      assert.deepStrictEqual(error.details?.map(({ path }) => path), [at])
    }))

  it.effect("fails with the provider's error and says when the site is not verified", () =>
    Effect.gen(function*() {
      const body = { ErrorCode: 14, Message: "ERROR!!! NotAuthorized" }
      const refused = new UpstreamError({ status: 400, message: "NotAuthorized.", details: body })
      const failing = (verified: boolean) =>
        Effect.flip(
          runTool(
            "sitesearch_top_queries",
            { site: url },
            (endpoint) =>
              endpoint === "GetUserSites" ? { d: [{ Url: url, IsVerified: verified }] } : Effect.fail(refused)
          )
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
