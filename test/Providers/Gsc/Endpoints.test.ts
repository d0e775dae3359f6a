import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { validator } from "../../../src/Domain/Validation/Validation.ts"
import { gscEndpoints, searchanalyticsQuery } from "../../../src/Providers/Gsc/Endpoints.ts"
import { endpointSuite, wrongAt } from "../../support/EndpointSuite.ts"

const path = { siteUrl: "sc-domain:example.com" }
const inspect = { siteUrl: "https://www.example.com/", inspectionUrl: "https://www.example.com/a" }
const report = { startDate: "2026-08-01", endDate: "2026-08-31" }
const showcase = { dimension: "searchAppearance", operator: "equals", expression: "NEWS_SHOWCASE" }
const filtered = (filter: unknown) => ({ dimensionFilterGroups: [{ filters: [filter] }] })

const valid: Record<string, ReadonlyArray<unknown>> = {
  "sites.list": [{ query: {} }],
  "sites.get": [{ path: { siteUrl: "http://a/b/" } }],
  "searchanalytics.query": [
    { path, body: { ...report, endDate: "2026-08-01" } },
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
    { path, body: { ...report, ...filtered({ dimension: "COUNTRY", operator: "NOT_EQUALS", expression: "deu" }) } }
  ],
  "urlInspection.index.inspect": [
    { body: { ...inspect, inspectionUrl: "https://WWW.Example.com", languageCode: "de-CH" } },
    { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "http://example.com/" } },
    { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://a.b.example.com/x?y#z" } },
    { body: { siteUrl: "sc-domain:bücher.example", inspectionUrl: "https://xn--bcher-kva.example/" } }
  ]
}

const inspection = (body: object) => ["urlInspection.index.inspect", { body }, "body.inspectionUrl"] as const

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
  endpointSuite(gscEndpoints, { accepted: valid, betweenFields })

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

  const refused: ReadonlyArray<readonly [id: string, input: object, at: string]> = [
    ["sites.get", { path: { siteUrl: "https://example.com" } }, "path.siteUrl"],
    ["sites.get", { path: { siteUrl: "example.com" } }, "path.siteUrl"],
    ["sites.get", { path: { siteUrl: "sc-domain:https://example.com/" } }, "path.siteUrl"],
    ["sites.get", { path: { siteUrl: ".." } }, "path.siteUrl"],
    ["sites.get", { path, body: {} }, "body"],
    ["sites.list", { path: {} }, "path"],
    ["sitemaps.get", { path: { ...path, feedpath: "sitemap.xml" } }, "path.feedpath"],
    ["sitemaps.get", { path: { ...path, feedpath: "." } }, "path.feedpath"],
    ["sitemaps.list", { path, query: { sitemapIndex: "/i.xml" } }, "query.sitemapIndex"],
    inspection({ ...inspect, inspectionUrl: "http://www.example.com/a" }),
    inspection({ ...inspect, siteUrl: "https://www.example.com/blog/" }),
    inspection({ siteUrl: "sc-domain:example.com", inspectionUrl: "https://notexample.com/" }),
    inspection({ ...inspect, inspectionUrl: "/a" })
  ]
  for (const [id, input, at] of refused) {
    it(`${id} refuses ${JSON.stringify(input)}`, () => {
      const endpoint = gscEndpoints.find((each) => each.id === id) ?? assert.fail(id)
      assert.deepStrictEqual(wrongAt(endpoint, input), [at])
    })
  }
})
