import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { accessToken, at, now, sandboxAt, send } from "../../SandboxFixture.ts"
import { blog, dayOf, get, post, type Row, rowsOf, shop } from "./Fixture.ts"

const total = (rows: ReadonlyArray<Row>, of: "Clicks" | "Impressions") => rows.reduce((sum, row) => sum + row[of], 0)
const datesOf = (rows: ReadonlyArray<Row>) => [...new Set(rows.map((row) => dayOf(row.Date)))]

const codeOf = (name: string) =>
  Effect.map(
    get("GetFeeds", { siteUrl: `https://${name}.sandbox.test` }),
    ({ headers, status, text }) => [status, at(text, "ErrorCode"), headers.get("retry-after")]
  )

const pagesOf = (query: string) => rowsOf("GetQueryPageStats", { query })

const quota = (siteUrl: string) =>
  Effect.map(
    get("GetUrlSubmissionQuota", { siteUrl }),
    ({ text }) => [at(text, "d", "DailyQuota"), at(text, "d", "MonthlyQuota")]
  )
const batch = (siteUrl: string, count: number) =>
  post("SubmitUrlBatch", { siteUrl, urlList: Array.from({ length: count }, (_, index) => `${siteUrl}${index}`) })

layer(sandboxAt(now))("Site search", (it) => {
  it.effect("lists two verified sites, an unverified one, and those of customers, with queries of their own", () =>
    Effect.gen(function*() {
      const { text } = yield* get("GetUserSites")
      const customer = "https://www.harbourmarket.example/"
      assert.deepStrictEqual(
        [0, 1, 2, 3].map((index) => [at(text, "d", index, "Url"), at(text, "d", index, "IsVerified")]),
        [[shop, true], [blog, true], ["https://old.fernhill.example/", false], [customer, true]]
      )
      const queries = yield* rowsOf("GetQueryStats", { siteUrl: customer })
      assert.lengthOf(queries, 2600)
      assert.isFalse(queries.some(({ Query }) => Query.includes("fernhill")))
    }))

  it.effect("has queries by week, oldest first, with whole positions", () =>
    Effect.gen(function*() {
      const rows = yield* rowsOf("GetQueryStats")
      const weeks = datesOf(rows)
      assert.lengthOf(weeks, 26)
      assert.deepStrictEqual(weeks, weeks.toSorted())
      assert.strictEqual(weeks.at(-1), "2026-03-13")
      for (const { AvgClickPosition, AvgImpressionPosition, Clicks } of rows) {
        assert.isTrue(Number.isInteger(AvgImpressionPosition) && Number(AvgImpressionPosition) >= 1)
        assert.strictEqual(AvgClickPosition === -1, Clicks === 0)
      }
    }))

  it.effect("writes days as midnight in Pacific time, winter and summer", () =>
    Effect.gen(function*() {
      const dates = (yield* rowsOf("GetRankAndTrafficStats")).map((row) => row.Date)
      assert.deepStrictEqual([dates.length, dates[0], dates.at(-1)], [
        180,
        "/Date(1758265200000-0700)/",
        "/Date(1773730800000-0700)/"
      ])
      assert.include(dates, "/Date(1768636800000-0800)/")
    }))

  it.effect("has pages of one site in the field Query, and fewer impressions of queries than of the site", () =>
    Effect.gen(function*() {
      for (const siteUrl of [shop, blog]) {
        assert.isTrue((yield* rowsOf("GetPageStats", { siteUrl })).every(({ Query }) => Query.startsWith(siteUrl)))
      }
      const rows = yield* rowsOf("GetQueryStats")
      assert.isBelow(total(rows, "Impressions"), total(yield* rowsOf("GetRankAndTrafficStats"), "Impressions"))
      assert.isAbove(total(rows, "Clicks"), 100)
    }))

  it.effect("has consistent pages of a query, queries of a page and days of a query", () =>
    Effect.gen(function*() {
      const query = "compost bin"
      const pages = yield* rowsOf("GetQueryPageStats", { query })
      assert.isAbove(pages.length, 10)
      const queries = yield* rowsOf("GetPageQueryStats", { page: `${shop}products/compost-bin` })
      const week = pages.at(-1)
      const same = queries.find((row) => row.Query === query && row.Date === week?.Date)
      assert.strictEqual(same?.Impressions, week?.Impressions)
      const days = yield* rowsOf("GetQueryTrafficStats", { query })
      const inWeek = days.filter((row) => dayOf(row.Date) > "2026-03-06" && dayOf(row.Date) <= "2026-03-13")
      const ofWeek = pages.filter((row) => row.Date === week?.Date)
      assert.strictEqual(total(inWeek, "Impressions"), total(ofWeek, "Impressions"))
    }))

  it.effect("reads a parameter in quotation marks as JSON", () =>
    Effect.gen(function*() {
      assert.isNotEmpty(yield* pagesOf(JSON.stringify("\"hori hori\" knife")))
      assert.deepStrictEqual(yield* pagesOf("\"compost bin\""), yield* pagesOf("compost bin"))
      assert.strictEqual((yield* get("GetQueryPageStats", { siteUrl: shop, query: "\"open" })).status, 500)
      assert.deepStrictEqual(yield* pagesOf("moon landing"), [])
    }))

  it.effect("has 180 days of crawl statistics whose codes add up", () =>
    Effect.gen(function*() {
      const rows = yield* rowsOf("GetCrawlStats")
      assert.lengthOf(rows, 180)
      assert.strictEqual(dayOf(rows.at(-1)?.Date ?? ""), "2026-03-17")
      for (const row of rows) {
        const codes = ["AllOtherCodes", "Code2xx", "Code301", "Code302", "Code4xx", "Code5xx"].map((code) =>
          Number(row[code])
        )
        assert.strictEqual(codes.reduce((sum, code) => sum + code, 0), row["CrawledPages"])
      }
      assert.isAbove(Number(rows.at(-1)?.["InIndex"]), Number(rows[0]?.["InIndex"]))
      assert.isTrue(rows.some((row) => Number(row["Code5xx"]) > 0))
    }))

  it.effect("has crawl issues with combined flags and an undocumented one, and a feed before its first crawl", () =>
    Effect.gen(function*() {
      const flags = (yield* rowsOf("GetCrawlIssues")).map((row) => Number(row["Issues"]))
      assert.includeMembers(flags, [4, 1, 18, 80, 264, 384, 516])
      const feeds = yield* rowsOf("GetFeeds", { siteUrl: blog })
      assert.deepStrictEqual(feeds.map((row) => [row["Type"], row["Status"], row["LastCrawled"]]), [
        ["Sitemap", "Success", "/Date(1773558000000-0700)/"],
        ["RSS", "Pending", "/Date(-62135568000000-0800)/"]
      ])
    }))

  it.effect("has 25 weeks of any keyword, starting on Saturdays", () =>
    Effect.gen(function*() {
      const rows = yield* rowsOf("GetKeywordStats", { q: "Compost Bin", country: "gb", language: "en-GB" })
      assert.lengthOf(rows, 25)
      assert.isTrue(
        rows.every((row) => row.Query === "Compost Bin" && Number(row["BroadImpressions"]) > row.Impressions)
      )
      assert.strictEqual(rows.at(-1)?.Date, "/Date(1772870400000)/")
      assert.deepStrictEqual(yield* rowsOf("GetKeywordStats", { q: "x".repeat(51) }), [])
      const elsewhere = yield* rowsOf("GetKeywordStats", { q: "compost bin", country: "de", language: "de-DE" })
      assert.notStrictEqual(elsewhere[0]?.Impressions, rows[0]?.Impressions)
    }))

  const invalidRequests: ReadonlyArray<readonly [string, string, Readonly<Record<string, string>>, number]> = [
    ["a wrong key", "GetUserSites", { apikey: "0".repeat(32) }, 3],
    ["an unverified site", "GetQueryStats", { siteUrl: "https://old.fernhill.example/" }, 14],
    ["another host", "GetQueryStats", { siteUrl: "https://fernhill.example/" }, 14],
    ["another scheme", "GetQueryStats", { siteUrl: "http://www.fernhill.example/" }, 14],
    ["an invalid URL", "GetQueryStats", { siteUrl: "fernhill" }, 7],
    ["a missing site", "GetQueryStats", {}, 7],
    ["a missing query", "GetQueryPageStats", { siteUrl: shop }, 8],
    ["a missing keyword", "GetKeywordStats", {}, 8]
  ]
  for (const [what, method, parameters, code] of invalidRequests) {
    it.effect(`rejects ${what} with code ${code}`, () =>
      Effect.gen(function*() {
        const { status, text } = yield* get(method, parameters)
        assert.deepStrictEqual([status, at(text, "ErrorCode")], [400, code])
        assert.match(String(at(text, "Message")), /^ERROR!!! \w+$/)
      }))
  }

  it.effect("accepts a site without its last slash, and no unknown operation or wrong method", () =>
    Effect.gen(function*() {
      assert.isNotEmpty(yield* rowsOf("GetFeeds", { siteUrl: shop.slice(0, -1) }))
      assert.strictEqual((yield* get("GetSites")).status, 404)
      assert.strictEqual((yield* post("GetUserSites", {})).status, 405)
    }))

  it.effect("accepts an OAuth token, for writes only with webmaster.manage", () =>
    Effect.gen(function*() {
      const path = "/webmaster/api.svc/json/"
      const json = { siteUrl: blog, url: `${blog}a` }
      const reader = yield* accessToken("sitesearch", scopes.webmasterRead)
      assert.strictEqual((yield* send("sitesearch", `${path}GetUserSites`, { token: reader })).status, 200)
      const denied = yield* send("sitesearch", `${path}SubmitUrl`, { token: reader, json })
      assert.strictEqual(at(denied.text, "ErrorCode"), 13)
      const manager = yield* accessToken("sitesearch", scopes.webmasterManage)
      assert.strictEqual((yield* send("sitesearch", `${path}SubmitUrl`, { token: manager, json })).status, 200)
      const unknown = yield* send("sitesearch", `${path}GetUserSites`, { token: "unknown" })
      assert.strictEqual(at(unknown.text, "ErrorCode"), 18)
      const none = yield* send("sitesearch", `${path}GetUserSites`)
      assert.strictEqual(at(none.text, "ErrorCode"), 3)
    }))

  it.effect("responds to faults with its own error codes", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* codeOf("permission-denied"), [400, 14, null])
      assert.deepStrictEqual(yield* codeOf("throttled"), [400, 4, null])
      assert.deepStrictEqual(yield* codeOf("throttled-retry-after"), [400, 4, "30"])
      assert.deepStrictEqual(yield* codeOf("refused-token"), [400, 3, null])
      assert.deepStrictEqual(yield* codeOf("server-error"), [500, 1, null])
    }))
})

