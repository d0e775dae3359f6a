import type { Page } from "../../Data/Company.ts"
import { type Day, isoOf } from "../../Data/Day.ts"
import { seasonalFactor } from "../../Data/Season.ts"
import { hashText, mixHash, toFraction } from "../../Data/SeededRandom.ts"
import type { Property, Stream } from "./Properties.ts"

/** Somebody who visits. */
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

/** Something that happened during a session. */
export interface SessionEvent {
  readonly name: string
  /** Absent where no page was seen. */
  readonly page: Page | undefined
  /** Of a purchase. */
  readonly revenue: number
  /** Seconds of engagement. */
  readonly engagementSeconds: number
}

export interface Session {
  readonly id: number
  readonly stream: Stream
  readonly userId: number
  readonly day: Day
  /** The day as YYYYMMDD. */
  readonly date: string
  readonly hour: number
  readonly source: Source
  readonly isNew: boolean
  readonly isEngaged: boolean
  readonly seconds: number
  /** `null` where Analytics would write the empty text for "none", `undefined` where it would write "(not set)". */
  readonly landing: Page | null | undefined
  /** Of the landing page, with its question mark. */
  readonly query: string
  readonly events: ReadonlyArray<SessionEvent>
}

/** Values with their shares, which sum up to 1. */
type Shares<A> = ReadonlyArray<readonly [A, number]>

const pick = <A>(shares: Shares<A>, fallback: A, chance: number): A => {
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
const nowhere = { country: "(not set)", countryId: "(not set)", city: "(not set)" }

const machines: Shares<Pick<User, "device" | "browser" | "system">> = ([
  ["mobile", "Safari", "iOS", 0.34],
  ["mobile", "Chrome", "Android", 0.25],
  ["desktop", "Chrome", "Windows", 0.19],
  ["desktop", "Safari", "Macintosh", 0.09],
  ["desktop", "Edge", "Windows", 0.06],
  ["tablet", "Safari", "iOS", 0.05]
] as const).map(([device, browser, system, share]) => [{ device, browser, system }, share])
const otherMachine = { device: "desktop", browser: "Firefox", system: "Linux" } as const

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

/** How sessions fall on the hours of a day, in hundredths. */
const hourly = [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 5, 5, 5, 6, 8, 9, 8, 6, 3]
const hours = hourly.flatMap((share, hour) => Array.from({ length: share }, () => hour))

/** People who come back, to whichever stream. */
const regulars = 900

/** Sessions and new users have numbers of their own on every day of every stream. */
const perDay = 4000
const perStream = 100_000_000

/** The same for a user every time. */
export const userOf = (id: number): User => {
  const hash = mixHash(id, 11)
  return {
    ...pick(places, nowhere, toFraction(hash)),
    ...pick(machines, otherMachine, toFraction(mixHash(hash, 1))),
    member: toFraction(mixHash(hash, 2)) < 0.2
  }
}

/** The sessions of a day, the same every time. A roll-up property has those of all its streams. */
export const sessionsOf = ({ streams }: Property, day: Day): ReadonlyArray<Session> =>
  streams.flatMap((stream, position) => {
    const seed = mixHash(hashText(stream.id), day)
    const count = Math.round(stream.daily * seasonalFactor(day) * (0.9 + 0.2 * toFraction(seed)))
    const firstId = position * perStream + (day % 10_000) * perDay
    const date = isoOf(day).replaceAll("-", "")
    return Array.from(
      { length: count },
      (_, index) => sessionOf({ stream, day, date }, mixHash(seed, index), firstId + index)
    )
  })

const sessionOf = (
  { date, day, stream }: Pick<Session, "stream" | "day" | "date">,
  seed: number,
  id: number
): Session => {
  const chance = (salt: number) => toFraction(mixHash(seed, salt))
  const isNew = chance(1) > 0.34
  const source = pick(sources, unassigned, chance(3))
  const isEngaged = chance(4) < (source.channel === "Email" ? 0.75 : 0.56)
  const seconds = isEngaged ? 20 + Math.floor(chance(5) ** 2 * 600) : Math.floor(chance(5) * 9)
  const landing = landingOf(stream, chance(6), chance(7))
  return {
    id,
    stream,
    userId: isNew ? regulars + id : Math.floor(chance(2) * regulars),
    day,
    date,
    hour: hours[Math.floor(chance(8) * hours.length)] ?? 0,
    source,
    isNew,
    isEngaged,
    seconds,
    landing,
    query: source.campaign === "spring-newsletter" ? "?utm_source=newsletter&utm_medium=email" : "",
    events: hitsOf(stream, { chance, isEngaged, isNew, landing, seconds })
  }
}

/** Few pages get most sessions. Some sessions have no page view. */
const landingOf = ({ pages }: Stream, none: number, which: number): Session["landing"] => {
  if (none < 0.004) return null
  if (none < 0.018) return undefined
  return pages[Math.floor(which ** 2.4 * pages.length)]
}

const hit = (event: string, page: Page | undefined, engagement = 0, revenue = 0): SessionEvent => ({
  name: event,
  page,
  engagementSeconds: engagement,
  revenue
})

const plainHits = (page: Page | undefined) => ({
  visit: hit("first_visit", page),
  start: hit("session_start", page),
  view: page?.kind === "product" ? [hit("page_view", page), hit("view_item", page)] : [hit("page_view", page)],
  scroll: hit("scroll", page),
  cart: hit("add_to_cart", page),
  checkout: hit("begin_checkout", page)
})

const made = new Map<Page | undefined, ReturnType<typeof plainHits>>()

/** The hits that are the same every time, which most are. */
const plainHitsOf = (page: Page | undefined) => {
  const found = made.get(page) ?? plainHits(page)
  made.set(page, found)
  return found
}

const hitsOf = (
  { pages }: Stream,
  { chance, isEngaged, isNew, landing, seconds }: Pick<Session, "isEngaged" | "isNew" | "landing" | "seconds"> & {
    readonly chance: (salt: number) => number
  }
): ReadonlyArray<SessionEvent> => {
  const first = landing ?? undefined
  const { start, visit } = plainHitsOf(first)
  const hits = isNew ? [visit, start] : [start]
  if (first === undefined) return hits
  const seen = isEngaged ? 1 + Math.floor(chance(20) ** 2 * 6) : 1
  let last = first
  for (let step = 0; step < seen; step++) {
    if (step > 0) last = pages[Math.floor(chance(30 + step) ** 1.6 * pages.length)] ?? first
    hits.push(...plainHitsOf(last).view)
  }
  if (!isEngaged) return hits
  const { cart, checkout, scroll } = plainHitsOf(last)
  hits.push(scroll, hit("user_engagement", last, Math.round(seconds * 0.8)))
  if (last.kind !== "product" || chance(21) > 0.28) return hits
  hits.push(cart)
  if (chance(22) < 0.5) hits.push(checkout)
  if (chance(22) < 0.3) hits.push(hit("purchase", last, 0, Math.round(1200 + chance(23) * 9800) / 100))
  return hits
}

/** How many minutes ago a session is at its busiest, for those that the realtime report has: the same all day. */
export const minutesAgoOf = (session: Session): number | undefined => {
  const hash = mixHash(session.id, 97)
  return hash % 24 === 0 ? Math.floor(toFraction(mixHash(hash, 1)) * 30) : undefined
}
