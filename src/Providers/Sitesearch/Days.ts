import { DateTime, Duration, Option } from "effect"

/** The provider's days begin at midnight there. */
export const pacificTime = DateTime.zoneMakeNamedUnsafe("America/Los_Angeles")

const wireForm = /^\/Date\((-?\d+)(?:([+-])(\d{2})(\d{2}))?\)\/$/

/** What the provider writes for "never" (the years 1 and 1601) lies before, everything it measures after. */
const firstRealDay = "1990-01-01"

/**
 * The calendar day of a date as the provider writes it, `/Date(<epoch milliseconds>±<hhmm>)/`: the epoch is midnight
 * in that offset. `null` for "never" and for what is no date.
 */
export const parseDay = (date: string): string | null => {
  const match = wireForm.exec(date)
  if (match === null) return null
  const [, milliseconds, sign, hours = 0, minutes = 0] = match
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000)
  return Option.match(DateTime.make(Number(milliseconds) + offset), {
    onNone: () => null,
    onSome: (instant) => {
      const day = DateTime.formatIsoDateUtc(instant)
      return day < firstRealDay ? null : day
    }
  })
}

/** How many days `later` is after `earlier`. */
export const daysBetween = (earlier: string, later: string): number =>
  Duration.toDays(DateTime.distance(DateTime.makeUnsafe(earlier), DateTime.makeUnsafe(later)))
