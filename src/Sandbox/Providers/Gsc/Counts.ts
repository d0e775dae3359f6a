import type { Day } from "../../Data/Day.ts"
import { mixHash, toFraction } from "../../Data/SeededRandom.ts"
import { isOnBlog, type Segment } from "./Segments.ts"

export type SearchType = "web" | "image" | "video" | "news" | "discover" | "googleNews"

/** What happened to a segment on a day. Reused from call to call, for there are millions of them. */
export interface Counts {
  impressions: number
  clicks: number
  /** The sum of the positions of all impressions. */
  positions: number
}

/** How much there is of a search type beside `web`, and how often it is clicked. */
const volumes: Readonly<
  Record<SearchType, { readonly salt: number; readonly volume: number; readonly appeal: number }>
> = {
  web: { salt: 0, volume: 1, appeal: 1 },
  image: { salt: 1, volume: 0.12, appeal: 0.25 },
  video: { salt: 2, volume: 0.02, appeal: 0.4 },
  news: { salt: 3, volume: 0, appeal: 0 },
  discover: { salt: 4, volume: 1.8, appeal: 3 },
  googleNews: { salt: 5, volume: 0, appeal: 0 }
}

/** Discover shows articles, to people who asked for nothing. */
export const hasType = (segment: Segment, type: SearchType): boolean =>
  volumes[type].volume > 0 && (type !== "discover" || (segment.query === undefined && isOnBlog(segment.page)))

/** Clicks per impression by position, in tenths; people who search for the brand mean it. */
const rates = Array.from({ length: 1010 }, (_, tenths) => 0.26 / Math.max(1, tenths / 10) ** 1.25)
const brandRates = Array.from({ length: 1010 }, (_, tenths) => 0.48 / Math.max(1, tenths / 10) ** 1.25)

/** The same for a segment and a day every time. */
export const countDay = (segment: Segment, type: SearchType, day: Day, season: number, into: Counts): void => {
  const { appeal, salt, volume } = volumes[type]
  const hash = mixHash(segment.seed * 8 + salt, day)
  const expected = segment.daily * volume * season * (0.6 + 0.8 * toFraction(hash))
  const impressions = Math.floor(expected + toFraction(mixHash(hash, 1)))
  into.impressions = impressions
  into.clicks = 0
  into.positions = 0
  if (impressions === 0) return
  const drift = 0.7 * Math.sin(day / 23 + segment.seed) + 1.2 * (toFraction(mixHash(hash, 2)) - 0.5)
  const position = Math.max(1, segment.position + (segment.brand ? drift / 5 : drift))
  const rate = appeal * ((segment.brand ? brandRates : rates)[Math.round(position * 10)] ?? 0)
  into.clicks = Math.min(impressions, Math.floor(impressions * rate + toFraction(mixHash(hash, 3))))
  into.positions = Math.max(impressions, Math.round(impressions * position))
}

/** How a day's searches fall on its hours, in sixty-fourths. */
const hourly = [1, 1, 0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 4, 3, 3, 3, 4, 4, 5, 5, 4, 4, 2]
const hours = hourly.flatMap((share, hour) => Array.from({ length: share }, () => hour))

/** Splits a day's fact into its hours; they sum up to it. `add` is called once for each impression. */
export const forEachImpression = (
  segment: Segment,
  day: Day,
  { clicks, impressions, positions }: Counts,
  add: (hour: number, clicks: number, positions: number) => void
): void => {
  const hash = mixHash(segment.seed, day)
  const each = Math.floor(positions / impressions)
  const rest = positions - each * impressions
  for (let index = 0; index < impressions; index++) {
    const hour = hours[mixHash(hash, index) % hours.length] ?? 0
    add(hour, index < clicks ? 1 : 0, index < rest ? each + 1 : each)
  }
}
