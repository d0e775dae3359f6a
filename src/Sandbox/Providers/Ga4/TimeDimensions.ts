import { DateTime } from "effect"
import { type Day, isoOf, weekdayOf } from "../../Data/Day.ts"
import { type Dimension, inCategory } from "./Dimension.ts"
import { minutesAgoOf } from "./Sessions.ts"

const twoDigits = (number: number) => String(number).padStart(2, "0")
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

const weekOf = (day: Day): string => {
  const first = DateTime.toEpochMillis(DateTime.makeUnsafe(`${isoOf(day).slice(0, 4)}-01-01`)) / 86_400_000
  return twoDigits(Math.floor((day - first + weekdayOf(first)) / 7) + 1)
}

export const timeDimensions: ReadonlyArray<Dimension> = inCategory("Time", [
  [
    "minutesAgo",
    "Realtime minutes ago",
    "Minutes since the event, 00 to 29.",
    (session) => twoDigits(minutesAgoOf(session) ?? 0),
    { reports: "realtime" }
  ],
  ["date", "Date", "The day, as YYYYMMDD.", ({ date }) => date],
  ["dateHour", "Date + hour (YYYYMMDDHH)", "The day and the hour.", ({ date, hour }) => `${date}${twoDigits(hour)}`],
  ["year", "Year", "The year.", ({ date }) => date.slice(0, 4)],
  ["yearMonth", "Year month", "The year and the month, as YYYYMM.", ({ date }) => date.slice(0, 6)],
  ["month", "Month", "The month, 01 to 12.", ({ date }) => date.slice(4, 6)],
  ["week", "Week", "The week of the year, 01 to 53.", ({ day }) => weekOf(day)],
  [
    "yearWeek",
    "Year week",
    "The year and its week, as YYYYWW.",
    ({ date, day }) => `${date.slice(0, 4)}${weekOf(day)}`
  ],
  ["day", "Day", "The day of the month, 01 to 31.", ({ date }) => date.slice(6)],
  ["dayOfWeek", "Day of week", "The day of the week, 0 (Sunday) to 6.", ({ day }) => String(weekdayOf(day)), {
    deprecatedName: "dayOfWeekZero"
  }],
  [
    "dayOfWeekName",
    "Day of week name",
    "The day of the week in English.",
    ({ day }) => weekdays[weekdayOf(day)] ?? ""
  ],
  ["hour", "Hour", "The hour, 00 to 23.", ({ hour }) => twoDigits(hour)]
])
