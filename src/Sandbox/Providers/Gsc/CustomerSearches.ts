import type { Day } from "../../Data/Day.ts"
import { catalogueOf, type Customer, demandOn } from "../../Data/Portfolio.ts"
import { hashText, mixHash, toFraction } from "../../Data/SeededRandom.ts"

/** The searches of one day, in columns: a large day has 200,000. */
export interface Searches {
  readonly length: number
  /** Index of the query, -1 if Google withholds it. */
  readonly query: Int32Array
  readonly page: Int32Array
  /** Index of the country times the number of devices, plus index of the device. */
  readonly audience: Uint8Array
  readonly impressions: Int32Array
  readonly clicks: Int32Array
  readonly positionSum: Int32Array
}

export const countries = ["gbr", "usa", "irl", "aus", "can", "deu", "fra", "zzz"] as const
export const devices = ["MOBILE", "DESKTOP", "TABLET"] as const

/** The share of pairs of a query and a page that a second audience searches too. */
const secondAudienceShare = 0.4

/** Withheld searches for each pair of a query and a page. */
const withheldShare = 0.16

const audienceOf = (hash: number, homeShare: number, mobileShare: number): number => {
  const abroad = Math.floor(toFraction(mixHash(hash, 1)) * (countries.length - 1))
  const country = toFraction(hash) < homeShare ? 0 : 1 + abroad
  const chance = toFraction(mixHash(hash, 2))
  const device = chance < mobileShare ? 0 : chance < mobileShare + (1 - mobileShare) * 0.82 ? 1 : 2
  return country * devices.length + device
}

/** The most frequent seven tenths of the pairs are the same every day. The others change from day to day. */
const makeSearches = (customer: Customer, day: Day, share: number): Searches => {
  const { pageOf, pages, queryCount } = catalogueOf(customer)
  const { homeShare, mobileShare, rows } = demandOn(customer, day)
  const pairCount = 2 * queryCount
  const wanted = Math.min(pairCount, Math.round(rows * share))
  const steady = Math.floor(Math.min(pairCount, rows) * 0.7)
  const salt = mixHash(hashText(customer.domain), day)
  const withheld = Math.round(wanted * withheldShare)
  const most = 2 * wanted + withheld
  const searches = {
    query: new Int32Array(most),
    page: new Int32Array(most),
    audience: new Uint8Array(most),
    impressions: new Int32Array(most),
    clicks: new Int32Array(most),
    positionSum: new Int32Array(most)
  }
  let length = 0
  const add = (query: number, page: number, expected: number, position: number, hash: number) => {
    const impressions = 1 + Math.floor(expected + toFraction(mixHash(hash, 4)))
    const rate = 0.28 / position ** 1.1
    searches.query[length] = query
    searches.page[length] = page
    searches.audience[length] = audienceOf(mixHash(hash, 3), homeShare, mobileShare)
    searches.impressions[length] = impressions
    searches.clicks[length] = Math.min(impressions, Math.floor(impressions * rate + toFraction(mixHash(hash, 5))))
    searches.positionSum[length] = Math.round(impressions * position)
    length++
  }
  for (let rank = 0; rank < wanted; rank++) {
    const pair = rank < steady ? rank : steady + (rank - steady + salt) % (pairCount - steady)
    const query = pair % queryCount
    const hash = mixHash(salt, pair)
    const expected = 2400 / (rank + 12) ** 0.8
    const position = 1 + 24 * toFraction(mixHash(pair, 7)) ** 1.5 + 1.5 * toFraction(hash)
    const page = pageOf(query, pair < queryCount ? 0 : 1)
    add(query, page, expected, position, hash)
    if (toFraction(mixHash(hash, 6)) < secondAudienceShare) add(query, page, expected * 0.3, position, mixHash(hash, 8))
  }
  for (let index = 0; index < withheld; index++) {
    const hash = mixHash(salt, -1 - index)
    add(-1, hash % pages.length, 2.2 * toFraction(hash), 1 + 12 * toFraction(mixHash(hash, 7)), hash)
  }
  return { length, ...searches }
}

const recent = new Map<string, Searches>()
const maxRecent = 4

/** The same day gives the same searches. The pages of a report ask for a day several times, so the last ones are kept. */
export const searchesOn = (customer: Customer, day: Day, share: number): Searches => {
  const key = `${customer.domain} ${day} ${share}`
  const searches = recent.get(key) ?? makeSearches(customer, day, share)
  recent.delete(key)
  recent.set(key, searches)
  const [oldest] = recent.keys()
  if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest)
  return searches
}
