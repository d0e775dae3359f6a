import { DateTime } from "effect"
import { type Day, isoOf, weekdayOf } from "../../Data/Day.ts"

export const pacific = DateTime.zoneMakeNamedUnsafe("America/Los_Angeles")

const midnight = (day: Day) => DateTime.makeZonedUnsafe(isoOf(day), { timeZone: pacific, adjustForTimeZone: true })

/** A day as its midnight in Pacific time: `/Date(1771574400000-0800)/`. */
export const wireDate = (day: Day): string => {
  const start = midnight(day)
  return `/Date(${DateTime.toEpochMillis(start)}${DateTime.formatIsoOffset(start).slice(-6).replace(":", "")})/`
}

/** The same without the offset, as keywords have it. */
export const wireDateWithoutOffset = (day: Day): string => `/Date(${DateTime.toEpochMillis(midnight(day))})/`

/** What stands for "never": .NET's `DateTime.MinValue`. */
export const never = "/Date(-62135568000000-0800)/"

/** The days with that weekday (0 is Sunday), the oldest first, of which the last is not after `latest`. */
export const weeksUntil = (latest: Day, weekday: number, count: number): ReadonlyArray<Day> => {
  const last = latest - ((weekdayOf(latest) - weekday + 7) % 7)
  return Array.from({ length: count }, (_, index) => last - 7 * (count - 1 - index))
}
