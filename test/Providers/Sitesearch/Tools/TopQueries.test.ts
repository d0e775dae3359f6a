import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamError } from "../../../../src/Api/Errors/ProviderErrors.ts"
import { answers, responses, runTool, statsRow, url } from "../FakeSitesearch.ts"

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
          {
            query: "a",
            ...figures(4, 100, 0.04),
            previous: figures(1, 50, 0.02),
            change: figures(3, 50, 0.02, 0)
          },
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
