import { type Day, weekdayOf } from "./Day.ts"

/** Sunday first: people garden, and look for tools, on weekends. */
const weekdays = [1.2, 0.98, 0.93, 0.92, 0.9, 0.92, 1.25]

/** The peak of the year, in the second week of May. */
const peak = 130

/** How much busier than average a day is: by weekday, by season, and with the company's growth. */
export const seasonalFactor = (day: Day): number =>
  (weekdays[weekdayOf(day)] ?? 1) *
  (1 + 0.4 * Math.cos((2 * Math.PI * (day - peak)) / 365.25)) *
  1.0003 ** (day - 20_500)
