import { DateTime } from "effect"
import { pacificTime } from "../../../Providers/Tooling/DateWindow.ts"
import { type Day, isoOf, weekdayOf } from "../../Data/Day.ts"

const midnight = (day: Day) => DateTime.makeZonedUnsafe(isoOf(day), { timeZone: pacificTime, adjustForTimeZone: true })

export const wireDate = (day: Day): string => {
  const start = midnight(day)
  return `/Date(${DateTime.toEpochMillis(start)}${DateTime.formatIsoOffset(start).slice(-6).replace(":", "")})/`
}

export const wireDateWithoutOffset = (day: Day): string => `/Date(${DateTime.toEpochMillis(midnight(day))})/`

/** `DateTime.MinValue` of .NET. */
export const never = "/Date(-62135568000000-0800)/"

export const weekdaysUntil = (latest: Day, weekday: number, count: number): ReadonlyArray<Day> => {
  const last = latest - ((weekdayOf(latest) - weekday + 7) % 7)
  return Array.from({ length: count }, (_, index) => last - 7 * (count - 1 - index))
}
