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

/** Numbers of groups: what one is of is in its key. */
interface Groups {
  readonly keys: ArrayLike<number>
  readonly clicks: ArrayLike<number>
  readonly impressions: ArrayLike<number>
  readonly positionSum: ArrayLike<number>
}

interface Grouping {
  readonly add: (searches: Searches) => void
  readonly groups: () => Groups
}

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
  const isOfDay = dimensions.includes("date") || days.length === 1
  const newGrouping = groupingBy(dimensions, isOfDay, matcherOf(customer, filters, filter))
  const end = startRow + rowLimit
  const taken: Array<{ readonly groups: Groups; readonly wanted: Int32Array; readonly day: Day }> = []
  let seen = 0
  const take = (groups: Groups, day: Day) => {
    const order = orderOf(groups)
    const wanted = order.slice(Math.max(0, startRow - seen), Math.max(0, end - seen))
    seen += order.length
    taken.push({ groups, wanted, day })
  }
  let grouping = newGrouping()
  for (const day of days) {
    yield* Effect.yieldNow
    grouping.add(searchesOn(customer, day, knownShare(day, today)))
    if (!dimensions.includes("date")) continue
    take(grouping.groups(), day)
    if (seen >= end) break
    grouping = newGrouping()
  }
  if (!dimensions.includes("date")) take(grouping.groups(), 0)
  return {
    length: taken.reduce((sum, { wanted }) => sum + wanted.length, 0),
    *[Symbol.iterator]() {
      for (const { day, groups, wanted } of taken) yield* rowsOf(customer, dimensions, groups, wanted, isoOf(day))
    }
  }
})

type Matcher = (searches: Searches, index: number) => boolean

/** Filters of countries and devices are asked once for each audience, and not for each of 200,000 searches. */
const matcherOf = (
  customer: Customer,
  filters: Query["filters"],
  filter: SegmentFilter
): Matcher | undefined => {
  if (filters.length === 0) return undefined
  const { pages, queryAt } = catalogueOf(customer)
  const matches = (query: number, page: number, audience: number): boolean => {
    const found = pages[page]
    return found !== undefined && filter({
      query: query === -1 ? undefined : queryAt(query),
      page: found,
      country: countries[Math.floor(audience / devices.length)] ?? "",
      device: devices[audience % devices.length] ?? ""
    })
  }
  if (filters.every(({ dimension }) => dimension === "country" || dimension === "device")) {
    const isMatch = Array.from({ length: countries.length * devices.length }, (_, audience) => matches(0, 0, audience))
    return ({ audience }, index) => isMatch[audience[index] ?? 0] ?? false
  }
  return ({ audience, page, query }, index) => matches(query[index] ?? -1, page[index] ?? 0, audience[index] ?? 0)
}

const groupingBy = (
  dimensions: ReadonlyArray<Dimension>,
  isOfDay: boolean,
  matches: Matcher | undefined
): () => Grouping => {
  const [byQuery, byPage, byCountry, byDevice] = (["query", "page", "country", "device"] as const).map((name) =>
    dimensions.includes(name)
  )
  const keyAt: KeyAt = (searches, index) => {
    const query = searches.query[index] ?? 0
    if (byQuery && query === -1 || matches?.(searches, index) === false) return undefined
    const place = searches.audience[index] ?? 0
    const device = place % devices.length
    return ((byQuery ? query : 0) * pageRoom + (byPage ? searches.page[index] ?? 0 : 0)) * audienceRoom +
      (byCountry ? place - device : 0) + (byDevice ? device : 0)
  }
  const isInOrder = isOfDay && byQuery && byPage && !byCountry && !byDevice
  return () => isInOrder ? groupingInOrder(keyAt) : groupingByKey(keyAt)
}

/** `undefined` for a search that is left out. */
type KeyAt = (searches: Searches, index: number) => number | undefined

type Sums = Record<"clicks" | "impressions" | "positionSum", { [group: number]: number }>

const addTo = ({ clicks, impressions, positionSum }: Sums, group: number, searches: Searches, index: number): void => {
  clicks[group] = (clicks[group] ?? 0) + (searches.clicks[index] ?? 0)
  impressions[group] = (impressions[group] ?? 0) + (searches.impressions[index] ?? 0)
  positionSum[group] = (positionSum[group] ?? 0) + (searches.positionSum[index] ?? 0)
}

const groupingByKey = (keyAt: KeyAt): Grouping => {
  const groups = {
    keys: Array.of<number>(),
    clicks: Array.of<number>(),
    impressions: Array.of<number>(),
    positionSum: Array.of<number>()
  }
  const indexOf = new Map<number, number>()
  const add = (searches: Searches) => {
    for (let index = 0; index < searches.length; index++) {
      const key = keyAt(searches, index)
      if (key === undefined) continue
      let group = indexOf.get(key)
      if (group === undefined) {
        group = groups.keys.push(key) - 1
        indexOf.set(key, group)
      }
      addTo(groups, group, searches, index)
    }
  }
  return { add, groups: () => groups }
}

/** Groups one day, whose searches of a query and a page are in a row. A `Map` of 120,000 pairs takes megabytes. */
const groupingInOrder = (keyAt: KeyAt): Grouping => {
  let groups: Groups = { keys: [], clicks: [], impressions: [], positionSum: [] }
  const add = (searches: Searches) => {
    const keys = new Float64Array(searches.length)
    const sums = {
      clicks: new Int32Array(searches.length),
      impressions: new Int32Array(searches.length),
      positionSum: new Int32Array(searches.length)
    }
    let last = -1
    for (let index = 0; index < searches.length; index++) {
      const key = keyAt(searches, index)
      if (key === undefined) continue
      if (keys[last] !== key) keys[++last] = key
      addTo(sums, last, searches, index)
    }
    groups = { ...sums, keys: keys.subarray(0, last + 1) }
  }
  return { add, groups: () => groups }
}

/** The groups with rows, the most clicks first. */
const orderOf = ({ clicks, impressions, keys }: Groups): Int32Array => {
  const count = keys.length
  const mostClicks = mostOf(clicks)
  const room = mostOf(impressions) + 1
  if ((mostClicks + 1) * room * count > Number.MAX_SAFE_INTEGER) {
    return Int32Array.from(keys, (_, group) => group)
      .toSorted((a, b) => at(clicks, b) - at(clicks, a) || at(impressions, b) - at(impressions, a))
      .subarray(0, maxRows)
  }
  // Numbers sort several times as fast without a function that compares them.
  const ranks = new Float64Array(count)
    .map((_, group) => ((mostClicks - at(clicks, group)) * room + room - 1 - at(impressions, group)) * count + group)
    .toSorted()
  return new Int32Array(ranks.subarray(0, maxRows).map((rank) => rank % count))
}

const mostOf = (counts: ArrayLike<number>): number => {
  let most = 0
  for (let group = 0; group < counts.length; group++) most = Math.max(most, at(counts, group))
  return most
}

const rowsOf = function*(
  customer: Customer,
  dimensions: ReadonlyArray<Dimension>,
  { clicks, impressions, keys, positionSum }: Groups,
  wanted: Int32Array,
  date: string
): Generator<Row> {
  const values = dimensions.map((dimension) => valueIn(customer, dimension, date))
  for (const group of wanted) {
    const key = at(keys, group)
    const clicked = at(clicks, group)
    const seen = at(impressions, group)
    const figures = { clicks: clicked, impressions: seen, ctr: clicked / seen, position: at(positionSum, group) / seen }
    yield values.length === 0 ? figures : { keys: values.map((valueOf) => valueOf(key)), ...figures }
  }
}

/** What the key of a group says of a dimension. */
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
