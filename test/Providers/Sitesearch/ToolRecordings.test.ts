import { describe } from "@effect/vitest"
import { Record } from "effect"
import { recordedTraffic } from "../../support/OutsideFolder.ts"
import { answers, url } from "./FakeSitesearch.ts"
import { recording } from "./Recordings.ts"

const recorded = (names: Readonly<Record<string, string>>) =>
  recordedTraffic.isAbsent ? {} : Record.map(names, (name) => recording(name).body)

const statistics = { GetCrawlStats: "merj__test_get_crawl_stats" }
const sites = { GetUserSites: "ms-learn__GetUserSites" }

describe.skipIf(recordedTraffic.isAbsent)(`Site search tools on recorded responses${recordedTraffic.absence}`, () => {
  answers("sitesearch_crawl_health", {
    "read the crawl statistics of a small site and its empty list of issues": {
      input: { site: url },
      now: "2024-11-14T09:22:32Z",
      bodies: recorded({ ...statistics, GetCrawlIssues: "merj__test_get_crawl_issues" }),
      output: {
        start: "2024-10-15",
        end: "2024-11-13",
        latest_day: "2024-11-13",
        in_index: 0,
        in_index_change: 0,
        crawled_pages: 0,
        crawl_errors: 36,
        dns_failures: 0,
        timeouts: 0,
        issues: [],
        issues_measured: false
      }
    },
    "read the documented crawl issue": {
      input: { site: url },
      now: "2024-11-14T09:22:32Z",
      bodies: recorded({ ...statistics, GetCrawlIssues: "ms-learn__GetCrawlIssues" }),
      output: {
        issue_counts: { ContainsMalware: 1 },
        issues: [{ url: "http://example.com/url1.htm", http_code: 200, issues: ["ContainsMalware"], in_links: 10 }],
        issues_measured: true
      }
    }
  })

  answers("sitesearch_top_queries", {
    "read the documented query": {
      input: { site: "example.com" },
      now: "2014-05-05T12:00:00Z",
      bodies: recorded({ ...sites, GetQueryStats: "ms-learn__GetQueryStats" }),
      output: {
        site: "http://example.com",
        latest_bucket: "2014-05-03",
        rows: [{ query: "www.getevents.co", clicks: 0, impressions: 1, ctr: 0, position: 27 }]
      }
    }
  })

  answers("sitesearch_top_pages", {
    "read the documented page, which is outside the window": {
      input: { site: "example.com" },
      bodies: recorded({ ...sites, GetPageStats: "ms-learn__GetPageStats" }),
      output: { buckets: 0, latest_bucket: "2011-09-16", rows: [], total: 0 }
    }
  })

  answers("sitesearch_list_sites", {
    "read the documented sites": {
      input: {},
      bodies: recorded(sites),
      output: { sites: [{ url: "http://example.com", verified: false }], total: 1 }
    }
  })
})
