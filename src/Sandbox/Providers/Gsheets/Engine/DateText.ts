import { type Moment, momentOf } from "./Serial.ts"

const tokens = /"[^"]*"|\\.|\[h+\]|\[m+\]|\[s+\]|am\/pm|a\/p|y+|m+|d+|h+|s+|\.0+|./gi

export const isDatePattern = (pattern: string): boolean =>
  /[ymdhs]/i.test(pattern.replaceAll(/"[^"]*"|\\.|E[+-]/gi, ""))

export const dateText = (serial: number, pattern: string): string => {
  const parts = pattern.match(tokens) ?? []
  const twelve = parts.some((part) => /^a(?:m\/p|\/p)/i.test(part))
  const moment = momentOf(roundToSecond(serial, parts))
  return parts.map((part, index) => partText(part, { serial, moment, twelve, minutes: isMinutes(parts, index) })).join(
    ""
  )
}

const roundToSecond = (serial: number, parts: ReadonlyArray<string>): number =>
  parts.some((part) => part.startsWith(".0")) ? serial : Math.floor(serial * 86_400 + 1e-4) / 86_400

const isMinutes = (parts: ReadonlyArray<string>, index: number): boolean => {
  const before = parts.slice(0, index).findLast(isPart)
  const after = parts.slice(index + 1).find(isPart)
  return /^\[?h/i.test(before ?? "") || /^\[?s/i.test(after ?? "")
}

const isPart = (part: string): boolean => /^\[?[ymdhs]/i.test(part)

interface Context {
  readonly serial: number
  readonly moment: Moment
  readonly twelve: boolean
  readonly minutes: boolean
}

const partText = (part: string, { minutes, moment, serial, twelve }: Context): string => {
  const pad = (number: number, width = part.length) => String(number).padStart(width, "0")
  const short = part.length <= 2
  switch (part[0]?.toLowerCase()) {
    case "\"":
      return part.slice(1, -1)
    case "\\":
      return part.slice(1)
    case "[":
      return part.length === 1 ? part : elapsedText(part, serial)
    case "y":
      return short ? pad(moment.year % 100, 2) : pad(moment.year, 4)
    case "m":
      return minutes
        ? pad(moment.minute, Math.min(2, part.length))
        : short
        ? pad(moment.month)
        : nameText(monthNames, moment.month - 1, part)
    case "d":
      return short ? pad(moment.day) : nameText(dayNames, moment.weekday, part)
    case "h":
      return pad(twelve ? (moment.hour + 11) % 12 + 1 : moment.hour, Math.min(2, part.length))
    case "s":
      return pad(moment.second, Math.min(2, part.length))
    case "a":
      return part.length === 1
        ? part
        : part.length === 5
        ? (moment.hour < 12 ? "AM" : "PM")
        : moment.hour < 12
        ? "A"
        : "P"
    case ".":
      return part.length === 1
        ? part
        : `.${pad(moment.millisecond, 3).padEnd(part.length - 1, "0").slice(0, part.length - 1)}`
    default:
      return part
  }
}

/** `[h]`, `[m]` and `[s]` show the total: 26 hours are 26, not 2. */
const elapsedText = (part: string, serial: number): string => {
  const unit = { h: 24, m: 1440, s: 86_400 }[part[1]?.toLowerCase() ?? ""] ?? 24
  return String(Math.floor(serial * unit + 1e-6)).padStart(part.length - 2, "0")
}

const nameText = (names: ReadonlyArray<string>, index: number, part: string): string => {
  const name = names[index] ?? ""
  return part.length === 3 ? name.slice(0, 3) : part.length === 5 ? name.slice(0, 1) : name
}

export const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December"
]

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
