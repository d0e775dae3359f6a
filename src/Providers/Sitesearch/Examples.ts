import type { Examples } from "../Provider.ts"

const siteUrl = "https://www.fernhill.example/"
const ofSite = { query: { siteUrl } }
const ofQuery = { query: { siteUrl, query: "compost bin" } }

export const sitesearchExamples: Examples = {
  GetUserSites: {},
  GetQueryStats: ofSite,
  GetPageStats: ofSite,
  GetRankAndTrafficStats: ofSite,
  GetQueryPageStats: ofQuery,
  GetPageQueryStats: { query: { siteUrl, page: `${siteUrl}products/compost-bin` } },
  GetQueryTrafficStats: ofQuery,
  GetCrawlStats: ofSite,
  GetCrawlIssues: ofSite,
  GetFeeds: ofSite,
  GetUrlSubmissionQuota: ofSite,
  GetKeywordStats: { query: { q: "how to prune roses" } },
  SubmitUrl: { body: { siteUrl, url: `${siteUrl}new` } },
  SubmitUrlBatch: { body: { siteUrl, urlList: [`${siteUrl}a`, `${siteUrl}b`] } }
}
