import type { Day } from "../../Data/Day.ts"
import { mixHash, toFraction } from "../../Data/SeededRandom.ts"
import type { SearchType } from "./SearchAnalyticsRequest.ts"
import { isOnBlog, type Segment } from "./Segments.ts"

/** Mutable, because a report adds up millions of them. */
export interface Counts {
  impressions: number
  clicks: number
  positionSum: number
}

/** `volume` and `clickRate` are relative to `web`. */
const volumes: Readonly<
  Record<SearchType, { readonly salt: number; readonly volume: number; readonly clickRate: number }>
> = {
  web: { salt: 0, volume: 1, clickRate: 1 },
  image: { salt: 1, volume: 0.12, clickRate: 0.25 },
  video: { salt: 2, volume: 0.02, clickRate: 0.4 },
  news: { salt: 3, volume: 0, clickRate: 0 },
  discover: { salt: 4, volume: 1.8, clickRate: 3 },
  googleNews: { salt: 5, volume: 0, clickRate: 0 }
}

export const hasType = (segment: Segment, type: SearchType): boolean =>
  volumes[type].volume > 0 && (type !== "discover" || (segment.query === undefined && isOnBlog(segment.page)))

const clickRates = Array.from({ length: 1010 }, (_, tenths) => 0.26 / Math.max(1, tenths / 10) ** 1.25)
const brandClickRates = Array.from({ length: 1010 }, (_, tenths) => 0.48 / Math.max(1, tenths / 10) ** 1.25)

export const countDay = (segment: Segment, type: SearchType, day: Day, season: number, into: Counts): void => {
  const { clickRate, salt, volume } = volumes[type]
  const hash = mixHash(segment.seed * 8 + salt, day)
  const expected = segment.dailyImpressions * volume * season * (0.6 + 0.8 * toFraction(hash))
  const impressions = Math.floor(expected + toFraction(mixHash(hash, 1)))
  into.impressions = impressions
  into.clicks = 0
  into.positionSum = 0
  if (impressions === 0) return
  const drift = 0.7 * Math.sin(day / 23 + segment.seed) + 1.2 * (toFraction(mixHash(hash, 2)) - 0.5)
  const position = Math.max(1, segment.position + (segment.brand ? drift / 5 : drift))
  const rate = clickRate * ((segment.brand ? brandClickRates : clickRates)[Math.round(position * 10)] ?? 0)
  into.clicks = Math.min(impressions, Math.floor(impressions * rate + toFraction(mixHash(hash, 3))))
  into.positionSum = Math.max(impressions, Math.round(impressions * position))
}
