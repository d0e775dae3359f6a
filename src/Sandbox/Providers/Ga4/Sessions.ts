import { append } from "../../../Domain/Lists.ts"
import { type Page, seasonalFactor } from "../../Data/Company.ts"
import { type Day, isoOf } from "../../Data/Day.ts"
import { demandOn } from "../../Data/Portfolio.ts"
import { hashText, mixHash, toFraction } from "../../Data/SeededRandom.ts"
import type { Property, Stream } from "./Properties.ts"

export interface User {
  readonly country: string
  readonly countryId: string
  readonly city: string
  readonly device: "mobile" | "desktop" | "tablet"
  readonly browser: string
  readonly system: string
  readonly member: boolean
}

export interface Source {
  readonly channel: string
  readonly source: string
  readonly medium: string
  readonly campaign: string
}

export interface SessionEvent {
  readonly name: string
  readonly page: Page | undefined
  readonly revenue: number
  readonly engagementSeconds: number
}

export interface Session {
  readonly id: number
  readonly stream: Stream
  readonly userId: number
  readonly day: Day
  readonly date: string
  readonly hour: number
  readonly source: Source
  readonly isNew: boolean
  readonly isEngaged: boolean
  readonly seconds: number
  readonly landing: Page | null | undefined
  readonly landingQuery: string
  readonly events: ReadonlyArray<SessionEvent>
}

type Shares<A> = ReadonlyArray<readonly [A, number]>

const pickValue = <A>(shares: Shares<A>, fallback: A, chance: number): A => {
  let rest = chance
  for (const [value, share] of shares) {
    if (rest < share) return value
    rest -= share
  }
  return fallback
}

const places: Shares<Pick<User, "country" | "countryId" | "city">> = ([
  ["United Kingdom", "GB", "London", 0.24],
  ["United Kingdom", "GB", "Manchester", 0.11],
  ["United Kingdom", "GB", "Bristol", 0.09],
  ["United Kingdom", "GB", "(not set)", 0.12],
  ["United States", "US", "New York", 0.08],
  ["United States", "US", "Portland", 0.07],
  ["Ireland", "IE", "Dublin", 0.08],
  ["Australia", "AU", "Melbourne", 0.06],
  ["Canada", "CA", "Toronto", 0.05],
  ["Germany", "DE", "Hamburg", 0.05],
  ["France", "FR", "Lyon", 0.04]
] as const).map(([country, countryId, city, share]) => [{ country, countryId, city }, share])
const otherPlace = { country: "(not set)", countryId: "(not set)", city: "(not set)" }

const devices: Shares<Pick<User, "device" | "browser" | "system">> = ([
  ["mobile", "Safari", "iOS", 0.34],
  ["mobile", "Chrome", "Android", 0.25],
  ["desktop", "Chrome", "Windows", 0.19],
  ["desktop", "Safari", "Macintosh", 0.09],
  ["desktop", "Edge", "Windows", 0.06],
  ["tablet", "Safari", "iOS", 0.05]
] as const).map(([device, browser, system, share]) => [{ device, browser, system }, share])
const otherDevice = { device: "desktop", browser: "Firefox", system: "Linux" } as const

const sources: Shares<Source> = ([
  ["Organic Search", "google", "organic", "(organic)", 0.45],
  ["Direct", "(direct)", "(none)", "(direct)", 0.2],
  ["Email", "newsletter", "email", "spring-newsletter", 0.08],
  ["Paid Search", "google", "cpc", "brand-uk", 0.07],
  ["Organic Social", "instagram.com", "social", "(referral)", 0.06],
  ["Organic Search", "bing", "organic", "(organic)", 0.05],
  ["Referral", "rhs.example", "referral", "(referral)", 0.04],
  ["Organic Social", "pinterest.com", "social", "(referral)", 0.03]
] as const).map(([channel, source, medium, campaign, share]) => [{ channel, source, medium, campaign }, share])
const unassigned: Source = { channel: "Unassigned", source: "(not set)", medium: "(not set)", campaign: "(not set)" }

const hourlyShares = [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 5, 5, 5, 6, 8, 9, 8, 6, 3]
const hours = hourlyShares.flatMap((share, hour) => Array.from({ length: share }, () => hour))

const returningUsers = 900

const idsPerDay = 4000
const idsPerCustomerDay = 150_000
const idsPerStream = 100_000_000

export const userOf = (id: number): User => {
  const hash = mixHash(id, 11)
  return {
    ...pickValue(places, otherPlace, toFraction(hash)),
    ...pickValue(devices, otherDevice, toFraction(mixHash(hash, 1))),
    member: toFraction(mixHash(hash, 2)) < 0.2
  }
}

