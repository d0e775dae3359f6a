import { company, type Page, pages } from "../../Data/Company.ts"
import { type Day, timeOf } from "../../Data/Day.ts"
import { hashText, randomOf } from "../../Data/SeededRandom.ts"
import { sitemapsOfPage } from "./Sitemaps.ts"

interface IndexState {
  readonly verdict: "PASS" | "FAIL" | "NEUTRAL"
  readonly coverageState: string
  readonly robotsTxtState?: string
  readonly indexingState?: string
  readonly pageFetchState?: string
  readonly canonical?: string
}

export const inspect = (siteUrl: string, url: string, today: Day) => {
  const page = pages.find((page) => page.url === url)
  const state = stateOf(url, page)
  const { canonical, coverageState, indexingState, pageFetchState, robotsTxtState, verdict } = state
  const known = coverageState !== unknownUrl.coverageState
  const sitemap = page === undefined ? [] : sitemapsOfPage(url, page.kind)
  return {
    inspectionResultLink: `https://search.google.com/search-console/inspect?resource_id=${siteUrl}&id=${
      hashText(url).toString(36)
    }&utm_medium=link&utm_source=api`,
    indexStatusResult: {
      verdict,
      coverageState,
      robotsTxtState: robotsTxtState ?? (known ? "ALLOWED" : "ROBOTS_TXT_STATE_UNSPECIFIED"),
      indexingState: indexingState ?? (known ? "INDEXING_ALLOWED" : "INDEXING_STATE_UNSPECIFIED"),
      ...(known ? { lastCrawlTime: timeOf(today - 1 - Math.floor(randomOf(url) * 20), hashText(url) % 86_400) } : {}),
      pageFetchState: pageFetchState ?? (known ? "SUCCESSFUL" : "PAGE_FETCH_STATE_UNSPECIFIED"),
      ...(canonical === undefined ? {} : { googleCanonical: canonical, userCanonical: canonical }),
      ...(sitemap.length === 0 ? {} : { sitemap }),
      ...(page === undefined ? {} : { referringUrls: [`${company.shop}/`, `${company.blog}/`] }),
      ...(known ? { crawledAs: "MOBILE" } : {})
    },
    mobileUsabilityResult: { verdict: "VERDICT_UNSPECIFIED" },
    ...(page?.kind === "product" && verdict === "PASS" ? { richResultsResult: richResults(page) } : {})
  }
}

const unknownUrl: IndexState = { verdict: "NEUTRAL", coverageState: "URL is unknown to Google" }

const stateOf = (url: string, page: Page | undefined): IndexState => {
  if (page?.topic === "garden twine") return { verdict: "NEUTRAL", coverageState: "Crawled - currently not indexed" }
  if (page !== undefined) return { verdict: "PASS", coverageState: "Submitted and indexed", canonical: page.url }
  const { origin, pathname, search } = new URL(url)
  const canonical = pages.find((page) => page.url === `${origin}${pathname}`)?.url
  if (search !== "" && canonical !== undefined) {
    return { verdict: "NEUTRAL", coverageState: "Alternate page with proper canonical tag", canonical }
  }
  if (pathname.startsWith("/cart") || pathname.startsWith("/search")) {
    return {
      verdict: "NEUTRAL",
      coverageState: "Blocked by robots.txt",
      robotsTxtState: "DISALLOWED",
      indexingState: "BLOCKED_BY_ROBOTS_TXT",
      pageFetchState: "BLOCKED_ROBOTS_TXT"
    }
  }
  if (pathname.startsWith("/account")) {
    return {
      verdict: "NEUTRAL",
      coverageState: "Excluded by ‘noindex’ tag",
      indexingState: "BLOCKED_BY_META_TAG"
    }
  }
  if (pathname.startsWith("/products/")) {
    return { verdict: "NEUTRAL", coverageState: "Not found (404)", pageFetchState: "NOT_FOUND" }
  }
  return unknownUrl
}

const richResults = (page: Page) => ({
  verdict: "PASS",
  detectedItems: [
    { richResultType: "Breadcrumbs", items: [{ name: "Unnamed item" }] },
    {
      richResultType: "Product snippets",
      items: [{
        name: page.topic,
        ...(randomOf(page.topic) < 0.4
          ? { issues: [{ issueMessage: "Missing field \"aggregateRating\"", severity: "WARNING" }] }
          : {})
      }]
    }
  ]
})
