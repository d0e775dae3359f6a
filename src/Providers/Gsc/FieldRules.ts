import type { JsonSchema, Schema } from "effect"
import type { Issue } from "../../Domain/Validation/Issue.ts"

interface ReportFields {
  readonly startDate: string
  readonly endDate: string
  readonly dimensions?: ReadonlyArray<string>
  readonly type?: string
  readonly searchType?: string
  readonly dimensionFilterGroups?: ReadonlyArray<{ readonly filters?: ReadonlyArray<Filter> }>
  readonly aggregationType?: string
  readonly dataState?: string
}

interface Filter {
  readonly dimension: string
  readonly operator?: string
  readonly expression: string
}

export const queryIssues = (query: ReportFields): ReadonlyArray<Schema.FilterIssue> => {
  const { aggregationType = "auto", dataState = "final", dimensions = [], endDate, startDate } = query
  const filters = (query.dimensionFilterGroups ?? []).flatMap((group) => group.filters ?? [])
  const isByPage = dimensions.includes("page") || filters.some(({ dimension }) => dimension === "page")
  const isShowcase = aggregationType === "byNewsShowcasePanel"
  return [
    {
      isBroken: startDate > endDate,
      path: ["startDate"],
      issue: "Expected a day that is not after endDate"
    },
    {
      isBroken: dimensions.includes("query") && isFeed(query),
      path: ["dimensions", dimensions.indexOf("query")],
      issue: "The types discover and googleNews have no dimension query"
    },
    {
      isBroken: dimensions.includes("searchAppearance") && dimensions.length > 1,
      path: ["dimensions"],
      issue: "searchAppearance cannot be grouped together with another dimension"
    },
    {
      isBroken: dimensions.includes("date") && dimensions.includes("hour"),
      path: ["dimensions"],
      issue: "date and hour cannot be grouped together"
    },
    {
      isBroken: dimensions.includes("hour") && dataState !== "hourly_all",
      path: ["dataState"],
      issue: "The dimension hour requires dataState hourly_all"
    },
    {
      isBroken: dataState === "hourly_all" && !dimensions.includes("hour"),
      path: ["dimensions"],
      issue: "dataState hourly_all requires the dimension hour"
    },
    {
      isBroken: (aggregationType === "byProperty" || isShowcase) && isByPage,
      path: ["aggregationType"],
      issue: `${aggregationType} is not possible with a page dimension or filter`
    },
    {
      isBroken: aggregationType === "byProperty" && isFeed(query),
      path: ["aggregationType"],
      issue: "byProperty is not possible for the types discover and googleNews"
    },
    {
      isBroken: isShowcase && !mayBeFeed(query),
      path: ["aggregationType"],
      issue: "byNewsShowcasePanel requires the type discover or googleNews"
    },
    {
      isBroken: isShowcase && !filters.some(isNewsShowcase),
      path: ["aggregationType"],
      issue: "byNewsShowcasePanel requires a filter searchAppearance equals NEWS_SHOWCASE"
    }
  ].flatMap(({ isBroken, issue, path }) => isBroken ? [{ path, issue }] : [])
}

const reportTypes = ({ searchType, type }: ReportFields): ReadonlyArray<string> => {
  const given = [type, searchType].filter((each) => each !== undefined)
  return given.length === 0 ? ["web"] : given
}
const feeds = ["discover", "googleNews"]
const isFeed = (query: ReportFields): boolean => reportTypes(query).every((type) => feeds.includes(type))
const mayBeFeed = (query: ReportFields): boolean => reportTypes(query).some((type) => feeds.includes(type))

const isNewsShowcase = ({ dimension, expression, operator = "equals" }: Filter): boolean =>
  dimension === "searchAppearance" && operator === "equals" && expression.toUpperCase() === "NEWS_SHOWCASE"

const field = (name: string, schema: JsonSchema.JsonSchema) => ({
  required: [name],
  patternProperties: { [`^${name}$`]: schema }
})
const groupsBy = (...spellings: ReadonlyArray<string>) => field("dimensions", { contains: { enum: spellings } })
const isHourly = field("dataState", { enum: ["hourly_all", "HOURLY_ALL"] })
const isFeedType = { enum: ["discover", "DISCOVER", "googleNews", "GOOGLE_NEWS"] }
const byHour = groupsBy("hour", "HOUR")

export const queryRules = {
  allOf: [
    { anyOf: [{ allOf: [byHour, isHourly] }, { not: { anyOf: [byHour, isHourly] } }] },
    { not: { allOf: [groupsBy("date", "DATE"), byHour] } },
    {
      anyOf: [
        { not: groupsBy("searchAppearance", "SEARCH_APPEARANCE") },
        { patternProperties: { "^dimensions$": { maxItems: 1 } } }
      ]
    },
    {
      not: {
        allOf: [
          groupsBy("query", "QUERY"),
          { anyOf: [{ required: ["type"] }, { required: ["searchType"] }] },
          { patternProperties: { "^(?:type|searchType)$": isFeedType } }
        ]
      }
    }
  ]
}

interface InspectFields {
  readonly siteUrl: string
  readonly inspectionUrl: string
}

/** For a URL outside of the property, Google returns a 403 that looks like missing access. */
export const inspectIssues = ({ inspectionUrl, siteUrl }: InspectFields): ReadonlyArray<Issue> =>
  isUnder(inspectionUrl, siteUrl)
    ? []
    : [{ path: ["input", "body", "inspectionUrl"], message: `Expected a URL under the property ${siteUrl}` }]

const domainPrefix = "sc-domain:"

const isUnder = (inspectionUrl: string, siteUrl: string): boolean => {
  const page = URL.parse(inspectionUrl)
  const isDomain = siteUrl.startsWith(domainPrefix)
  const property = URL.parse(isDomain ? `https://${siteUrl.slice(domainPrefix.length)}/` : siteUrl)
  if (page === null || property === null) return true
  return isDomain
    ? page.hostname === property.hostname || page.hostname.endsWith(`.${property.hostname}`)
    : page.href.startsWith(property.href)
}
