import { analyticsadmin } from "@googleapis/analyticsadmin"
import { analyticsdata } from "@googleapis/analyticsdata"
import * as ga4 from "../../src/Providers/Ga4/Endpoints.ts"
import { callsOf, commonQuery } from "./EndpointCalls.ts"

const filter = (value: string) => ({
  filter: { fieldName: "pagePath", stringFilter: { matchType: "PARTIAL_REGEXP", value, caseSensitive: true } }
})

const reports = callsOf("ga4Data", (rootUrl) => analyticsdata({ version: "v1beta", rootUrl }), [
  [ga4.propertiesRunReport, "analyticsdata.properties.runReport", [
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
    }
  ]],
  [ga4.propertiesRunRealtimeReport, "analyticsdata.properties.runRealtimeReport", [
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
  ]],
  [ga4.propertiesGetMetadata, "analyticsdata.properties.getMetadata", [{ path: { property: "0" } }, {
    path: { property: "properties/123456789" },
    query: commonQuery
  }]]
])

const accounts = callsOf("ga4Admin", (rootUrl) => analyticsadmin({ version: "v1beta", rootUrl }), [
  [ga4.accountSummariesList, "analyticsadmin.accountSummaries.list", [{}, {
    query: { pageSize: 200, pageToken: "a+b/c=", ...commonQuery }
  }]]
])

export const ga4Calls = [...accounts, ...reports]
