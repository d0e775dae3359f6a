import { Effect } from "effect"
import { isDay } from "../../Data/Day.ts"
import { GoogleError } from "../Google/GoogleError.ts"
import { enumOf, int32, message, repeated, string } from "../Google/ProtoJson.ts"
import type { SearchType } from "./Counts.ts"

const proto = (name: string) => `google.searchconsole.v1.searchanalytics.${name}`

const filterable = ["query", "page", "country", "device", "searchAppearance"] as const
export type FilterDimension = typeof filterable[number]

const searchType = enumOf<SearchType>(proto("SearchType"), ["web", "image", "video", "news", "discover", "googleNews"])

const Filter = message({
  dimension: enumOf(proto("ApiDimensionFilter.DimensionType"), filterable),
  operator: enumOf(proto("ApiDimensionFilter.OperatorType"), [
    "equals",
    "notEquals",
    "contains",
    "notContains",
    "includingRegex",
    "excludingRegex"
  ]),
  expression: string
})
export type Filter = typeof Filter.Type

export const SearchAnalyticsQueryRequest = message({
  startDate: string,
  endDate: string,
  dimensions: repeated(enumOf(proto("Dimension"), [...filterable, "date", "hour"])),
  type: searchType,
  searchType,
  dimensionFilterGroups: repeated(message({
    groupType: enumOf(proto("ApiDimensionFilterGroup.GroupType"), ["and"]),
    filters: repeated(Filter)
  })),
  aggregationType: enumOf(proto("AggregationType"), ["auto", "byPage", "byProperty", "byNewsShowcasePanel"]),
  dataState: enumOf(proto("DataState"), ["final", "all", "hourlyAll", "dataStateUnspecified"]),
  rowLimit: int32,
  startRow: int32
})
type Request = typeof SearchAnalyticsQueryRequest.Type
export type Dimension = NonNullable<Request["dimensions"]>[number]

export interface Query {
  readonly startDate: string
  readonly endDate: string
  readonly dimensions: ReadonlyArray<Dimension>
  readonly type: SearchType
  readonly filters: ReadonlyArray<Filter>
  readonly aggregation: "byPage" | "byProperty"
  readonly dataState: "final" | "all" | "hourlyAll"
  readonly rowLimit: number
  readonly startRow: number
}

export const validateQuery = (request: Request): Effect.Effect<Query, GoogleError> => {
  const {
    aggregationType = "auto",
    dataState: state = "final",
    dimensionFilterGroups = [],
    dimensions = [],
    endDate = "",
    rowLimit = 1000,
    startDate = "",
    startRow = 0
  } = request
  const dataState = state === "dataStateUnspecified" ? "final" : state
  const type = request.type ?? request.searchType ?? "web"
  const filters = dimensionFilterGroups.flatMap((group) => group.filters ?? [])
  const query: Query = {
    startDate,
    endDate,
    dimensions,
    type,
    filters,
    dataState,
    rowLimit,
    startRow,
    aggregation: isFeed(type) || usesPage(dimensions, filters) || aggregationType === "byPage" ? "byPage" : "byProperty"
  }
  const problem = datesProblem(query) ?? dimensionsProblem(query) ?? aggregationProblem(query, aggregationType) ??
    limitsProblem(query) ?? filters.map(filterProblem).find((found) => found !== undefined)
  return problem === undefined ? Effect.succeed(query) : Effect.fail(problem)
}

const isFeed = (type: SearchType) => type === "discover" || type === "googleNews"

const usesPage = (dimensions: ReadonlyArray<Dimension>, filters: ReadonlyArray<Filter>) =>
  dimensions.includes("page") || dimensions.includes("searchAppearance") ||
  filters.some(({ dimension }) => dimension === "page" || dimension === "searchAppearance")

type Problem = GoogleError | undefined

const invalid = (message: string): GoogleError => new GoogleError({ code: 400, message, reason: "invalidParameter" })

const datesProblem = ({ endDate, startDate }: Query): Problem => {
  if (startDate === "") {
    return new GoogleError({ code: 400, message: "startDate field is required.", reason: "required" })
  }
  if (endDate === "") return new GoogleError({ code: 400, message: "endDate field is required.", reason: "required" })
  for (const [name, value] of [["startDate", startDate], ["endDate", endDate]] as const) {
    if (!isDay(value)) return invalid(`Invalid value for ${name}: '${value}'. It must be in the format YYYY-MM-DD.`)
  }
  return startDate > endDate ? invalid("startDate must be before or equal to endDate.") : undefined
}

const dimensionsProblem = ({ dataState, dimensions, type }: Query): Problem => {
  if (new Set(dimensions).size < dimensions.length) return invalid("Duplicate dimensions are not allowed.")
  if (dimensions.includes("searchAppearance") && dimensions.length > 1) {
    return invalid("Cannot group by search appearance dimension together with another dimension.")
  }
  if (dimensions.includes("date") && dimensions.includes("hour")) {
    return invalid("Request cannot be grouped by both date and hour")
  }
  if (dimensions.includes("hour") && dataState !== "hourlyAll") {
    return invalid("Grouping by HOUR requires setting dataState=HOURLY_ALL")
  }
  if (dataState === "hourlyAll" && !dimensions.includes("hour")) {
    return invalid("Using dataState=HOURLY_ALL is allowed only when grouping by HOUR")
  }
  const feed = type === "discover" ? "Discover" : "Google News"
  const invalidDimension = isFeed(type)
    ? dimensions.find((name) => name === "query" || (name === "device" && type === "discover"))
    : undefined
  return invalidDimension === undefined
    ? undefined
    : invalid(`Requests for ${feed} cannot be grouped by ${invalidDimension}`)
}

const aggregationProblem = ({ dimensions, filters, type }: Query, aggregationType: string): Problem => {
  const page = dimensions.includes("page") || filters.some(({ dimension }) => dimension === "page")
  const showcase = filters.some((filter) =>
    filter.dimension === "searchAppearance" && (filter.operator ?? "equals") === "equals" &&
    filter.expression === "NEWS_SHOWCASE"
  )
  const isInvalid = (aggregationType === "byProperty" && (page || isFeed(type))) ||
    (aggregationType === "byNewsShowcasePanel" && (page || !isFeed(type) || !showcase))
  const name = aggregationType.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
  return isInvalid ? invalid(`'${name}' is not a valid aggregation type in the context of the request.`) : undefined
}

const limitsProblem = ({ rowLimit, startRow }: Query): Problem => {
  if (rowLimit < 1 || rowLimit > 25_000) {
    return invalid(`Invalid row limit: ${rowLimit}. It must be between 1 and 25000.`)
  }
  return startRow < 0 ? invalid(`Invalid start row: ${startRow}. It must not be negative.`) : undefined
}

const filterProblem = ({ dimension, expression = "" }: Filter): Problem => {
  if (dimension === undefined) return invalid("A filter must have a dimension.")
  return expression.length > 4096 ? invalid("A filter's expression must be at most 4096 characters long.") : undefined
}
