import { notSimulated } from "../../Google/GoogleError.ts"
import { dateText, isDatePattern } from "./DateText.ts"
import type { NumberFormat } from "./Spreadsheet.ts"

/** Throws for what the sandbox lacks. */
export const numberText = (value: number, format: NumberFormat | undefined): string => {
  const pattern = format === undefined ? "" : format.pattern ?? defaultPatterns[format.type ?? "NUMBER"]
  if (pattern === "" || pattern === "@") return generalText(value)
  if (isDatePattern(pattern)) return dateText(value, pattern)
  const [whole, prefix = "", digits = "", decimals = "", suffix = ""] = grammar.exec(pattern) ?? []
  if (whole === undefined) throw notSimulated(`the number format ${pattern}`)
  const size = Math.abs(value)
  const text = suffix.startsWith("E")
    ? scientificText(size, decimals.length, true)
    : fixedText(suffix === "%" ? size * 100 : size, decimals.length, digits.includes(",")) + suffix
  return `${value < 0 ? "-" : ""}${prefix.replaceAll("\"", "")}${text}`
}

const grammar = /^("[^"]*"|\$)?(#,##0|0)(?:\.(0+))?(%|E\+00)?$/

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

/** Rounds half away from zero on the decimal digits, so that 1.005 becomes 1.01. */
const fixedText = (size: number, decimals: number, isGrouped: boolean): string => {
  const shifted = Number(`${Number(size.toPrecision(15))}e${decimals}`)
  const fixed = shifted < 1e15 ? (Math.round(shifted) / 10 ** decimals).toFixed(decimals) : size.toFixed(decimals)
  return isGrouped ? fixed.replace(/^\d+/, (whole) => whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")) : fixed
}
