import { DateTime, Effect } from "effect"

/** A calendar day as the number of days since 1970-01-01. */
export type Day = number

const dayMillis = 86_400_000

/** The day that it is now in a time zone. */
export const today = (zone: DateTime.TimeZone): Effect.Effect<Day> =>
  Effect.map(DateTime.now, (now) => dayOf(DateTime.formatIsoDate(DateTime.setZone(now, zone))))

/** The day in UTC at that many milliseconds since 1970. */
export const dayAt = (millis: number): Day => Math.floor(millis / dayMillis)

/** Of `YYYY-MM-DD`. */
export const dayOf = (iso: string): Day => Date.parse(iso) / dayMillis

/** Whether it is `YYYY-MM-DD` and there is such a day. */
export const isDay = (text: string): boolean => {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayOf(text) : Number.NaN
  return !Number.isNaN(day) && isoOf(day) === text
}

/** As `YYYY-MM-DD`. */
export const isoOf = (day: Day): string => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(day * dayMillis))

/** As RFC 3339, that many seconds after the day began in UTC. */
export const timeOf = (day: Day, seconds: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(day * dayMillis + seconds * 1000)).replace(".000Z", "Z")

export const monthsBefore = (day: Day, months: number): Day =>
  dayOf(DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(day * dayMillis), { months })))

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => (day + 4) % 7
