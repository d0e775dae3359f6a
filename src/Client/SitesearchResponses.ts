/** Dates are texts such as `/Date(1316156400000-0700)/`. A list without rows can be `null`. */
interface List<Row> {
  readonly d: ReadonlyArray<Row> | null
}

/** The codes prove ownership of the site: treat them as secrets. */
export interface Site {
  readonly Url: string
  readonly IsVerified?: boolean | null
  readonly AuthenticationCode?: string | null
  readonly DnsVerificationCode?: string | null
}

/** Positions that were not measured are -1 or 0. */
export interface QueryStats {
  /** The query; in `GetPageStats` and `GetQueryPageStats` the URL of the page. */
  readonly Query?: string | null
  readonly Date?: string
  readonly Clicks?: number
  readonly Impressions?: number
  readonly AvgClickPosition?: number
  readonly AvgImpressionPosition?: number
}

export interface TrafficStats {
  readonly Date?: string
  readonly Clicks?: number
  readonly Impressions?: number
}

export interface CrawlStats {
  readonly Date?: string
  readonly InIndex?: number
  readonly InLinks?: number
  readonly CrawledPages?: number
  readonly CrawlErrors?: number
  readonly Code2xx?: number
  readonly Code301?: number
  readonly Code302?: number
  readonly Code4xx?: number
  readonly Code5xx?: number
  readonly AllOtherCodes?: number
  readonly BlockedByRobotsTxt?: number
  readonly ContainsMalware?: number
  readonly DnsFailures?: number
  readonly ConnectionTimeout?: number
}

export interface UrlWithCrawlIssues {
  readonly Url: string
  readonly HttpCode?: number
  /** Bit flags; the description of the endpoint names them. */
  readonly Issues?: number
  readonly InLinks?: number
}

export interface Feed {
  readonly Url: string
  readonly Type?: string | null
  readonly Status?: string | null
  readonly Submitted?: string
  readonly LastCrawled?: string
  readonly FileSize?: number
  readonly UrlCount?: number
  readonly Compressed?: boolean
}

export interface UrlSubmissionQuota {
  readonly DailyQuota?: number
  readonly MonthlyQuota?: number
}

export interface KeywordStats {
  readonly Query?: string | null
  readonly Date?: string
  readonly Impressions?: number
  readonly BroadImpressions?: number
}

export interface SitesearchResponses {
  readonly GetUserSites: List<Site>
  readonly GetQueryStats: List<QueryStats>
  readonly GetPageStats: List<QueryStats>
  readonly GetRankAndTrafficStats: List<TrafficStats>
  readonly GetQueryPageStats: List<QueryStats>
  readonly GetPageQueryStats: List<QueryStats>
  readonly GetQueryTrafficStats: List<TrafficStats>
  readonly GetCrawlStats: List<CrawlStats>
  readonly GetCrawlIssues: List<UrlWithCrawlIssues>
  readonly GetFeeds: List<Feed>
  readonly GetUrlSubmissionQuota: { readonly d: UrlSubmissionQuota }
  readonly GetKeywordStats: List<KeywordStats>
  readonly SubmitUrl: { readonly d: null }
  readonly SubmitUrlBatch: { readonly d: null }
}
