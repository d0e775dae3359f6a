import { analyticsadmin } from "@googleapis/analyticsadmin"
import { analyticsdata } from "@googleapis/analyticsdata"
import * as ga4 from "../../src/Providers/Ga4/Endpoints.ts"
import { commonQuery, type EndpointCalls } from "./EndpointCalls.ts"

const filter = (value: string) => ({
  filter: { fieldName: "pagePath", stringFilter: { matchType: "PARTIAL_REGEXP", value, caseSensitive: true } }
})

const reports = (at: string) => analyticsdata({ version: "v1beta", rootUrl: at }).properties
export const ga4Calls: ReadonlyArray<EndpointCalls> = [
  {
    endpoint: ga4.accountSummariesList,
    origin: "ga4Admin",
    method: "analyticsadmin.accountSummaries.list",
    inputs: [{}, { query: { pageSize: 200, pageToken: "a+b/c=", ...commonQuery } }],
    official: (at, parameters) => analyticsadmin({ version: "v1beta", rootUrl: at }).accountSummaries.list(parameters)
  },
  {
    endpoint: ga4.propertiesRunReport,
    origin: "ga4Data",
    method: "analyticsdata.properties.runReport",
    inputs: [
      {
        path: { property: "123456789" },
        body: {
          dateRanges: [{ startDate: "2020-09-01", endDate: "2020-09-15" }],
          dimensions: [{ name: "country" }],
          metrics: [{ name: "activeUsers" }]
        }
      },
      {
        path: { property: "properties/123456789" },
        query: { fields: "rows,rowCount" },
        body: {
          property: "properties/123456789",
          dateRanges: [
            { startDate: "28daysAgo", endDate: "yesterday", name: "now ü" },
            { startDate: "56daysAgo", endDate: "29daysAgo" }
          ],
          dimensions: [
            { name: "customEvent:größe" },
            {
              name: "countryAndCity",
              dimensionExpression: { concatenate: { dimensionNames: ["country", "city"], delimiter: ", " } }
            }
          ],
          metrics: [{ name: "perUser", expression: "eventCount/totalUsers" }, { name: "sessions", invisible: true }],
          dimensionFilter: {
            andGroup: {
              expressions: [
                filter("^/\"über\"/"),
                { notExpression: { orGroup: { expressions: [filter("a"), filter("b")] } } },
                { filter: { fieldName: "city", emptyFilter: {} } },
                { filter: { fieldName: "city", inListFilter: { values: ["Köln", "Zürich"] } } }
              ]
            }
          },
          metricFilter: {
            filter: {
              fieldName: "sessions",
              betweenFilter: { fromValue: { int64Value: "9223372036854775807" }, toValue: { doubleValue: 1.5 } }
            }
          },
          metricAggregations: ["TOTAL", "MINIMUM"],
          orderBys: [{ metric: { metricName: "sessions" }, desc: true }, {
            dimension: { dimensionName: "city", orderType: "NUMERIC" }
          }],
          limit: "250000",
          offset: 10,
          currencyCode: "EUR",
          keepEmptyRows: true,
          returnPropertyQuota: true
        }
      },
      {
        path: { property: "1" },
        body: {
          dimensions: [{ name: "cohort" }, { name: "cohortNthWeek" }],
          metrics: [{ name: "cohortActiveUsers" }],
          cohortSpec: {
            cohorts: [{
              name: "first week",
              dimension: "firstSessionDate",
              dateRange: { startDate: "2026-08-02", endDate: "2026-08-08" }
            }],
            cohortsRange: { granularity: "WEEKLY", startOffset: 0, endOffset: 5 }
          }
        }
      }
    ],
    official: (at, { property, ...parameters }) =>
      reports(at).runReport({ property: `properties/${property}`, ...parameters })
  },
  {
    endpoint: ga4.propertiesRunRealtimeReport,
    origin: "ga4Data",
    method: "analyticsdata.properties.runRealtimeReport",
    inputs: [
      { path: { property: "1" }, body: { metrics: [{ name: "activeUsers" }] } },
      {
        path: { property: "properties/1" },
        query: commonQuery,
        body: {
          dimensions: [{ name: "unifiedScreenName" }],
          minuteRanges: [{ name: "first half", startMinutesAgo: 29, endMinutesAgo: 15 }, { startMinutesAgo: 14 }],
          dimensionFilter: filter("ü"),
          limit: 1
        }
      }
    ],
    official: (at, { property, ...parameters }) =>
      reports(at).runRealtimeReport({ property: `properties/${property}`, ...parameters })
  },
  {
    endpoint: ga4.propertiesGetMetadata,
    origin: "ga4Data",
    method: "analyticsdata.properties.getMetadata",
    inputs: [{ path: { property: "0" } }, { path: { property: "properties/123456789" }, query: commonQuery }],
    official: (at, { property, ...parameters }) =>
      reports(at).getMetadata({ name: `properties/${property}/metadata`, ...parameters })
  }
]
