import { DateTime, Effect } from "effect"

/** Days since 1970-01-01. */
export type Day = number

const dayMillis = 86_400_000

export const today = (zone: DateTime.TimeZone): Effect.Effect<Day> =>
  Effect.map(DateTime.now, (now) => dayOf(DateTime.formatIsoDate(DateTime.setZone(now, zone))))

export const dayAt = (epochMillis: number): Day => Math.floor(epochMillis / dayMillis)

export const dayOf = (iso: string): Day => Date.parse(iso) / dayMillis

export const isoOf = (day: Day): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day * dayMillis))

export const timeOf = (day: Day, seconds: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(day * dayMillis + seconds * 1000)).replace(".000Z", "Z")

export const monthsBefore = (day: Day, months: number): Day =>
  dayOf(DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(day * dayMillis), { months })))

export const weekdayOf = (day: Day): number => (day + 4) % 7
