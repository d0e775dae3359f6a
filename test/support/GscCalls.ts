import { searchconsole } from "@googleapis/searchconsole"
import * as gsc from "../../src/Providers/Gsc/Endpoints.ts"
import { callsOf, commonQuery } from "./EndpointCalls.ts"

const site = { siteUrl: "sc-domain:bücher.example" }
const prefixSite = { siteUrl: "https://www.example.com/päth%20a/" }
const days = { startDate: "2026-08-01", endDate: "2026-08-31" }

export const gscCalls = callsOf("gsc", (rootUrl) => searchconsole({ version: "v1", rootUrl }), [
  [gsc.sitesList, "webmasters.sites.list", [{}, { query: commonQuery }]],
  [gsc.sitesGet, "webmasters.sites.get", [{ path: site }, { path: prefixSite, query: { fields: "siteUrl" } }]],
  [gsc.searchanalyticsQuery, "webmasters.searchanalytics.query", [
    { path: site, body: days },
    {
      path: prefixSite,
      query: { fields: "rows(keys,clicks)" },
      body: {
        ...days,
        dimensions: ["QUERY", "page"],
        type: "web",
        aggregationType: "byPage",
        dataState: "all",
        rowLimit: 25_000,
        startRow: 0,
        dimensionFilterGroups: [{
          groupType: "and",
          filters: [{ dimension: "page", operator: "includingRegex", expression: "^https://\"a\"/ü?b=c&d" }]
        }]
      }
    }
  ]],
  [gsc.sitemapsList, "webmasters.sitemaps.list", [{ path: site }, {
    path: prefixSite,
    query: { sitemapIndex: "https://www.example.com/a.xml?b=c&d=é" }
  }]],
  [gsc.sitemapsGet, "webmasters.sitemaps.get", [{
    path: { ...site, feedpath: "https://www.example.com/site%20map.xml?a=b#c" }
  }]],
  [gsc.urlInspectionIndexInspect, "searchconsole.urlInspection.index.inspect", [
    { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://example.com/ä?q=\"x\"" } },
    {
      query: commonQuery,
      body: {
        siteUrl: "https://www.example.com/",
        inspectionUrl: "https://www.example.com/a",
        languageCode: "de-CH"
      }
    }
  ]]
])
