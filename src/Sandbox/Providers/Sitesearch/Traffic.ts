import { memoize } from "effect/Function"
import { type Page, seasonalFactor } from "../../Data/Company.ts"
import type { Day } from "../../Data/Day.ts"
import { catalogueOf, type Customer } from "../../Data/Portfolio.ts"
import { searchQueries } from "../../Data/SearchQueries.ts"
import { hashText, mixHash, randomOf, toFraction } from "../../Data/SeededRandom.ts"
import type { Site } from "./Sites.ts"
import { weekdaysUntil, wireDate } from "./WireDates.ts"

interface Placement {
  readonly query: string
  readonly page: Page
  readonly dailyImpressions: number
  readonly position: number
  readonly brand: boolean
  readonly seed: number
}

const historyWeeks = 26
const historyDays = 180

/** A week ends on Friday and is published two days later. */
const friday = 5
const weeklyLag = 2

const rowsPerWeek = 100

const shareOfSearchConsole = 0.2

const siteFactor = 1.45

let cached: ReadonlyArray<Placement> | undefined

const placements = (): ReadonlyArray<Placement> =>
  cached ??= searchQueries().flatMap(({ brand, dailyImpressions, page, position, query, second }) => {
    const placement = (page: Page, dailyImpressions: number, position: number): Placement => ({
      query,
      page,
      dailyImpressions: dailyImpressions * shareOfSearchConsole,
      position,
      brand,
      seed: hashText(`${query} ${page.url}`)
    })
    return [
      placement(page, dailyImpressions, 1 + (position - 1) * 0.8),
      ...(second === undefined ? [] : [placement(second, dailyImpressions * 0.3, 2 + position)])
    ]
  })

const customerQueries = 400

const placementsOfCustomer = memoize((customer: Customer): ReadonlyArray<Placement> => {
  const { pageOf, pages, queryAt } = catalogueOf(customer)
  return Array.from({ length: customerQueries }, (_, index): ReadonlyArray<Placement> => {
    const query = queryAt(index)
    const page = pages[pageOf(index, 0)]
    return page === undefined ? [] : [{
      query,
      page,
      dailyImpressions: customer.dailyRows * 0.02 / (index + 3) ** 0.8,
      position: 1 + 18 * randomOf(`position of ${query}`) ** 1.3,
      brand: false,
      seed: hashText(`${query} ${page.url}`)
    }]
  }).flat()
})

const placementsOf = ({ customer, url }: Site) =>
  customer === undefined
    ? placements().filter(({ page }) => page.url.startsWith(url))
    : placementsOfCustomer(customer)

interface Counts {
  clicks: number
  impressions: number
  impressionPositions: number
  clickPositions: number
}

const emptyCounts = (): Counts => ({ clicks: 0, impressions: 0, impressionPositions: 0, clickPositions: 0 })

const addDay = (sum: Counts, { brand, dailyImpressions, position, seed }: Placement, day: Day): void => {
  const hash = mixHash(seed, day)
  const impressions = Math.floor(
    dailyImpressions * seasonalFactor(day) * (0.6 + 0.8 * toFraction(hash)) + toFraction(mixHash(hash, 1))
  )
  if (impressions === 0) return
  const drifted = Math.max(1, position + (brand ? 0 : 1.4 * Math.sin(day / 19 + seed)))
  const rate = (brand ? 0.45 : 0.22) / drifted ** 1.2
  const clicks = Math.min(impressions, Math.floor(impressions * rate + toFraction(mixHash(hash, 2))))
  sum.impressions += impressions
  sum.clicks += clicks
  sum.impressionPositions += impressions * drifted
  sum.clickPositions += clicks * Math.max(1, drifted - 0.5)
}

const weeklyRows = (placements: ReadonlyArray<Placement>, keyOf: (placement: Placement) => string, today: Day) =>
  weekdaysUntil(today - weeklyLag, friday, historyWeeks).flatMap((end) => {
    const sums = new Map<string, Counts>()
    for (const placement of placements) {
      const key = keyOf(placement)
      const sum = sums.get(key) ?? emptyCounts()
      for (let day = end - 6; day <= end; day++) addDay(sum, placement, day)
      if (sum.impressions > 0) sums.set(key, sum)
    }
    const date = wireDate(end)
    return [...sums]
      .toSorted(([, a], [, b]) => b.clicks - a.clicks || b.impressions - a.impressions)
      .slice(0, rowsPerWeek)
      .map(([key, { clickPositions, clicks, impressionPositions, impressions }]) => ({
        __type: "QueryStats:#Microsoft.Bing.Webmaster.Api",
        AvgClickPosition: clicks === 0 ? -1 : Math.round(clickPositions / clicks),
        AvgImpressionPosition: Math.round(impressionPositions / impressions),
        Clicks: clicks,
        Date: date,
        Impressions: impressions,
        Query: key
      }))
  })

const byQuery = ({ query }: Placement) => query
const byPage = ({ page }: Placement) => page.url

export const queryStats = (site: Site, today: Day) => weeklyRows(placementsOf(site), byQuery, today)
export const pageStats = (site: Site, today: Day) => weeklyRows(placementsOf(site), byPage, today)

export const queryPageStats = (site: Site, query: string, today: Day) =>
  weeklyRows(placementsOf(site).filter((placement) => placement.query === query.toLowerCase()), byPage, today)

export const pageQueryStats = (site: Site, page: string, today: Day) =>
  weeklyRows(placementsOf(site).filter((placement) => placement.page.url === page), byQuery, today)

const dailyRows = (placements: ReadonlyArray<Placement>, factor: number, today: Day) =>
  Array.from({ length: historyDays }, (_, index) => today - historyDays + index).flatMap((day) => {
    const sum = emptyCounts()
    for (const placement of placements) addDay(sum, placement, day)
    return sum.impressions === 0 ? [] : [{
      __type: "RankAndTrafficStats:#Microsoft.Bing.Webmaster.Api",
      Clicks: Math.round(sum.clicks * factor),
      Date: wireDate(day),
      Impressions: Math.round(sum.impressions * factor)
    }]
  })

export const rankAndTrafficStats = (site: Site, today: Day) => dailyRows(placementsOf(site), siteFactor, today)

export const queryTrafficStats = (site: Site, query: string, today: Day) =>
  dailyRows(placementsOf(site).filter((placement) => placement.query === query.toLowerCase()), 1, today)
