import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { jsonSchemaOf } from "../../../src/Providers/JsonSchema.ts"
import { getQueryTrafficStats, sitesearchEndpoints } from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { compileJsonSchema, findDisagreements, findGaps } from "../../support/InputSchema.ts"

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
  it("match the specification, and only submissions write", () => {
    assert.deepStrictEqual(
      sitesearchEndpoints.map(({ id, method, path, writes }) => `${method} ${path} ${id}${writes ? " writes" : ""}`),
      [
        "GET /webmaster/api.svc/json/GetUserSites GetUserSites",
        "GET /webmaster/api.svc/json/GetQueryStats GetQueryStats",
        "GET /webmaster/api.svc/json/GetPageStats GetPageStats",
        "GET /webmaster/api.svc/json/GetRankAndTrafficStats GetRankAndTrafficStats",
        "GET /webmaster/api.svc/json/GetQueryPageStats GetQueryPageStats",
        "GET /webmaster/api.svc/json/GetPageQueryStats GetPageQueryStats",
        "GET /webmaster/api.svc/json/GetQueryTrafficStats GetQueryTrafficStats",
        "GET /webmaster/api.svc/json/GetCrawlStats GetCrawlStats",
        "GET /webmaster/api.svc/json/GetCrawlIssues GetCrawlIssues",
        "GET /webmaster/api.svc/json/GetFeeds GetFeeds",
        "GET /webmaster/api.svc/json/GetUrlSubmissionQuota GetUrlSubmissionQuota",
        "GET /webmaster/api.svc/json/GetKeywordStats GetKeywordStats",
        "POST /webmaster/api.svc/json/SubmitUrl SubmitUrl writes",
        "POST /webmaster/api.svc/json/SubmitUrlBatch SubmitUrlBatch writes"
      ]
    )
  })

  it("accept either scope for reads and only webmaster.manage for writes", () => {
    for (const { scopes, writes } of sitesearchEndpoints) {
      assert.deepStrictEqual(scopes, writes ? ["webmaster.manage"] : ["webmaster.read", "webmaster.manage"])
    }
  })

  describe.each(sitesearchEndpoints)("$id", ({ id, input }) => {
    const schema = jsonSchemaOf(input)

    it("has a valid and closed input_schema that describes every field", () => {
      compileJsonSchema(schema)
      assert.deepStrictEqual(findGaps(schema), [])
    })

    it("accepts exactly what its input_schema does, except for URLs of another site", () => {
      assert.isNotEmpty(valid[id])
      assert.deepStrictEqual(findDisagreements(input, valid[id] ?? [], isForeign), [])
    })

    it("refuses credentials from the caller", () => {
      const example = Object((valid[id] ?? [])[0])
      const result = validator(input)({ ...example, query: { ...example.query, apikey: "x" } })
      const at = id === "GetUserSites" || id.startsWith("Submit") ? ["query"] : ["query", "apikey"]
      assert.deepStrictEqual(Option.getOrUndefined(Result.getFailure(result)), [{ path: at, message: "Unknown field" }])
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

  it.each([
    { id: "GetUserSites", input: { query: {} }, at: ["query"] },
    { id: "GetQueryStats", input: {}, at: ["query"] },
    { id: "GetQueryStats", input: { query: {} }, at: ["query", "siteUrl"] },
    { id: "GetQueryStats", input: { query: { siteUrl: "" } }, at: ["query", "siteUrl"] },
    { id: "GetQueryStats", input: { query: { siteUrl: "  " } }, at: ["query", "siteUrl"] },
    { id: "GetQueryStats", input: { query: { siteurl: siteUrl, siteUrl } }, at: ["query", "siteurl"] },
    { id: "GetPageStats", input: { query: { siteUrl, startDate: "2026-01-01" } }, at: ["query", "startDate"] },
    { id: "GetPageStats", input: { query: { siteUrl }, body: {} }, at: ["body"] },
    { id: "GetQueryPageStats", input: { query: { siteUrl } }, at: ["query", "query"] },
    { id: "GetPageQueryStats", input: { query: { siteUrl, page: 0 } }, at: ["query", "page"] },
    { id: "GetKeywordStats", input: { query: { country: "us", language: "en-US" } }, at: ["query", "q"] },
    { id: "GetKeywordStats", input: { query: { q: "a", siteUrl } }, at: ["query", "siteUrl"] },
    { id: "SubmitUrl", input: { body: { siteUrl, url: "/url1.html" } }, at: ["body", "url"] },
    { id: "SubmitUrl", input: { body: { siteUrl, url: "ftp://example.com/" } }, at: ["body", "url"] },
    { id: "SubmitUrl", input: { body: { siteUrl, url: "https://" } }, at: ["body", "url"] },
    { id: "SubmitUrl", input: { query: { siteUrl }, body: { siteUrl, url: "http://a/" } }, at: ["query"] },
    { id: "SubmitUrlBatch", input: { body: { urlList: ["http://a/"] } }, at: ["body", "siteUrl"] },
    { id: "SubmitUrlBatch", input: { body: { siteUrl, urlList: [] } }, at: ["body", "urlList"] },
    {
      id: "SubmitUrlBatch",
      input: { body: { siteUrl, urlList: Array.from({ length: 501 }, () => "http://example.com/") } },
      at: ["body", "urlList"]
    },
    { id: "SubmitUrlBatch", input: { body: { siteUrl, urlList: ["http://a/", "b"] } }, at: ["body", "urlList", 1] },
    { id: "SubmitUrlBatch", input: { body: { siteUrl, urlList: "http://a/" } }, at: ["body", "urlList"] }
  ])("$id refuses an invalid $at", ({ at, id, input }) => {
    const endpoint = sitesearchEndpoints.find((each) => each.id === id)
    assert.isDefined(endpoint)
    const result = validator(endpoint.input)(input)
    assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(result)).map(({ path }) => path), [at])
  })
})

const readByProvider = (sent: string): unknown =>
  sent.replace(/^[\s\u0085]+/, "").startsWith("\"") ? JSON.parse(sent) : sent
