import { searchconsole } from "@googleapis/searchconsole"
import * as gsc from "../../src/Providers/Gsc/Endpoints.ts"
import { commonQuery, type EndpointCalls } from "./EndpointCalls.ts"

const site = { siteUrl: "sc-domain:bücher.example" }
const prefixSite = { siteUrl: "https://www.example.com/päth%20a/" }
const days = { startDate: "2026-08-01", endDate: "2026-08-31" }

const api = (at: string) => searchconsole({ version: "v1", rootUrl: at })
export const gscCalls: ReadonlyArray<EndpointCalls> = [
  {
    endpoint: gsc.sitesList,
    origin: "gsc",
    method: "webmasters.sites.list",
    inputs: [{}, { query: commonQuery }],
    official: (at, parameters) => api(at).sites.list(parameters)
  },
  {
    endpoint: gsc.sitesGet,
    origin: "gsc",
    method: "webmasters.sites.get",
    inputs: [{ path: site }, { path: prefixSite, query: { fields: "siteUrl" } }],
    official: (at, parameters) => api(at).sites.get(parameters)
  },
  {
    endpoint: gsc.searchanalyticsQuery,
    origin: "gsc",
    method: "webmasters.searchanalytics.query",
    inputs: [
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
    ],
    official: (at, parameters) => api(at).searchanalytics.query(parameters)
  },
  {
    endpoint: gsc.sitemapsList,
    origin: "gsc",
    method: "webmasters.sitemaps.list",
    inputs: [{ path: site }, { path: prefixSite, query: { sitemapIndex: "https://www.example.com/a.xml?b=c&d=é" } }],
    official: (at, parameters) => api(at).sitemaps.list(parameters)
  },
  {
    endpoint: gsc.sitemapsGet,
    origin: "gsc",
    method: "webmasters.sitemaps.get",
    inputs: [{ path: { ...site, feedpath: "https://www.example.com/site%20map.xml?a=b#c" } }],
    official: (at, parameters) => api(at).sitemaps.get(parameters)
  },
  {
    endpoint: gsc.urlInspectionIndexInspect,
    origin: "gsc",
    method: "searchconsole.urlInspection.index.inspect",
    inputs: [
      { body: { siteUrl: "sc-domain:example.com", inspectionUrl: "https://example.com/ä?q=\"x\"" } },
      {
        query: commonQuery,
        body: {
          siteUrl: "https://www.example.com/",
          inspectionUrl: "https://www.example.com/a",
          languageCode: "de-CH"
        }
      }
    ],
    official: (at, parameters) => api(at).urlInspection.index.inspect(parameters)
  }
]
