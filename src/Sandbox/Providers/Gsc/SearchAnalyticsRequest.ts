import { Result } from "effect"
import type { QueryBody } from "../../../Providers/Gsc/QueryBody.ts"
import { type GoogleError, invalidArgument, lacks } from "../Google/GoogleError.ts"

type Request = typeof QueryBody.Type
export type Dimension = Exclude<NonNullable<Request["dimensions"]>[number], "hour">
export type SearchType = NonNullable<Request["type"]>
export type Filter = NonNullable<NonNullable<Request["dimensionFilterGroups"]>[number]["filters"]>[number]

export interface Query {
  readonly startDate: string
  readonly endDate: string
  readonly dimensions: ReadonlyArray<Dimension>
  readonly type: SearchType
  readonly filters: ReadonlyArray<Filter>
  readonly aggregation: "byPage" | "byProperty"
  readonly isFinal: boolean
  readonly rowLimit: number
  readonly startRow: number
}

export const queryOf = (request: Request): Result.Result<Query, GoogleError> => {
  const { aggregationType, dataState, dimensionFilterGroups = [], endDate, startDate } = request
  const dimensions = (request.dimensions ?? []).filter((dimension) => dimension !== "hour")
  if (dataState === "hourly_all") return lacks("reports by hour")
  if (aggregationType === "byNewsShowcasePanel") return lacks("reports of news showcase panels")
  const type = request.type ?? request.searchType ?? "web"
  if (type === "discover" && dimensions.includes("device")) {
    return Result.fail(invalidArgument("Requests for Discover cannot be grouped by device"))
  }
  const filters = dimensionFilterGroups.flatMap((group) => group.filters ?? [])
  const usesPage = [...dimensions, ...filters.map(({ dimension }) => dimension)].some((name) =>
    name === "page" || name === "searchAppearance"
  )
  return Result.succeed({
    startDate,
    endDate,
    dimensions,
    type,
    filters,
    aggregation: usesPage || isFeed(type) || aggregationType === "byPage" ? "byPage" : "byProperty",
    isFinal: dataState !== "all",
    rowLimit: request.rowLimit ?? 1000,
    startRow: request.startRow ?? 0
  })
}

export const isFeed = (type: SearchType): boolean => type === "discover" || type === "googleNews"
