import { Schema } from "effect"
import { calendarDay, isMaxCharacters, spelledTwoWays } from "../Tooling/Fields.ts"
import { brokenInspectRules, brokenQueryRules } from "./FieldRules.ts"

/** `https://example.com` without the slash is no property's name; Google answers 403 to it. */
const SiteUrl = Schema.String.check(
  Schema.isPattern(/^(?:sc-domain:[^/\s]+|https?:\/\/\S+\/)$/u, {
    message: "Expected a property such as sc-domain:example.com or https://www.example.com/ (with the last slash)"
  })
).annotate({
  description: "The property, exactly as `sites.list` gives it: `sc-domain:example.com` for a domain, " +
    "`https://www.example.com/` for a URL prefix, where the scheme, `www` and the last slash count."
})

const AbsoluteUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/\S+$/u, { message: "Expected an absolute URL (http or https)" })
)

export const SitePath = Schema.Struct({ siteUrl: SiteUrl }).annotate({ description: "URL placeholders." })

export const SitemapPath = Schema.Struct({
  siteUrl: SiteUrl,
  feedpath: AbsoluteUrl.annotate({
    description: "URL of the sitemap, absolute, such as `https://www.example.com/sitemap.xml`."
  })
}).annotate({ description: "URL placeholders." })

export const sitemapsListQuery = {
  sitemapIndex: Schema.optionalKey(AbsoluteUrl.annotate({
    description: "URL of a sitemap index; only the sitemaps that it lists are returned."
  }))
}

const Day = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?:${calendarDay})$`, "u"), { message: "Expected a calendar day, YYYY-MM-DD" })
)

const searchTypes = {
  web: "WEB",
  image: "IMAGE",
  video: "VIDEO",
  news: "NEWS",
  discover: "DISCOVER",
  googleNews: "GOOGLE_NEWS"
} as const

const filterDimensions = {
  query: "QUERY",
  page: "PAGE",
  country: "COUNTRY",
  device: "DEVICE",
  searchAppearance: "SEARCH_APPEARANCE"
} as const

const Filter = Schema.Struct({
  dimension: spelledTwoWays(filterDimensions, {
    description: "What is compared: query, page, country, device or searchAppearance. It need not be grouped by."
  }),
  operator: Schema.optionalKey(
    spelledTwoWays({
      equals: "EQUALS",
      notEquals: "NOT_EQUALS",
      contains: "CONTAINS",
      notContains: "NOT_CONTAINS",
      includingRegex: "INCLUDING_REGEX",
      excludingRegex: "EXCLUDING_REGEX"
    }, {
      description: "How it is compared. `equals` and `notEquals` mind the case of a page or query, `contains` does " +
        "not; the regular expressions are RE2.",
      default: "equals"
    })
  ),
  expression: Schema.String.check(isMaxCharacters(4096)).annotate({
    description: "What it is compared with, at most 4096 characters: a text, a regular expression, a lower-case " +
      "three-letter country (`usa`), DESKTOP, MOBILE or TABLET, or a search appearance such as AMP_BLUE_LINK."
  })
}).annotate({ description: "One condition." })

const FilterGroup = Schema.Struct({
  groupType: Schema.optionalKey(
    spelledTwoWays({ and: "AND" }, {
      description: "How the filters of the group combine: all must hold.",
      default: "and"
    })
  ),
  filters: Schema.optionalKey(Schema.Array(Filter).annotate({ description: "The filters of the group." }))
}).annotate({ description: "Filters that must all hold." })

/** `SearchAnalyticsQueryRequest`, https://developers.google.com/webmaster-tools/v1/searchanalytics/query */
export const QueryBody = Schema.Struct({
  startDate: Day.annotate({
    description: "First day, YYYY-MM-DD, in Pacific time, included. Not after `endDate`."
  }),
  endDate: Day.annotate({ description: "Last day, YYYY-MM-DD, in Pacific time, included." }),
  dimensions: Schema.optionalKey(
    Schema.Array(
      spelledTwoWays({ ...filterDimensions, date: "DATE", hour: "HOUR" }, { description: "A dimension." })
    ).check(Schema.isUnique({ expected: "each dimension once" })).annotate({
      description: "What to group by, each once, in the order of `keys`; one row of totals without. " +
        "`searchAppearance` stands alone; `date` and `hour` do not go together; `hour` needs `dataState` hourly_all; " +
        "`query` is not available for the types discover and googleNews."
    })
  ),
  type: Schema.optionalKey(
    spelledTwoWays(searchTypes, {
      description: "Which results: a search type, Discover or Google News.",
      default: "web"
    })
  ),
  searchType: Schema.optionalKey(
    spelledTwoWays(searchTypes, { description: "Deprecated name of `type`.", default: "web" })
  ),
  dimensionFilterGroups: Schema.optionalKey(
    Schema.Array(FilterGroup).annotate({ description: "Only rows that pass every group are counted." })
  ),
  aggregationType: Schema.optionalKey(
    spelledTwoWays({
      auto: "AUTO",
      byPage: "BY_PAGE",
      byProperty: "BY_PROPERTY",
      byNewsShowcasePanel: "BY_NEWS_SHOWCASE_PANEL"
    }, {
      description: "How impressions of several pages in one result count; `auto` is always possible. `byProperty` is " +
        "not possible with a page dimension or filter, nor for discover and googleNews. `byNewsShowcasePanel` needs " +
        "the type discover or googleNews and a filter searchAppearance equals NEWS_SHOWCASE, and no page.",
      default: "auto"
    })
  ),
  dataState: Schema.optionalKey(
    spelledTwoWays({
      final: "FINAL",
      all: "ALL",
      hourly_all: "HOURLY_ALL",
      DATA_STATE_UNSPECIFIED: "DATA_STATE_UNSPECIFIED"
    }, {
      description: "`final` leaves out days that are still being collected (the last two or three), `all` has them, " +
        "`hourly_all` has them by hour and goes with the dimension `hour`, and only with it.",
      default: "final"
    })
  ),
  rowLimit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25_000 })).annotate({
      description: "The most rows to return, 1 to 25000.",
      default: 1000
    })
  ),
  startRow: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })).annotate({
      description: "The first row to return, from 0; past the end there are no rows.",
      default: 0
    })
  )
}).annotate({ description: "The report." }).check(Schema.makeFilter(brokenQueryRules))

/** `InspectUrlIndexRequest`, https://developers.google.com/webmaster-tools/v1/urlInspection.index/inspect */
export const InspectBody = Schema.Struct({
  siteUrl: SiteUrl,
  inspectionUrl: AbsoluteUrl.annotate({
    description: "The URL to inspect, absolute. It must be under the property `siteUrl`."
  }),
  languageCode: Schema.optionalKey(Schema.String.annotate({
    description: "Language of the messages, IETF BCP 47, such as `de-CH`.",
    default: "en-US"
  }))
}).annotate({ description: "What to inspect." }).check(Schema.makeFilter(brokenInspectRules))
