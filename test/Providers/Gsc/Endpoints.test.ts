import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { gscEndpoints, searchanalyticsQuery } from "../../../src/Providers/Gsc/Endpoints.ts"
import { jsonSchemaOf } from "../../../src/Providers/JsonSchema.ts"
import { compileJsonSchema, findDisagreements, findGaps } from "../../support/InputSchema.ts"

const path = { siteUrl: "sc-domain:example.com" }
const inspect = { siteUrl: "https://www.example.com/", inspectionUrl: "https://www.example.com/a" }
const report = { startDate: "2026-08-01", endDate: "2026-08-31" }
const showcase = { dimension: "searchAppearance", operator: "equals", expression: "NEWS_SHOWCASE" }
const filtered = (filter: unknown) => ({ dimensionFilterGroups: [{ filters: [filter] }] })

const valid: Record<string, ReadonlyArray<unknown>> = {
  "sites.list": [
    {},
    { query: {} },
    { query: { fields: "siteEntry(siteUrl)", quotaUser: "u", prettyPrint: false } }
  ],
  "sites.get": [{ path }, { path: { siteUrl: "https://www.example.com/" } }, { path: { siteUrl: "http://a/b/" } }],
  "searchanalytics.query": [
    { path, body: report },
    { path, query: { fields: "rows" }, body: { ...report, endDate: "2026-08-01" } },
    { path, body: { ...report, startDate: "2024-02-29" } },
    { path, body: { ...report, dimensions: [], dimensionFilterGroups: [] } },
    { path, body: { ...report, dimensions: ["query", "page", "country", "device", "date"] } },
    {
      path,
      body: { ...report, dimensions: ["QUERY", "PAGE"], type: "WEB", aggregationType: "AUTO", dataState: "ALL" }
    },
    { path, body: { ...report, dimensions: ["searchAppearance"], rowLimit: 25_000, startRow: 0 } },
    { path, body: { ...report, dimensions: ["HOUR"], dataState: "HOURLY_ALL" } },
    { path, body: { ...report, dimensions: ["hour", "query"], dataState: "hourly_all" } },
    { path, body: { ...report, type: "discover", dimensions: ["page"], aggregationType: "byPage" } },
    { path, body: { ...report, searchType: "GOOGLE_NEWS", dimensions: ["page", "country"] } },
    { path, body: { ...report, type: "web", searchType: "discover", dimensions: ["query"] } },
    { path, body: { ...report, dimensions: ["query"], aggregationType: "byProperty" } },
    { path, body: { ...report, type: "googleNews", aggregationType: "byNewsShowcasePanel", ...filtered(showcase) } },
    { path, body: { ...report, ...filtered({ dimension: "query", expression: "🚀".repeat(4096) }) } },
    {
      path,
      body: {
        ...report,
        dimensions: ["date", "page"],
        type: "web",
        aggregationType: "byPage",
        dataState: "all",
        rowLimit: 25_000,
        startRow: 0,
        dimensionFilterGroups: [{
          groupType: "and",
          filters: [
            { dimension: "page", operator: "includingRegex", expression: "^https://www\\.example\\.com/blog/" },
            { dimension: "COUNTRY", operator: "NOT_EQUALS", expression: "deu" }
          ]
        }]
      }
    }
  ],
  "sitemaps.list": [{ path }, { path, query: { sitemapIndex: "http://www.example.com/sitemapindex.xml" } }],
  "sitemaps.get": [{ path: { ...path, feedpath: "https://www.example.com/sitemap.xml?a=b" } }],
  "urlInspection.index.inspect": [
    { body: inspect },
    { body: { ...inspect, inspectionUrl: "https://WWW.Example.com", languageCode: "de-CH" } },
    { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "http://example.com/" } },
    { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://a.b.example.com/x?y#z" } },
    { body: { siteUrl: "sc-domain:bücher.example", inspectionUrl: "https://xn--bcher-kva.example/" } }
  ]
}

const betweenFields = new RegExp(
  [
    "not after endDate",
    "each dimension once",
    "cannot be grouped together",
    "discover and googleNews",
    "discover or googleNews",
    "hourly_all",
    "byProperty",
    "byNewsShowcasePanel",
    "under the property"
  ].join("|")
)

