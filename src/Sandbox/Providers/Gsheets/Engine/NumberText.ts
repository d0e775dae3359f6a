import { dateText, isDatePattern } from "./DateText.ts"
import type { NumberFormat } from "./Spreadsheet.ts"

export const numberText = (value: number, format: NumberFormat | undefined): string => {
  const pattern = format === undefined ? "" : format.pattern ?? defaultPatterns[format.type ?? "NUMBER"]
  if (pattern === "" || pattern === "General" || pattern === "@") return generalText(value)
  const section = sectionFor(value, pattern)
  return isDatePattern(section.pattern) ? dateText(value, section.pattern) : patternText(section.value, section.pattern)
}

const defaultPatterns: Readonly<Record<NonNullable<NumberFormat["type"]>, string>> = {
  NUMBER_FORMAT_TYPE_UNSPECIFIED: "",
  TEXT: "",
  NUMBER: "#,##0.00",
  PERCENT: "0.00%",
  CURRENCY: "\"$\"#,##0.00",
  DATE: "m/d/yyyy",
  TIME: "h:mm:ss AM/PM",
  DATE_TIME: "m/d/yyyy h:mm:ss",
  SCIENTIFIC: "0.00E+00"
}

const generalText = (value: number): string => {
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e15) return String(value)
  if (size >= 1e15 || size < 1e-9) return scientificText(value, 5, false)
  return String(Number(value.toPrecision(10)))
}

const scientificText = (value: number, decimals: number, padded: boolean): string => {
  const [mantissa = "", exponent = "0"] = value.toExponential(decimals).split("e")
  const digits = padded ? mantissa : String(Number(mantissa))
  return `${digits}E${exponent.startsWith("-") ? "-" : "+"}${exponent.slice(1).padStart(2, "0")}`
}

/** Sections are `positive;negative;zero`. The negative section writes its own sign. */
const sectionFor = (value: number, pattern: string) => {
  const [positive = "", negative, zero] = splitSections(pattern)
  if (value < 0 && negative !== undefined) return { pattern: negative, value: -value }
  return { pattern: value === 0 && zero !== undefined ? zero : positive, value }
}

const splitSections = (pattern: string): ReadonlyArray<string> =>
  (pattern.match(/(?:"[^"]*"|\\.|[^;"\\])+/g) ?? []).map((section) => section.replace(/\[(?!h|m|s)[^\]]*\]/gi, ""))

const patternText = (value: number, pattern: string): string => {
  const parts: ReadonlyArray<string> = pattern.match(/"[^"]*"|\\.|[_*].|[#0?][#0?,.]*(?:E[+-]0+)?|\.0+|%|[^"\\]/g) ?? []
  const digits = parts.findIndex((part) => /^[#0?.]/.test(part) && /[#0?]/.test(part))
  const scaled = parts.includes("%") ? value * 100 : value
  const texts = parts.map((part, index) =>
    index === digits ? digitsText(Math.abs(scaled), part) : /^[#0?]/.test(part) ? "" : literalText(part)
  )
  return `${scaled < 0 ? "-" : ""}${texts.join("")}`
}

const literalText = (part: string): string => {
  if (part.startsWith("\"")) return part.slice(1, -1)
  if (part.startsWith("\\")) return part.slice(1)
  return part.startsWith("_") ? " " : part.startsWith("*") ? "" : part
}

const digitsText = (value: number, pattern: string): string => {
  const [number = "", exponent] = pattern.split("E")
  const [whole = "", fraction = ""] = number.split(".")
  const least = fraction.replaceAll(/[^0?]/g, "").length
  const most = fraction.replaceAll(/[^#0?]/g, "").length
  if (exponent !== undefined) return scientificText(value, least, true)
  const [wholeDigits = "0", fractionDigits = ""] = roundText(value, most).split(".")
  const shownFraction = fractionDigits.replace(new RegExp(`0{0,${most - least}}$`), "")
  const padded = wholeDigits.replace(/^0$/, whole.includes("0") ? "0" : "").padStart(
    whole.replaceAll(/[^0]/g, "").length,
    "0"
  )
  const grouped = whole.includes(",") ? padded.replaceAll(/\B(?=(\d{3})+$)/g, ",") : padded
  return shownFraction === "" ? grouped : `${grouped}.${shownFraction}`
}

/** Rounds half away from zero on the decimal digits, so that 1.005 becomes 1.01. */
const roundText = (value: number, decimals: number): string => {
  const shifted = Number(`${Number(value.toPrecision(15))}e${decimals}`)
  return Number.isFinite(shifted) && shifted < 1e15
    ? (Math.round(shifted) / 10 ** decimals).toFixed(decimals)
    : value.toFixed(decimals)
}
