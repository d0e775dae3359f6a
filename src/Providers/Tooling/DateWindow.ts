import { DateTime, Effect } from "effect"

/** Calendar days, both inclusive, as `YYYY-MM-DD`. */
export interface Window {
  readonly start: string
  readonly end: string
}

/** The calendar day that it is now in `zone`. */
export const today = (zone: DateTime.TimeZone): Effect.Effect<string> =>
  Effect.map(DateTime.now, (now) => DateTime.formatIsoDate(DateTime.setZone(now, zone)))

/** The day that many days after `day`, or before it when `days` is negative. */
export const addDays = (day: string, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(day), { days }))

/** The window of `days` whole days that ends with `end`. */
export const lastDays = (days: number, end: string): Window => ({ start: addDays(end, 1 - days), end })

export const includesDay = ({ end, start }: Window, day: string): boolean => start <= day && day <= end
