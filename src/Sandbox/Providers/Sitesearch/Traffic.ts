import type { Page } from "../../Data/Company.ts"
import type { Day } from "../../Data/Day.ts"
import { searchQueries } from "../../Data/SearchQueries.ts"
import { seasonalFactor } from "../../Data/Season.ts"
import { hashText, mixHash, toFraction } from "../../Data/SeededRandom.ts"
import type { Site } from "./Sites.ts"
import { weeksUntil, wireDate } from "./WireDates.ts"

/** A page that shows for a query. */
interface Placement {
  readonly query: string
  readonly page: Page
  /** Impressions on an average day. */
  readonly daily: number
  readonly position: number
  readonly brand: boolean
  readonly seed: number
}

/** How many weeks, and days, of statistics there are. */
const weeks = 26
const days = 180

/** A week ends on a Friday and is published some days later. */
const friday = 5
const weeklyLag = 2

/** Rows that are kept of a week. */
const top = 100

/** Smaller than its rival, by this much. */
const share = 0.2

/** What queries too rare to be kept add to the traffic of a site. */
const rare = 1.45

let made: ReadonlyArray<Placement> | undefined

const showings = (): ReadonlyArray<Placement> =>
  made ??= searchQueries().flatMap(({ brand, daily, page, position, query, second }) => {
    const showing = (page: Page, daily: number, position: number): Placement => ({
      query,
      page,
      daily: daily * share,
      position,
      brand,
      seed: hashText(`${query} ${page.url}`)
    })
    return [
      showing(page, daily, 1 + (position - 1) * 0.8),
      ...(second === undefined ? [] : [showing(second, daily * 0.3, 2 + position)])
    ]
  })

const ofSite = ({ url }: Site) => showings().filter(({ page }) => page.url.startsWith(url))

interface Counts {
  clicks: number
  impressions: number
  /** Sums of positions. */
  shown: number
  clicked: number
}

const none = (): Counts => ({ clicks: 0, impressions: 0, shown: 0, clicked: 0 })

/** The same for a showing and a day every time. */
const addDay = (sum: Counts, { brand, daily, position, seed }: Placement, day: Day): void => {
  const hash = mixHash(seed, day)
  const impressions = Math.floor(
    daily * seasonalFactor(day) * (0.6 + 0.8 * toFraction(hash)) + toFraction(mixHash(hash, 1))
  )
  if (impressions === 0) return
  const drifted = Math.max(1, position + (brand ? 0 : 1.4 * Math.sin(day / 19 + seed)))
  const rate = (brand ? 0.45 : 0.22) / drifted ** 1.2
  const clicks = Math.min(impressions, Math.floor(impressions * rate + toFraction(mixHash(hash, 2))))
  sum.impressions += impressions
  sum.clicks += clicks
  sum.shown += impressions * drifted
  sum.clicked += clicks * Math.max(1, drifted - 0.5)
}

/** Weekly rows by what `keyOf` says, the oldest week first, the most clicked first in a week. */
const weekly = (showings: ReadonlyArray<Placement>, keyOf: (showing: Placement) => string, today: Day) =>
  weeksUntil(today - weeklyLag, friday, weeks).flatMap((end) => {
    const sums = new Map<string, Counts>()
    for (const showing of showings) {
      const key = keyOf(showing)
      const sum = sums.get(key) ?? none()
      for (let day = end - 6; day <= end; day++) addDay(sum, showing, day)
      if (sum.impressions > 0) sums.set(key, sum)
    }
    return [...sums]
      .toSorted(([, a], [, b]) => b.clicks - a.clicks || b.impressions - a.impressions)
      .slice(0, top)
      .map(([key, { clicked, clicks, impressions, shown }]) => ({
        __type: "QueryStats:#Microsoft.Bing.Webmaster.Api",
        AvgClickPosition: clicks === 0 ? -1 : Math.round(clicked / clicks),
        AvgImpressionPosition: Math.round(shown / impressions),
        Clicks: clicks,
        Date: wireDate(end),
        Impressions: impressions,
        Query: key
      }))
  })

const byQuery = ({ query }: Placement) => query
const byPage = ({ page }: Placement) => page.url

export const queryStats = (site: Site, today: Day) => weekly(ofSite(site), byQuery, today)
export const pageStats = (site: Site, today: Day) => weekly(ofSite(site), byPage, today)

export const queryPageStats = (site: Site, query: string, today: Day) =>
  weekly(ofSite(site).filter((showing) => showing.query === query.toLowerCase()), byPage, today)

export const pageQueryStats = (site: Site, page: string, today: Day) =>
  weekly(ofSite(site).filter((showing) => showing.page.url === page), byQuery, today)

const daily = (showings: ReadonlyArray<Placement>, factor: number, today: Day) =>
  Array.from({ length: days }, (_, index) => today - days + index).flatMap((day) => {
    const sum = none()
    for (const showing of showings) addDay(sum, showing, day)
    return sum.impressions === 0 ? [] : [{
      __type: "RankAndTrafficStats:#Microsoft.Bing.Webmaster.Api",
      Clicks: Math.round(sum.clicks * factor),
      Date: wireDate(day),
      Impressions: Math.round(sum.impressions * factor)
    }]
  })

export const rankAndTrafficStats = (site: Site, today: Day) => daily(ofSite(site), rare, today)

export const queryTrafficStats = (site: Site, query: string, today: Day) =>
  daily(ofSite(site).filter((showing) => showing.query === query.toLowerCase()), 1, today)
