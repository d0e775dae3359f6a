import { Effect } from "effect"
import { type Day, isoOf } from "../../Data/Day.ts"
import { catalogueOf, type Customer, knownShare } from "../../Data/Portfolio.ts"
import type { GoogleError } from "../Google/GoogleError.ts"
import { countries, devices, type Searches, searchesOn } from "./CustomerSearches.ts"
import type { Row } from "./Row.ts"
import type { Dimension, Query } from "./SearchAnalyticsRequest.ts"
import { compileFilters, type SegmentFilter } from "./SegmentFilters.ts"

/** The limit for one day, or for all days together without the dimension `date`. */
const maxRows = 50_000

/** The key encodes the values of the dimensions. Mutable, because a report adds up millions of searches. */
interface Group {
  readonly key: number
  clicks: number
  impressions: number
  positionSum: number
}
type Groups = Map<number, Group>

/** Makes each row when it is asked for: a response has up to 25,000. */
export interface Rows extends Iterable<Row> {
  readonly length: number
}

const pageRoom = 2 ** 13
const audienceRoom = 2 ** 5

const isNowhere = ({ dimensions, type }: Query) => type !== "web" || dimensions.includes("searchAppearance")

/** The rows of each day come in order of clicks. Other requests get their turn before each day. */
export const customerRows = Effect.fnUntraced(function*(
  customer: Customer,
  query: Query,
  days: ReadonlyArray<Day>,
  today: Day
): Effect.fn.Return<Rows, GoogleError> {
  const { dimensions, filters, rowLimit, startRow } = query
  const filter = yield* compileFilters(filters)
  if (isNowhere(query)) return []
  const keyAt = keyOf(dimensions, matcherOf(customer, filters, filter))
  const end = startRow + rowLimit
  const taken: Array<{ readonly wanted: ReadonlyArray<Group>; readonly day: Day }> = []
  let seen = 0
  const take = (groups: Groups, day: Day) => {
    const ordered = inOrder(groups)
    taken.push({ wanted: ordered.slice(Math.max(0, startRow - seen), Math.max(0, end - seen)), day })
    seen += ordered.length
  }
  const groups: Groups = new Map()
  for (const day of days) {
    yield* Effect.yieldNow
    addSearches(groups, searchesOn(customer, day, knownShare(day, today)), keyAt)
    if (!dimensions.includes("date")) continue
    take(groups, day)
    if (seen >= end) break
    groups.clear()
  }
  if (!dimensions.includes("date")) take(groups, 0)
  return {
    length: taken.reduce((sum, { wanted }) => sum + wanted.length, 0),
    *[Symbol.iterator]() {
      for (const { day, wanted } of taken) yield* rowsOf(customer, dimensions, wanted, isoOf(day))
    }
  }
})

type Matcher = (searches: Searches, index: number) => boolean

const matcherOf = (customer: Customer, filters: Query["filters"], filter: SegmentFilter): Matcher => {
  if (filters.length === 0) return () => true
  const { pages, queryAt } = catalogueOf(customer)
  return (searches, index) => {
    const [query, audience] = [at(searches.query, index), at(searches.audience, index)]
    const page = pages[at(searches.page, index)]
    return page !== undefined && filter({
      query: query === -1 ? undefined : queryAt(query),
      page,
      country: countries[Math.floor(audience / devices.length)] ?? "",
      device: devices[audience % devices.length] ?? ""
    })
  }
}

/** `undefined` for a search that is left out. */
type KeyAt = (searches: Searches, index: number) => number | undefined

const keyOf = (dimensions: ReadonlyArray<Dimension>, matches: Matcher): KeyAt => {
  const [byQuery, byPage, byCountry, byDevice] = (["query", "page", "country", "device"] as const).map((name) =>
    dimensions.includes(name)
  )
  return (searches, index) => {
    const query = at(searches.query, index)
    if (byQuery && query === -1 || !matches(searches, index)) return undefined
    const place = at(searches.audience, index)
    const device = place % devices.length
    return ((byQuery ? query : 0) * pageRoom + (byPage ? at(searches.page, index) : 0)) * audienceRoom +
      (byCountry ? place - device : 0) + (byDevice ? device : 0)
  }
}

const addSearches = (groups: Groups, searches: Searches, keyAt: KeyAt): void => {
  for (let index = 0; index < searches.length; index++) {
    const key = keyAt(searches, index)
    if (key === undefined) continue
    const group = groups.get(key) ?? { key, clicks: 0, impressions: 0, positionSum: 0 }
    if (group.impressions === 0) groups.set(key, group)
    group.clicks += at(searches.clicks, index)
    group.impressions += at(searches.impressions, index)
    group.positionSum += at(searches.positionSum, index)
  }
}

const inOrder = (groups: Groups): ReadonlyArray<Group> =>
  [...groups.values()].toSorted((a, b) => b.clicks - a.clicks || b.impressions - a.impressions).slice(0, maxRows)

const rowsOf = function*(
  customer: Customer,
  dimensions: ReadonlyArray<Dimension>,
  wanted: ReadonlyArray<Group>,
  date: string
): Generator<Row> {
  const values = dimensions.map((dimension) => valueIn(customer, dimension, date))
  for (const { clicks, impressions, key, positionSum } of wanted) {
    const figures = { clicks, impressions, ctr: clicks / impressions, position: positionSum / impressions }
    yield values.length === 0 ? figures : { keys: values.map((valueOf) => valueOf(key)), ...figures }
  }
}

/** The value of a dimension in the key of a group. */
const valueIn = (customer: Customer, dimension: Dimension, date: string): (key: number) => string => {
  const { pages, queryAt } = catalogueOf(customer)
  switch (dimension) {
    case "query":
      return (key) => queryAt(Math.floor(key / (pageRoom * audienceRoom)))
    case "page":
      return (key) => pages[Math.floor(key / audienceRoom) % pageRoom]?.url ?? ""
    case "country":
      return (key) => countries[Math.floor(key % audienceRoom / devices.length)] ?? ""
    case "device":
      return (key) => devices[key % audienceRoom % devices.length] ?? ""
    default:
      return () => date
  }
}

const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0