const countOf = ({ customer, dailySessions }: Stream, day: Day, chance: number): number =>
  customer === undefined
    ? Math.round(dailySessions * seasonalFactor(day) * (0.9 + 0.2 * chance))
    : demandOn(customer, day).sessions

/** `known` is the share of the day's sessions that Google has counted, for properties of customers. */
export function* sessionsOf({ streams }: Property, day: Day, known = 1): Generator<Session> {
  const date = isoOf(day).replaceAll("-", "")
  for (const [position, stream] of streams.entries()) {
    const seed = mixHash(hashText(stream.id), day)
    const count = countOf(stream, day, toFraction(seed)) * (stream.customer === undefined ? 1 : known)
    const firstId = position * idsPerStream +
      (day % 10_000) * (stream.customer === undefined ? idsPerDay : idsPerCustomerDay)
    for (let index = 0; index < count; index++) {
      yield sessionOf({ stream, day, date }, mixHash(seed, index), firstId + index)
    }
  }
}

const sessionOf = (
  { date, day, stream }: Pick<Session, "stream" | "day" | "date">,
  seed: number,
  id: number
): Session => {
  const chance = (salt: number) => toFraction(mixHash(seed, salt))
  const isNew = chance(1) > 0.34
  const source = pickValue(sources, unassigned, chance(3))
  const isEngaged = chance(4) < (source.channel === "Email" ? 0.75 : 0.56)
  const seconds = isEngaged ? 20 + Math.floor(chance(5) ** 2 * 600) : Math.floor(chance(5) * 9)
  const landing = landingOf(stream, chance(6), chance(7))
  return {
    id,
    stream,
    userId: isNew ? returningUsers + id : Math.floor(chance(2) * returningUsers),
    day,
    date,
    hour: hours[Math.floor(chance(8) * hours.length)] ?? 0,
    source,
    isNew,
    isEngaged,
    seconds,
    landing,
    landingQuery: source.campaign === "spring-newsletter" ? "?utm_source=newsletter&utm_medium=email" : "",
    events: eventsOf(stream, { chance, isEngaged, isNew, landing, seconds })
  }
}

const landingOf = ({ pages }: Stream, chance: number, pageChance: number): Session["landing"] => {
  if (chance < 0.004) return null
  if (chance < 0.018) return undefined
  return pages[Math.floor(pageChance ** 2.4 * pages.length)]
}

const makeEvent = (name: string, page: Page | undefined, engagementSeconds = 0, revenue = 0): SessionEvent => ({
  name,
  page,
  engagementSeconds,
  revenue
})

const makePageEvents = (page: Page | undefined) => ({
  visit: makeEvent("first_visit", page),
  start: makeEvent("session_start", page),
  view: page?.kind === "product"
    ? [makeEvent("page_view", page), makeEvent("view_item", page)]
    : [makeEvent("page_view", page)],
  scroll: makeEvent("scroll", page),
  cart: makeEvent("add_to_cart", page),
  checkout: makeEvent("begin_checkout", page)
})

const cached = new Map<Page | undefined, ReturnType<typeof makePageEvents>>()

const pageEvents = (page: Page | undefined) => {
  const found = cached.get(page) ?? makePageEvents(page)
  cached.set(page, found)
  return found
}

const eventsOf = (
  { pages }: Stream,
  { chance, isEngaged, isNew, landing, seconds }: Pick<Session, "isEngaged" | "isNew" | "landing" | "seconds"> & {
    readonly chance: (salt: number) => number
  }
): ReadonlyArray<SessionEvent> => {
  const first = landing ?? undefined
  const { start, visit } = pageEvents(first)
  const events = isNew ? [visit, start] : [start]
  if (first === undefined) return events
  const viewCount = isEngaged ? 1 + Math.floor(chance(20) ** 2 * 6) : 1
  let last = first
  for (let step = 0; step < viewCount; step++) {
    if (step > 0) last = pages[Math.floor(chance(30 + step) ** 1.6 * pages.length)] ?? first
    append(events, pageEvents(last).view)
  }
  if (!isEngaged) return events
  const { cart, checkout, scroll } = pageEvents(last)
  events.push(scroll, makeEvent("user_engagement", last, Math.round(seconds * 0.8)))
  if (last.kind !== "product" || chance(21) > 0.28) return events
  events.push(cart)
  if (chance(22) < 0.5) events.push(checkout)
  if (chance(22) < 0.3) events.push(makeEvent("purchase", last, 0, Math.round(1200 + chance(23) * 9800) / 100))
  return events
}

export const minutesAgoOf = (session: Session): number | undefined => {
  const hash = mixHash(session.id, 97)
  return hash % 24 === 0 ? Math.floor(toFraction(mixHash(hash, 1)) * 30) : undefined
}
