import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { getQueryTrafficStats, sitesearchEndpoints } from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { wrongAt } from "../../support/EndpointSuite.ts"
import { findDisagreements } from "../../support/InputSchema.ts"

const siteUrl = "https://example.com/"
const ofSite = [
  { query: { siteUrl } },
  { query: { siteUrl: "http://example.com" } },
  { query: { siteUrl: "example.com" } },
  { query: { siteUrl: "https://bücher.example/größe?a=b&c=d#e" } }
]
const ofQuery = [
  { query: { siteUrl, query: "python" } },
  { query: { siteUrl, query: "\"exact phrase\" -not" } },
  { query: { siteUrl, query: "c++ & c# 100% 🚀" } }
]

const valid: Record<string, ReadonlyArray<unknown>> = {
  GetUserSites: [{}],
  GetQueryStats: ofSite,
  GetPageStats: ofSite,
  GetRankAndTrafficStats: ofSite,
  GetQueryPageStats: ofQuery,
  GetPageQueryStats: [{ query: { siteUrl, page: "http://example.com/url1.html" } }],
  GetQueryTrafficStats: ofQuery,
  GetCrawlStats: ofSite,
  GetCrawlIssues: ofSite,
  GetFeeds: ofSite,
  GetUrlSubmissionQuota: ofSite,
  GetKeywordStats: [
    { query: { q: "python", country: "us", language: "en-US" } },
    { query: { q: "\"python\"" } }
  ],
  SubmitUrl: [
    { body: { siteUrl, url: "https://example.com/url1.html" } },
    { body: { siteUrl: "example.com", url: "HTTP://EXAMPLE.COM" } },
    { body: { siteUrl, url: "https://bücher.example/a b?c=d" } }
  ],
  SubmitUrlBatch: [
    { body: { siteUrl, urlList: ["http://example.com/url1"] } },
    { body: { siteUrl, urlList: Array.from({ length: 500 }, (_, page) => `http://example.com/${page}`) } },
    { body: { siteUrl, urlList: ["http://example.com/url1", "http://example.com/url1"] } }
  ]
}

const isForeign = (message: string) => message.startsWith("Expected a URL on the site")

describe("Site search endpoints", () => {
  it("accept either scope for reads and only webmaster.manage for writes", () => {
    for (const { scopes, writes } of sitesearchEndpoints) {
      assert.deepStrictEqual(scopes, writes ? ["webmaster.manage"] : ["webmaster.read", "webmaster.manage"])
    }
  })

  describe.each(sitesearchEndpoints)("$id", ({ id, input }) => {
    it("accepts exactly what its input_schema does, except for URLs of another site", () => {
      assert.isNotEmpty(valid[id])
      assert.deepStrictEqual(findDisagreements(input, valid[id] ?? [], isForeign), [])
    })

    it("refuses credentials from the caller", () => {
      const example = Object((valid[id] ?? [])[0])
      const result = validator(input)({ ...example, query: { ...example.query, apikey: "x" } })
      const at = id === "GetUserSites" || id.startsWith("Submit") ? ["query"] : ["query", "apikey"]
      const [issue] = Option.getOrThrow(Result.getFailure(result))
      assert.deepStrictEqual(issue?.path, at)
      assert.match(issue?.message ?? "", /^Unknown field/)
    })
  })

  it.each([
    { value: "python", sent: "python" },
    { value: "say \"cheese\"", sent: "say \"cheese\"" },
    { value: "\"exact phrase\"", sent: "\"\\\"exact phrase\\\"\"" },
    { value: "\"", sent: "\"\\\"\"" },
    { value: " \t\"a\\b\"", sent: "\" \\t\\\"a\\\\b\\\"\"" },
    { value: "\u0085\"a\"", sent: "\"\u0085\\\"a\\\"\"" },
    { value: "“typographic”", sent: "“typographic”" }
  ])("sends the query $value as $sent, which the provider reads as $value", ({ sent, value }) => {
    const input = Result.getOrThrow(validator(getQueryTrafficStats.input)({ query: { siteUrl, query: value } }))
    assert.deepStrictEqual(input, { query: { siteUrl, query: sent } })
    assert.strictEqual(readByProvider(sent), value)
  })

  const refused: ReadonlyArray<readonly [id: string, input: object, at: string]> = [
    ["GetUserSites", { query: {} }, "query"],
    ["GetQueryStats", {}, "query"],
    ["GetQueryStats", { query: {} }, "query.siteUrl"],
    ["GetQueryStats", { query: { siteUrl: "" } }, "query.siteUrl"],
    ["GetQueryStats", { query: { siteUrl: "  " } }, "query.siteUrl"],
    ["GetQueryStats", { query: { siteurl: siteUrl, siteUrl } }, "query.siteurl"],
    ["GetPageStats", { query: { siteUrl, startDate: "2026-01-01" } }, "query.startDate"],
    ["GetPageStats", { query: { siteUrl }, body: {} }, "body"],
    ["GetQueryPageStats", { query: { siteUrl } }, "query.query"],
    ["GetPageQueryStats", { query: { siteUrl, page: 0 } }, "query.page"],
    ["GetKeywordStats", { query: { country: "us", language: "en-US" } }, "query.q"],
    ["GetKeywordStats", { query: { q: "a", siteUrl } }, "query.siteUrl"],
    ["SubmitUrl", { body: { siteUrl, url: "/url1.html" } }, "body.url"],
    ["SubmitUrl", { body: { siteUrl, url: "ftp://example.com/" } }, "body.url"],
    ["SubmitUrl", { body: { siteUrl, url: "https://" } }, "body.url"],
    ["SubmitUrl", { query: { siteUrl }, body: { siteUrl, url: "http://a/" } }, "query"],
    ["SubmitUrlBatch", { body: { urlList: ["http://a/"] } }, "body.siteUrl"],
    ["SubmitUrlBatch", { body: { siteUrl, urlList: [] } }, "body.urlList"],
    [
      "SubmitUrlBatch",
      { body: { siteUrl, urlList: Array.from({ length: 501 }, () => "http://example.com/") } },
      "body.urlList"
    ],
    ["SubmitUrlBatch", { body: { siteUrl, urlList: ["http://a/", "b"] } }, "body.urlList.1"],
    ["SubmitUrlBatch", { body: { siteUrl, urlList: "http://a/" } }, "body.urlList"]
  ]
  for (const [id, input, at] of refused) {
    it(`${id} refuses an invalid ${at}`, () => {
      const endpoint = sitesearchEndpoints.find((each) => each.id === id) ?? assert.fail(id)
      assert.deepStrictEqual(wrongAt(endpoint, input), [at])
    })
  }
})

const readByProvider = (sent: string): unknown =>
  sent.replace(/^[\s\u0085]+/, "").startsWith("\"") ? JSON.parse(sent) : sent
