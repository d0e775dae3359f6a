import type { Counts } from "./Counts.ts"
import { type Dimension, isFeed, type Query } from "./SearchAnalyticsRequest.ts"
import { valuesOf } from "./SegmentFilters.ts"
import type { Place } from "./Segments.ts"

export interface Row {
  readonly keys?: ReadonlyArray<string>
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number
  readonly position?: number
}

/** Empty for the date. */
export const valueOf = (place: Place, dimension: Dimension): string =>
  dimension === "date" ? "" : valuesOf[dimension](place)?.[0] ?? ""

export const toRow = (
  { dimensions, type }: Query,
  values: ReadonlyArray<string>,
  date: string,
  { clicks, impressions, positionSum }: Counts
): Row => ({
  ...(dimensions.length === 0
    ? {}
    : { keys: dimensions.map((dimension, index) => dimension === "date" ? date : values[index] ?? "") }),
  clicks,
  impressions,
  ctr: impressions === 0 ? 0 : clicks / impressions,
  ...(isFeed(type) ? {} : { position: positionSum / impressions })
})
