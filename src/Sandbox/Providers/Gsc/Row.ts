import type { Counts } from "./Counts.ts"
import type { Dimension, Query } from "./SearchAnalyticsRequest.ts"
import type { Place } from "./Segments.ts"

export interface Row {
  readonly keys?: ReadonlyArray<string>
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number
  readonly position?: number
}

/** Empty for a dimension of time. */
export const valueOf = (place: Place, dimension: Dimension): string => {
  switch (dimension) {
    case "query":
      return place.query ?? ""
    case "page":
      return place.page.url
    case "country":
      return place.country
    case "device":
      return place.device
    default:
      return ""
  }
}

const isTime = (dimension: Dimension) => dimension === "date" || dimension === "hour"

export const toRow = (
  { dimensions, type }: Query,
  values: ReadonlyArray<string>,
  time: string,
  { clicks, impressions, positionSum }: Counts
): Row => ({
  ...(dimensions.length === 0
    ? {}
    : { keys: dimensions.map((dimension, index) => isTime(dimension) ? time : values[index] ?? "") }),
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  ...(type === "discover" || type === "googleNews" ? {} : { position: positionSum / impressions })
})
