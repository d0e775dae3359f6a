import { monthNames } from "./DateText.ts"
import { isRealDate, serialOfDate, serialOfTime } from "./Serial.ts"
import type { Entered, NumberFormat } from "./Spreadsheet.ts"

export interface ParsedInput {
  readonly value: Entered
  readonly format?: NumberFormat
}

/** In the locale `en_US`. `thisYear` completes dates such as 1/2. */
export const parseUserEntered = (text: string, thisYear: number): ParsedInput => {
  if (text.startsWith("'")) return { value: { stringValue: text.slice(1) } }
  const trimmed = text.trim()
  if (trimmed.startsWith("=") && trimmed.length > 1) return { value: { formulaValue: trimmed } }
  if (/^(?:true|false)$/i.test(trimmed)) return { value: { boolValue: trimmed.toLowerCase() === "true" } }
  const recognised = parseNumeric(trimmed) ?? parseDateTime(trimmed, thisYear)
  if (recognised !== undefined) return { value: { numberValue: recognised.number }, ...withFormat(recognised.format) }
  return /^[+-]./s.test(trimmed) ? { value: { formulaValue: `=${trimmed}` } } : { value: { stringValue: text } }
}

const withFormat = (format: NumberFormat | undefined) => format === undefined ? {} : { format }

interface ParsedNumber {
  readonly number: number
  readonly format?: NumberFormat
}

export const parseNumber = (text: string, thisYear: number): number | undefined =>
  (parseNumeric(text.trim()) ?? parseDateTime(text.trim(), thisYear))?.number

const numberPattern = /^([+-])?(\$)?([+-])?(?:(\d{1,3}(?:,\d{3})+|\d+)(\.\d*)?|(\.\d+))(E[+-]?\d{1,3})?(%)?$/i

const parseNumeric = (text: string): ParsedNumber | undefined => {
  const negative = /^\((.+)\)$/.exec(text)?.[1]
  const match = numberPattern.exec(negative ?? text)
  if (match === null) return undefined
  const [, sign, dollar, innerSign, whole = "", decimals = "", bare = "", exponent, percent] = match
  if ((sign !== undefined && innerSign !== undefined) || (innerSign !== undefined && dollar === undefined)) {
    return undefined
  }
  const size = Number(`${whole.replaceAll(",", "")}${decimals}${bare}${exponent ?? ""}`)
  const signed = sign === "-" || innerSign === "-" || negative !== undefined ? -size : size
  const fraction = decimals.length > 1 || bare !== ""
  const format = formatOfNumber({
    dollar: dollar !== undefined,
    percent: percent !== undefined,
    exponent: exponent !== undefined,
    grouped: whole.includes(","),
    fraction
  })
  return { number: percent === undefined ? signed : Number(`${signed}e-2`), ...withFormat(format) }
}

const formatOfNumber = (
  form: {
    readonly dollar: boolean
    readonly percent: boolean
    readonly exponent: boolean
    readonly grouped: boolean
    readonly fraction: boolean
  }
): NumberFormat | undefined => {
  const decimals = form.fraction ? ".00" : ""
  if (form.percent) return { type: "PERCENT", pattern: `0${decimals}%` }
  if (form.dollar) return { type: "CURRENCY", pattern: `"$"#,##0${decimals}` }
  if (form.exponent) return { type: "SCIENTIFIC", pattern: "0.00E+00" }
  return form.grouped ? { type: "NUMBER", pattern: `#,##0${decimals}` } : undefined
}

const parseDateTime = (text: string, thisYear: number): ParsedNumber | undefined => {
  const both = /^(.*\d)(?:T|,?\s+)(\d{1,2}:.+)$/i.exec(text)
  const makeDate = parseDate(both?.[1] ?? text, thisYear)
  const time = parseTime(both?.[2] ?? text)
  if (both === null) return makeDate ?? time
  if (makeDate === undefined || time === undefined) return undefined
  return {
    number: makeDate.number + time.number,
    format: { type: "DATE_TIME", pattern: `${makeDate.format?.pattern} ${time.format?.pattern}` }
  }
}

const parseTime = (text: string): ParsedNumber | undefined => {
  const match = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d)(\.\d{1,3})?)?\s*([ap]m?)?$/i.exec(text)
  if (match === null) return undefined
  const [, hours = "0", minutes = "0", seconds, fraction = "", half] = match
  const hour = Number(hours)
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const pattern = `${hour > 23 ? "[h]" : "h"}:mm${seconds === undefined ? "" : ":ss"}${fraction === "" ? "" : ".000"}`
  return {
    number: serialOfTime(
      half === undefined ? hour : hour % 12 + (/^p/i.test(half) ? 12 : 0),
      Number(minutes),
      Number(`${seconds ?? "0"}${fraction}`)
    ),
    format: { type: "TIME", pattern: half === undefined ? pattern : `${pattern} AM/PM` }
  }
}

const parseDate = (text: string, thisYear: number): ParsedNumber | undefined => {
  const byYear = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text)
  if (byYear !== null) {
    const [, year, separator = "-", month = "", day = ""] = byYear
    return date(year, month, day, `yyyy${separator}${"m".repeat(month.length)}${separator}${"d".repeat(day.length)}`)
  }
  const byMonth = /^(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(text)
  if (byMonth !== null) {
    const [, month = "", separator = "/", day = "", year] = byMonth
    if (separator === "." && year === undefined) return undefined
    const digits = month.startsWith("0") || day.startsWith("0") ? 2 : 1
    const pattern = `${"m".repeat(digits)}${separator}${"d".repeat(digits)}`
    return year === undefined
      ? date(String(thisYear), month, day, pattern)
      : date(year, month, day, `${pattern}${separator}${year.length === 2 ? "yy" : "yyyy"}`)
  }
  return parseNamedDate(text, thisYear)
}

const parseNamedDate = (text: string, thisYear: number): ParsedNumber | undefined => {
  const monthFirst = /^([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?$/i.exec(text)
  const dayFirst = /^(\d{1,2})[\s-]([A-Za-z]{3,9})(?:[\s-](\d{4}))?$/.exec(text)
  const [, name = "", day = "", year] = monthFirst ??
    (dayFirst === null ? [] : [dayFirst[0], dayFirst[2], dayFirst[1], dayFirst[3]])
  const month = monthNames.findIndex((full) => name.length >= 3 && full.toLowerCase().startsWith(name.toLowerCase())) +
    1
  if (month === 0 || day === "") return undefined
  const months = name.length === 3 ? "mmm" : "mmmm"
  const separator = text.includes("-") ? "-" : " "
  const pattern = monthFirst === null
    ? `d${separator}${months}${year === undefined ? "" : `${separator}yyyy`}`
    : `${months} d${year === undefined ? "" : ", yyyy"}`
  return date(year ?? String(thisYear), String(month), day, pattern)
}

const date = (year: string | undefined, month: string, day: string, pattern: string): ParsedNumber | undefined => {
  const digits = Number(year)
  const full = year?.length === 2 ? digits + (digits < 30 ? 2000 : 1900) : digits
  return full >= 1900 && isRealDate(full, Number(month), Number(day))
    ? { number: serialOfDate(full, Number(month), Number(day)), format: { type: "DATE", pattern } }
    : undefined
}
