import { company, type PageKind, pages } from "../../Data/Company.ts"
import type { Day } from "../../Data/Day.ts"
import { hashText, mixHash, toFraction } from "../../Data/SeededRandom.ts"
import type { Site } from "./Sites.ts"
import { never, wireDate } from "./WireDates.ts"

const historyDays = 180

export const crawlStats = ({ url }: Site, today: Day) => {
  const count = pages.filter((page) => page.url.startsWith(url)).length
  return Array.from({ length: historyDays }, (_, index) => {
    const day = today - historyDays + index
    const hash = mixHash(hashText(url), day)
    const upTo = (maximum: number, salt: number) => Math.floor((maximum + 1) * toFraction(mixHash(hash, salt)))
    const isServerDown = toFraction(mixHash(hash, 9)) < 0.04
    const codes = {
      AllOtherCodes: upTo(1, 1),
      Code2xx: count * 3 + upTo(60, 2),
      Code301: 4 + upTo(6, 3),
      Code302: upTo(3, 4),
      Code4xx: 2 + upTo(7, 5),
      Code5xx: isServerDown ? 12 + upTo(30, 6) : 0
    }
    const ConnectionTimeout = isServerDown ? 3 + upTo(5, 7) : 0
    const DnsFailures = toFraction(mixHash(hash, 8)) < 0.01 ? 2 : 0
    return {
      __type: "CrawlStats:#Microsoft.Bing.Webmaster.Api",
      ...codes,
      BlockedByRobotsTxt: 8 + upTo(4, 10),
      ConnectionTimeout,
      ContainsMalware: 0,
      CrawlErrors: codes.Code4xx + codes.Code5xx + ConnectionTimeout + DnsFailures,
      CrawledPages: Object.values(codes).reduce((sum, each) => sum + each, 0),
      Date: wireDate(day),
      DnsFailures,
      InIndex: count * 11 + Math.floor(index / 5) + upTo(3, 11),
      InLinks: count * 60 + Math.floor(index / 2) + upTo(9, 12)
    }
  })
}

const issueFlags = {
  moved: 1,
  movedTemporarily: 2,
  clientError: 4,
  serverError: 8,
  robots: 16,
  importantRobots: 64,
  dns: 128,
  timeOut: 256,
  undocumented: 512
} as const

const urlsWithIssues: ReadonlyArray<readonly [url: string, status: number, issues: number, links: number]> = [
  [`${company.shop}/products/border-spade`, 404, issueFlags.clientError, 37],
  [`${company.shop}/sale`, 301, issueFlags.moved, 112],
  [`${company.shop}/collections/winter`, 302, issueFlags.movedTemporarily | issueFlags.robots, 18],
  [`${company.shop}/checkout`, 200, issueFlags.robots | issueFlags.importantRobots, 64],
  [`${company.shop}/search?q=spade`, 503, issueFlags.serverError | issueFlags.timeOut, 9],
  [`${company.shop}/pages/stockists`, 0, issueFlags.dns | issueFlags.timeOut, 3],
  [`${company.shop}/pages/press`, 410, issueFlags.clientError | issueFlags.undocumented, 5],
  [`${company.blog}/how-to-prune-wisteria`, 301, issueFlags.moved, 22],
  [`${company.blog}/tag/lawn`, 404, issueFlags.clientError | issueFlags.robots, 4]
]

export const crawlIssues = ({ url }: Site) =>
  urlsWithIssues.filter(([address]) => address.startsWith(url)).map(([Url, HttpCode, Issues, InLinks]) => ({
    __type: "UrlWithCrawlIssues:#Microsoft.Bing.Webmaster.Api",
    HttpCode,
    InLinks,
    Issues,
    Url
  }))

interface Feed {
  readonly url: string
  readonly type: "Sitemap" | "RSS"
  readonly submittedDaysAgo: number
  readonly crawledDaysAgo?: number
  readonly kinds: ReadonlyArray<PageKind>
}

const allFeeds: ReadonlyArray<Feed> = [
  {
    url: `${company.shop}/sitemap.xml`,
    type: "Sitemap",
    submittedDaysAgo: 380,
    crawledDaysAgo: 1,
    kinds: ["home", "category", "product", "info"]
  },
  {
    url: `${company.blog}/sitemap.xml`,
    type: "Sitemap",
    submittedDaysAgo: 366,
    crawledDaysAgo: 3,
    kinds: ["home", "guide"]
  },
  { url: `${company.blog}/feed.xml`, type: "RSS", submittedDaysAgo: 2, kinds: ["guide"] }
]

export const feeds = (site: Site, today: Day) =>
  allFeeds.filter(({ url }) => url.startsWith(site.url)).map(
    ({ crawledDaysAgo, kinds, submittedDaysAgo, type, url }) => {
      const count = pages.filter((page) => page.url.startsWith(site.url) && kinds.includes(page.kind)).length
      return {
        __type: "Feed:#Microsoft.Bing.Webmaster.Api",
        Compressed: false,
        FileSize: crawledDaysAgo === undefined ? 0 : 420 + 187 * count,
        LastCrawled: crawledDaysAgo === undefined ? never : wireDate(today - crawledDaysAgo),
        Status: crawledDaysAgo === undefined ? "Pending" : "Success",
        Submitted: wireDate(today - submittedDaysAgo),
        Type: type,
        Url: url,
        UrlCount: crawledDaysAgo === undefined ? 0 : count
      }
    }
  )
