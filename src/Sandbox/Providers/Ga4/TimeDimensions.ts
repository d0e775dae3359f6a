import { DateTime } from "effect"
import { type Day, isoOf, weekdayOf } from "../../Data/Day.ts"
import type { Dimension } from "./Dimension.ts"
import { minutesAgoOf } from "./Sessions.ts"

const twoDigits = (number: number) => String(number).padStart(2, "0")
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

const weekOf = (day: Day): string => {
  const first = DateTime.toEpochMillis(DateTime.makeUnsafe(`${isoOf(day).slice(0, 4)}-01-01`)) / 86_400_000
  return twoDigits(Math.floor((day - first + weekdayOf(first)) / 7) + 1)
}

const category = "Time"

export const timeDimensions: ReadonlyArray<Dimension> = [
  {
    apiName: "minutesAgo",
    uiName: "Realtime minutes ago",
    category,
    description: "Minutes since the event, 00 to 29.",
    reports: "realtime",
    value: (session) => twoDigits(minutesAgoOf(session) ?? 0)
  },
  {
    apiName: "date",
    uiName: "Date",
    category,
    description: "The day, as YYYYMMDD.",
    value: ({ date }) => date
  },
  {
    apiName: "dateHour",
    uiName: "Date + hour (YYYYMMDDHH)",
    category,
    description: "The day and the hour.",
    value: ({ date, hour }) => `${date}${twoDigits(hour)}`
  },
  {
    apiName: "year",
    uiName: "Year",
    category,
    description: "The year.",
    value: ({ date }) => date.slice(0, 4)
  },
  {
    apiName: "yearMonth",
    uiName: "Year month",
    category,
    description: "The year and the month, as YYYYMM.",
    value: ({ date }) => date.slice(0, 6)
  },
  {
    apiName: "month",
    uiName: "Month",
    category,
    description: "The month, 01 to 12.",
    value: ({ date }) => date.slice(4, 6)
  },
  {
    apiName: "week",
    uiName: "Week",
    category,
    description: "The week of the year, 01 to 53.",
    value: ({ day }) => weekOf(day)
  },
  {
    apiName: "day",
    uiName: "Day",
    category,
    description: "The day of the month, 01 to 31.",
    value: ({ date }) => date.slice(6)
  },
  {
    apiName: "dayOfWeek",
    uiName: "Day of week",
    category,
    description: "The day of the week, 0 (Sunday) to 6.",
    value: ({ day }) => String(weekdayOf(day))
  },
  {
    apiName: "dayOfWeekName",
    uiName: "Day of week name",
    category,
    description: "The day of the week in English.",
    value: ({ day }) => weekdays[weekdayOf(day)] ?? ""
  },
  {
    apiName: "hour",
    uiName: "Hour",
    category,
    description: "The hour, 00 to 23.",
    value: ({ hour }) => twoDigits(hour)
  }
]
