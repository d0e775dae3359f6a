import { Schema } from "effect"
import { calendarDayPattern, enumWithAliases, isMaxCharacters } from "../Tooling/Fields.ts"
import { queryIssues, queryRules } from "./FieldRules.ts"

const Day = Schema.String.check(
  Schema.isPattern(new RegExp(`^(?:${calendarDayPattern})$`, "u"), { message: "Expected a calendar day, YYYY-MM-DD" })
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
  dimension: enumWithAliases(filterDimensions, {
    description:
      "The dimension to compare: query, page, country, device or searchAppearance. It need not be in `dimensions`."
  }),
  operator: Schema.optionalKey(
    enumWithAliases({
      equals: "EQUALS",
      notEquals: "NOT_EQUALS",
      contains: "CONTAINS",
      notContains: "NOT_CONTAINS",
      includingRegex: "INCLUDING_REGEX",
      excludingRegex: "EXCLUDING_REGEX"
    }, {
      description: "How to compare. For a page or query `equals` and `notEquals` are case-sensitive, `contains` is " +
        "not. Regular expressions are RE2.",
      default: "equals"
    })
  ),
  expression: Schema.String.check(isMaxCharacters(4096)).annotate({
    description: "The value to compare with, at most 4096 characters: a text, a regular expression, a lower-case " +
      "three-letter country (`usa`), DESKTOP, MOBILE or TABLET, or a search appearance such as AMP_BLUE_LINK."
  })
}).annotate({ description: "One condition." })

const FilterGroup = Schema.Struct({
  groupType: Schema.optionalKey(
    enumWithAliases({ and: "AND" }, {
      description: "How the filters of the group combine: all must match.",
      default: "and"
    })
  ),
  filters: Schema.optionalKey(Schema.Array(Filter).annotate({ description: "The filters of the group." }))
}).annotate({ description: "Filters that must all match." })

export const QueryBody = Schema.Struct({
  startDate: Day.annotate({
    description: "First day, YYYY-MM-DD, in Pacific time, inclusive. Not after `endDate`."
  }),
  endDate: Day.annotate({ description: "Last day, YYYY-MM-DD, in Pacific time, inclusive." }),
  dimensions: Schema.optionalKey(
    Schema.Array(
      enumWithAliases({ ...filterDimensions, date: "DATE", hour: "HOUR" }, { description: "A dimension." })
    ).check(Schema.isUnique({ expected: "each dimension once" })).annotate({
      description: "What to group by, each once, in the order of `keys`. Without dimensions there is one row of " +
        "totals. `searchAppearance` cannot be combined. `date` and `hour` exclude each other. `hour` needs `dataState` " +
        "hourly_all. `query` is not available for the types discover and googleNews."
    })
  ),
  type: Schema.optionalKey(
    enumWithAliases(searchTypes, {
      description: "Kind of results: a search type, Discover or Google News.",
      default: "web"
    })
  ),
  searchType: Schema.optionalKey(
    enumWithAliases(searchTypes, { description: "Deprecated name of `type`.", default: "web" })
  ),
  dimensionFilterGroups: Schema.optionalKey(
    Schema.Array(FilterGroup).annotate({ description: "Counts only rows that match every group." })
  ),
  aggregationType: Schema.optionalKey(
    enumWithAliases({
      auto: "AUTO",
      byPage: "BY_PAGE",
      byProperty: "BY_PROPERTY",
      byNewsShowcasePanel: "BY_NEWS_SHOWCASE_PANEL"
    }, {
      description:
        "How to count several pages in one result. `auto` is always possible. `byProperty` is not possible " +
        "with a page dimension or filter, nor for discover and googleNews. `byNewsShowcasePanel` needs the type discover " +
        "or googleNews and a filter searchAppearance equals NEWS_SHOWCASE, without a page dimension or filter.",
      default: "auto"
    })
  ),
  dataState: Schema.optionalKey(
    enumWithAliases({
      final: "FINAL",
      all: "ALL",
      hourly_all: "HOURLY_ALL",
      DATA_STATE_UNSPECIFIED: "DATA_STATE_UNSPECIFIED"
    }, {
      description: "`final` leaves out days that are still being collected, the last two or three. `all` includes " +
        "them. `hourly_all` includes them by hour, and requires the dimension `hour`.",
      default: "final"
    })
  ),
  rowLimit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25_000 })).annotate({
      description: "Maximum number of rows, 1 to 25000.",
      default: 1000
    })
  ),
  startRow: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })).annotate({
      description: "The first row to return, from 0. Past the end there are no rows.",
      default: 0
    })
  )
}).annotate({ description: "The report." }).check(
  Schema.makeFilter(queryIssues, { toJsonSchema: () => queryRules })
)
