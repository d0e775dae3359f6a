import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import {
  getQueryStats,
  getQueryTrafficStats,
  submitUrl,
  submitUrlBatch
} from "../../../src/Providers/Sitesearch/Endpoints.ts"
import { refuses } from "../../support/EndpointSuite.ts"

const siteUrl = "https://example.com/"

describe("Site search endpoints", () => {
  it.each([
    { value: "python", sent: "python" },
    { value: "say \"cheese\"", sent: "say \"cheese\"" },
    { value: "\"exact phrase\"", sent: "\"\\\"exact phrase\\\"\"" },
    { value: "\"", sent: "\"\\\"\"" },
    { value: " \t\"a\\b\"", sent: "\" \\t\\\"a\\\\b\\\"\"" },
    { value: "“typographic”", sent: "“typographic”" }
  ])("sends the query $value as $sent, which the provider reads as $value", ({ sent, value }) => {
    const input = Result.getOrThrow(validator(getQueryTrafficStats.input)({ query: { siteUrl, query: value } }))
    assert.deepStrictEqual(input, { query: { siteUrl, query: sent } })
    assert.strictEqual(readByProvider(sent), value)
  })

  refuses(getQueryStats, [
    [{ query: { siteUrl: "" } }, "query.siteUrl"],
    [{ query: { siteurl: siteUrl, siteUrl } }, "query.siteurl"]
  ])
  refuses(submitUrl, [
    [{ body: { siteUrl, url: "/url1.html" } }, "body.url"],
    [{ body: { siteUrl, url: "https://" } }, "body.url"]
  ])
  refuses(submitUrlBatch, [
    [{ body: { siteUrl, urlList: [] } }, "body.urlList"],
    [{ body: { siteUrl, urlList: Array.from({ length: 501 }, () => "http://example.com/") } }, "body.urlList"],
    [{ body: { siteUrl, urlList: ["http://a/", "b"] } }, "body.urlList.1"]
  ])
})

const readByProvider = (sent: string): unknown =>
  sent.replace(/^[\s\u0085]+/, "").startsWith("\"") ? JSON.parse(sent) : sent
