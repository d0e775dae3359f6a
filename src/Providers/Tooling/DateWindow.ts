import { DateTime, Duration, Effect } from "effect"

/** Calendar days as `YYYY-MM-DD`, both inclusive. */
export interface DateWindow {
  readonly start: string
  readonly end: string
}

/** The time zone of days in Search Console and Site Search Webmaster. */
export const pacificTime = DateTime.zoneMakeNamedUnsafe("America/Los_Angeles")

export const today = (zone: DateTime.TimeZone): Effect.Effect<string> =>
  Effect.map(DateTime.now, (now) => DateTime.formatIsoDate(DateTime.setZone(now, zone)))

export const addDays = (day: string, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(day), { days }))

/** The last day of a month stands for days that the earlier month lacks. */
export const monthsBefore = (day: string, months: number): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe(day), { months }))

export const lastDays = (days: number, end: string): DateWindow => ({ start: addDays(end, 1 - days), end })

export const daysIn = ({ end, start }: DateWindow): number => daysBetween(start, end) + 1

export const includesDay = ({ end, start }: DateWindow, day: string): boolean => start <= day && day <= end

export const daysBetween = (earlier: string, later: string): number =>
  Duration.toDays(DateTime.distance(DateTime.makeUnsafe(earlier), DateTime.makeUnsafe(later)))
