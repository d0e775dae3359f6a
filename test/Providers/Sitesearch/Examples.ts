import type { Examples } from "../Checks/Examples.ts"

const siteUrl = "https://example.com/"
const site = siteUrl

const ofSite = [
  siteUrl,
  "http://example.com",
  "example.com",
  "http://www.bücher.example/größe & mehr/?a=b&c=d+e#f",
  "\"quoted.example\"",
  "100%25.example"
].map((siteUrl) => ({ query: { siteUrl } }))

const texts = [
  "c++ & c# = 100% 🚀",
  "\"exact phrase\" -not",
  "\"",
  "it's (a) *star*!",
  "🚀 日本語 ‮rtl",
  "a\tb\nc",
  "apikey=x&siteUrl=y"
]
const ofQuery = texts.map((query) => ({ query: { siteUrl, query } }))

export const sitesearchExamples: Examples = {
  rules: /^Expected a URL on the site|days or start and end|Required with/,
  inputs: {
    GetUserSites: [{}],
    GetQueryStats: ofSite,
    GetPageStats: ofSite,
    GetRankAndTrafficStats: ofSite,
    GetQueryPageStats: ofQuery,
    GetPageQueryStats: ["http://example.com/url1.html", "https://example.com/a?b=c&d=\"e\"", "\"https://example.com/\""]
      .map((page) => ({ query: { siteUrl, page } })),
    GetQueryTrafficStats: ofQuery,
    GetCrawlStats: ofSite,
    GetCrawlIssues: ofSite,
    GetFeeds: ofSite,
    GetUrlSubmissionQuota: ofSite,
    GetKeywordStats: [
      { query: { q: "\"python\"" } },
      ...texts.map((q) => ({ query: { q, country: "us", language: "en-US" } }))
    ],
    SubmitUrl: [
      { body: { siteUrl, url: "https://example.com/a b?c=\"d\"&e=ü#f" } },
      { body: { siteUrl: "example.com", url: "HTTP://EXAMPLE.COM" } },
      { body: { siteUrl: "\"quoted.example\"", url: "https://bücher.example/a b?c=d" } }
    ],
    SubmitUrlBatch: [
      { body: { siteUrl, urlList: ["http://example.com/url1", "http://example.com/url1"] } },
      { body: { siteUrl, urlList: Array.from({ length: 500 }, (_, page) => `https://example.com/${page}?q=ü`) } }
    ],
    sitesearch_top_queries: [
      { site: "example.com" },
      { site, days: 7, limit: 1, offset: 0, contains: "" },
      { site, start: "2026-01-01", end: "2026-01-01", compare: "previous_year" },
      { site, days: 180, limit: 500, offset: 500, contains: "brand" }
    ],
    sitesearch_top_pages: [{ site: "example.com" }, { site, contains: "a", path_contains: "/blog/" }],
    sitesearch_crawl_health: [
      { site: "example.com" },
      { site, days: 1, limit: 500 },
      { site, start: "", end: "" }
    ],
    sitesearch_list_sites: [{}, { verified_only: true }]
  }
}
