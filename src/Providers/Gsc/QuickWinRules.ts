import { Order } from "effect"

export interface QueryTotals {
  readonly query: string
  readonly clicks: number
  readonly impressions: number
  readonly position: number
}

export interface Band {
  readonly min_position: number
  readonly max_position: number
  readonly min_impressions: number
}

export const distinctQueries = (rows: Iterable<QueryTotals>): ReadonlyArray<QueryTotals> => {
  const byQuery = new Map<string, QueryTotals>()
  for (const row of rows) {
    if (!byQuery.has(row.query)) byQuery.set(row.query, row)
  }
  return [...byQuery.values()]
}

const mostFirst = Order.flip(Order.Number)
const byImpressions = Order.Struct({ impressions: mostFirst, position: Order.Number, query: Order.String })

const inBand = ({ max_position, min_position }: Band) => ({ position }: QueryTotals): boolean =>
  min_position <= position && position <= max_position

export const selectWins = (queries: ReadonlyArray<QueryTotals>, band: Band): ReadonlyArray<QueryTotals> =>
  queries.filter(inBand(band)).filter(({ impressions }) => impressions >= band.min_impressions).toSorted(byImpressions)

export const bandHint = (queries: ReadonlyArray<QueryTotals>, band: Band) => {
  const candidates = queries.filter(inBand(band))
  return {
    best_impressions_in_band: candidates.reduce((best, { impressions }) => Math.max(best, impressions), 0),
    queries_in_band: candidates.length
  }
}

const minPageOneImpressions = 100

export const pageOneCtr = (queries: ReadonlyArray<QueryTotals>): number | null => {
  const top = queries.filter(({ position }) => position <= 10)
  const impressions = top.reduce((sum, row) => sum + row.impressions, 0)
  const clicks = top.reduce((sum, row) => sum + row.clicks, 0)
  return impressions < minPageOneImpressions ? null : clicks / impressions
}

export const potentialClicks = (
  { clicks, impressions }: Pick<QueryTotals, "clicks" | "impressions">,
  ctr: number | null
): number | null => ctr === null ? null : Math.max(0, Math.round(impressions * ctr - clicks))

export interface QueryPageTotals extends QueryTotals {
  readonly page: string
}

const byVisibility = Order.Struct({
  impressions: mostFirst,
  clicks: mostFirst,
  position: Order.Number,
  page: Order.String
})

export const rankingPages = (rows: ReadonlyArray<QueryPageTotals>): ReadonlyMap<string, string> =>
  new Map(rows.toSorted(byVisibility).toReversed().map(({ page, query }) => [query, page]))
