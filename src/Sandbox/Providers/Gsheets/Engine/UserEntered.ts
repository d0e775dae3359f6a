import { notSimulated } from "../../Google/GoogleError.ts"
import { dateOfSerial, serialOfDate, serialOfTime } from "./Serial.ts"
import type { Entered, NumberFormat } from "./Spreadsheet.ts"

export interface ParsedInput {
  readonly value: Entered
  readonly format?: NumberFormat
}

/** Parses an entry in the locale `en_US`. `thisYear` completes dates such as 1/2. Throws for what the sandbox lacks. */
export const parseUserEntered = (text: string, thisYear: number): ParsedInput => {
  if (text.startsWith("'")) return { value: { stringValue: text.slice(1) } }
  const trimmed = text.trim()
  if (trimmed.startsWith("=") && trimmed.length > 1) return { value: { formulaValue: trimmed } }
  if (/^(?:true|false)$/i.test(trimmed)) return { value: { boolValue: trimmed.toLowerCase() === "true" } }
  const recognised = parseTyped(trimmed, thisYear)
  if (recognised !== undefined) {
    const { format, number } = recognised
    return { value: { numberValue: number }, ...(format === undefined ? {} : { format }) }
  }
  return /^[+-]./s.test(trimmed) ? { value: { formulaValue: `=${trimmed}` } } : { value: { stringValue: text } }
}

export const parseNumber = (text: string, thisYear: number): number | undefined =>
  parseTyped(text.trim(), thisYear)?.number

interface ParsedNumber {
  readonly number: number
  readonly format?: NumberFormat | undefined
}

const parseTyped = (text: string, thisYear: number): ParsedNumber | undefined => {
  const parsed = parseNumeric(text) ?? parseDate(text, thisYear) ?? parseTime(text)
  if (parsed === undefined && otherDates.test(text)) {
    throw notSimulated(`the date or time "${text}" as a person types it`)
  }
  return parsed
}

const months = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"

/** What Google may read as a date or a time. */
const otherDates = new RegExp(
  `^\\d{1,3}:\\d\\d|^\\d.*\\d[T, ]+\\d{1,2}:\\d\\d|^${months}\\.? +\\d{1,2}\\b|^\\d{1,2}[ -]${months}(?:[ -]\\d+)?$`,
  "i"
)

const numberPattern =
  /^([+-])? *(?:(\p{Sc}) *)?([+-])?(?:(\d{1,3}(?:,\d{3})+|\d+)(\.\d*)?|(\.\d+))(E[+-]?\d{1,3})? *(%|\p{Sc})?$/iu

/** With other spaces and currencies, only what begins with a minus is a number: it would be no formula either. */
const ownForm = /^[+-]?\$?[^\s\p{Sc}]+$/u

const parseNumeric = (text: string): ParsedNumber | undefined => {
  const negative = /^\((.+)\)$/.exec(text)?.[1]
  const match = numberPattern.exec(negative ?? text)
  if (match === null) return undefined
  const [, sign, before, innerSign, whole = "", decimals = "", bare = "", exponent = "", unit] = match
  if (innerSign !== undefined && (sign !== undefined || before === undefined)) return undefined
  if (before !== undefined && unit !== undefined) return undefined
  const isNegative = sign === "-" || innerSign === "-"
  if (!isNegative && !ownForm.test(negative ?? text)) return undefined
  const size = Number(`${whole.replaceAll(",", "")}${decimals}${bare}${exponent}`)
  if (size === Infinity) return undefined
  const signed = isNegative || negative !== undefined ? -size : size
  const fraction = decimals.length > 1 || bare !== "" ? ".00" : ""
  if (unit === "%") {
    return { number: Number(`${signed}e-2`), format: { type: "PERCENT", pattern: `0${fraction}%` } }
  }
  return {
    number: signed,
    format: formatOf({ currency: before ?? unit, exponent, fraction, isGrouped: whole.includes(",") })
  }
}

const formatOf = ({ currency, exponent, fraction, isGrouped }: {
  readonly currency: string | undefined
  readonly exponent: string
  readonly fraction: string
  readonly isGrouped: boolean
}): NumberFormat | undefined => {
  if (currency !== undefined) return { type: "CURRENCY", pattern: `"${currency}"#,##0${fraction}` }
  if (exponent !== "") return { type: "SCIENTIFIC", pattern: "0.00E+00" }
  return isGrouped ? { type: "NUMBER", pattern: `#,##0${fraction}` } : undefined
}

const parseTime = (text: string): ParsedNumber | undefined => {
  const [, hours = "", minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return minutes === undefined
    ? undefined
    : { number: serialOfTime(Number(hours), Number(minutes), 0), format: { type: "TIME", pattern: "h:mm" } }
}

const parseDate = (text: string, thisYear: number): ParsedNumber | undefined => {
  const [, year = "", by = "", month = "", day] = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? []
  if (day !== undefined) {
    return date(Number(year), month, day, `yyyy${by}${"m".repeat(month.length)}${by}${"d".repeat(day.length)}`)
  }
  const [, first = "", mark = "", second, last] = /^(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(text) ?? []
  if (second === undefined || mark === "." && last === undefined) return undefined
  if (last?.length === 2) throw notSimulated("dates with a year of two digits")
  const width = first.startsWith("0") || second.startsWith("0") ? 2 : 1
  const pattern = `${"m".repeat(width)}${mark}${"d".repeat(width)}${last === undefined ? "" : `${mark}yyyy`}`
  return date(last === undefined ? thisYear : Number(last), first, second, pattern)
}

const date = (year: number, month: string, day: string, pattern: string): ParsedNumber | undefined => {
  const number = serialOfDate(year, Number(month), Number(day))
  const isReal = dateOfSerial(number).getUTCMonth() === Number(month) - 1 && Number(day) > 0
  return year >= 1900 && isReal ? { number, format: { type: "DATE", pattern } } : undefined
}