layer(sandboxAt(now))("Submissions", (it) => {
  it.effect("use up the quota of the site until midnight UTC", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* quota(shop), [100, 1300])
      const submit = post("SubmitUrl", { siteUrl: shop, url: `${shop}products/new` })
      const first = yield* submit
      assert.deepStrictEqual([first.status, at(first.text)], [200, { d: null }])
      assert.strictEqual((yield* batch(shop, 98)).status, 200)
      assert.deepStrictEqual(yield* quota(shop), [1, 1201])
      const tooMany = yield* batch(shop, 2)
      assert.deepStrictEqual([tooMany.status, at(tooMany.text, "ErrorCode")], [400, 8])
      assert.include(tooMany.text, "ERROR!!! Quota remaining for today: 1, Submitted: 2")
      assert.strictEqual((yield* batch(shop, 1)).status, 200)
      const over = yield* submit
      assert.deepStrictEqual([over.status, at(over.text, "ErrorCode")], [400, 2])
      assert.include(over.text, "ERROR!!! You have exceeded your daily url submission quota : 100")
      assert.deepStrictEqual(yield* quota(blog), [100, 1300])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* quota(shop), [100, 1200])
    }))

  it.effect("are rejected for another host, an empty list and more than 500 URLs", () =>
    Effect.gen(function*() {
      const codes = yield* Effect.forEach([
        post("SubmitUrl", { siteUrl: blog, url: shop }),
        post("SubmitUrlBatch", { siteUrl: blog, urlList: [] }),
        batch(blog, 501)
      ], (answer) => Effect.map(answer, ({ text }) => at(text, "ErrorCode")))
      assert.deepStrictEqual(codes, [7, 8, 8])
      const { headers, status, text } = yield* post("SubmitUrl", { siteUrl: blog, url: 5 })
      assert.deepStrictEqual([status, headers.get("jsonerror"), at(text, "StackTrace")], [500, "true", null])
    }))
})