describe("Search Console endpoints", () => {
  it("match the specification, and none writes", () => {
    assert.deepStrictEqual(gscEndpoints.map(({ id, method, path, writes }) => ({ id, method, path, writes })), [
      { id: "sites.list", method: "GET", path: "/webmasters/v3/sites", writes: false },
      { id: "sites.get", method: "GET", path: "/webmasters/v3/sites/{siteUrl}", writes: false },
      {
        id: "searchanalytics.query",
        method: "POST",
        path: "/webmasters/v3/sites/{siteUrl}/searchAnalytics/query",
        writes: false
      },
      { id: "sitemaps.list", method: "GET", path: "/webmasters/v3/sites/{siteUrl}/sitemaps", writes: false },
      { id: "sitemaps.get", method: "GET", path: "/webmasters/v3/sites/{siteUrl}/sitemaps/{feedpath}", writes: false },
      { id: "urlInspection.index.inspect", method: "POST", path: "/v1/urlInspection/index:inspect", writes: false }
    ])
  })

  describe.each(gscEndpoints)("$id", ({ id, input }) => {
    const schema = jsonSchemaOf(input)

    it("has a valid and closed input_schema that describes every field", () => {
      compileJsonSchema(schema)
      assert.deepStrictEqual(findGaps(schema), [])
    })

    it("accepts exactly what its input_schema does, except for rules between fields", () => {
      assert.deepStrictEqual(findDisagreements(input, valid[id] ?? [], (message) => betweenFields.test(message)), [])
    })

    it("refuses query parameters that carry a credential or change the response format", () => {
      const validate = validator(input)
      for (const parameter of ["key", "access_token", "oauth_token", "alt", "callback", "$.xgafv", "uploadType"]) {
        const result = validate({ ...Object((valid[id] ?? [])[0]), query: { [parameter]: "x" } })
        assert.deepStrictEqual(Option.getOrUndefined(Result.getFailure(result)), [
          { path: ["query", parameter], message: "Unknown field" }
        ])
      }
    })
  })

  it("adds nothing to the input and sends the canonical spelling", () => {
    const validate = validator(searchanalyticsQuery.input)
    assert.deepStrictEqual<unknown>(Result.getOrThrow(validate({ path, body: report })), { path, body: report })
    assert.deepStrictEqual<unknown>(
      Result.getOrThrow(
        validate({ path, body: { ...report, searchType: "NEWS", dataState: "HOURLY_ALL", dimensions: ["HOUR"] } })
      ),
      { path, body: { ...report, searchType: "news", dataState: "hourly_all", dimensions: ["hour"] } }
    )
  })

  it.each([
    { id: "sites.get", input: { path: { siteUrl: "https://example.com" } }, at: ["path", "siteUrl"] },
    { id: "sites.get", input: { path: { siteUrl: "example.com" } }, at: ["path", "siteUrl"] },
    { id: "sites.get", input: { path: { siteUrl: "sc-domain:https://example.com/" } }, at: ["path", "siteUrl"] },
    { id: "sites.get", input: { path: { siteUrl: ".." } }, at: ["path", "siteUrl"] },
    { id: "sites.get", input: { path }, extra: { body: {} }, at: ["body"] },
    { id: "sites.list", input: {}, extra: { path: {} }, at: ["path"] },
    { id: "sitemaps.get", input: { path: { ...path, feedpath: "sitemap.xml" } }, at: ["path", "feedpath"] },
    { id: "sitemaps.get", input: { path: { ...path, feedpath: "." } }, at: ["path", "feedpath"] },
    { id: "sitemaps.list", input: { path, query: { sitemapIndex: "/i.xml" } }, at: ["query", "sitemapIndex"] },
    {
      id: "urlInspection.index.inspect",
      input: { body: { ...inspect, inspectionUrl: "http://www.example.com/a" } },
      at: ["body", "inspectionUrl"]
    },
    {
      id: "urlInspection.index.inspect",
      input: { body: { ...inspect, siteUrl: "https://www.example.com/blog/" } },
      at: ["body", "inspectionUrl"]
    },
    {
      id: "urlInspection.index.inspect",
      input: { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://notexample.com/" } },
      at: ["body", "inspectionUrl"]
    },
    {
      id: "urlInspection.index.inspect",
      input: { body: { ...inspect, inspectionUrl: "/a" } },
      at: ["body", "inspectionUrl"]
    }
  ])("$id refuses $input $extra", ({ at, extra, id, input }) => {
    const endpoint = gscEndpoints.find((each) => each.id === id)
    assert.isDefined(endpoint)
    const result = validator(endpoint.input)({ ...input, ...extra })
    assert.deepStrictEqual(Option.getOrThrow(Result.getFailure(result)).map(({ path }) => path), [at])
  })
})
