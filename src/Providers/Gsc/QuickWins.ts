import { Order } from "effect"

/** What one query did in the window, in the provider's own numbers. */
export interface QueryTotals {
  readonly query: string
  readonly clicks: number
  readonly impressions: number
  readonly position: number
}

/** Where a win is looked for: positions and impressions are compared as they are, not as they are shown. */
export interface Band {
  readonly min_position: number
  readonly max_position: number
  readonly min_impressions: number
}

/** Pages of a report overlap where rows tie, so a query may come twice. */
export const distinctQueries = (rows: Iterable<QueryTotals>): ReadonlyArray<QueryTotals> => {
  const byQuery = new Map<string, QueryTotals>()
  for (const row of rows) {
    if (!byQuery.has(row.query)) byQuery.set(row.query, row)
  }
  return [...byQuery.values()]
}

/** Most seen first, then the highest, then by name. */
const byImpressions = Order.combineAll<QueryTotals>([
  Order.mapInput(Order.flip(Order.Number), ({ impressions }) => impressions),
  Order.mapInput(Order.Number, ({ position }) => position),
  Order.mapInput(Order.String, ({ query }) => query)
])

const inBand = ({ max_position, min_position }: Band) => ({ position }: QueryTotals): boolean =>
  min_position <= position && position <= max_position

export const winsOf = (queries: ReadonlyArray<QueryTotals>, band: Band): ReadonlyArray<QueryTotals> =>
  queries.filter(inBand(band)).filter(({ impressions }) => impressions >= band.min_impressions).toSorted(byImpressions)

/** For a caller without a match: how low `min_impressions` would have to go, and how many queries there are. */
export const hintOf = (queries: ReadonlyArray<QueryTotals>, band: Band) => {
  const candidates = queries.filter(inBand(band))
  return {
    best_impressions_in_band: candidates.reduce((best, { impressions }) => Math.max(best, impressions), 0),
    queries_in_band: candidates.length
  }
}

/** Fewer impressions than this on page one are no evidence. */
const minEvidence = 100

/** The CTR that this site has on page one, not rounded; `null` without the evidence. */
export const pageOneCtr = (queries: ReadonlyArray<QueryTotals>): number | null => {
  const top = queries.filter(({ position }) => position <= 10)
  const impressions = top.reduce((sum, row) => sum + row.impressions, 0)
  const clicks = top.reduce((sum, row) => sum + row.clicks, 0)
  return impressions < minEvidence ? null : clicks / impressions
}

/** The clicks that a query would have had beyond its own with the CTR that the site has on page one. */
export const potentialClicks = (
  { clicks, impressions }: Pick<QueryTotals, "clicks" | "impressions">,
  ctr: number | null
): number | null => ctr === null ? null : Math.max(0, Math.round(impressions * ctr - clicks))

export interface PageTotals extends QueryTotals {
  readonly page: string
}

/** Most seen, then most clicked, then the highest, then by name. */
const byWeight = Order.combineAll<PageTotals>([
  Order.mapInput(Order.flip(Order.Number), ({ impressions }) => impressions),
  Order.mapInput(Order.flip(Order.Number), ({ clicks }) => clicks),
  Order.mapInput(Order.Number, ({ position }) => position),
  Order.mapInput(Order.String, ({ page }) => page)
])

/** The page of each query that was seen the most; its numbers are no part of the query's. */
export const rankingPages = (rows: ReadonlyArray<PageTotals>): ReadonlyMap<string, string> =>
  new Map(rows.toSorted(byWeight).toReversed().map(({ page, query }) => [query, page]))
