import { numberText } from "../NumberText.ts"
import { momentOf, serialOfDate, serialOfTime } from "../Serial.ts"
import { type CellError, cellError, isError, type Value } from "../Value.ts"
import { toBoolean, toNumber, toText } from "./Operand.ts"

export interface Elementwise {
  readonly minArguments: number
  readonly maxArguments: number
  readonly takesErrors?: boolean
  readonly apply: (args: ReadonlyArray<Value>) => Value
}

const numberFunction = (
  minArguments: number,
  maxArguments: number,
  of: (a: number, b: number | undefined, c: number | undefined) => number | CellError
): Elementwise => ({
  minArguments,
  maxArguments,
  apply: (args) => {
    const [a = 0, b, c] = args.map(toNumber)
    if (isError(a)) return a
    if (b !== undefined && isError(b)) return b
    if (c !== undefined && isError(c)) return c
    const result = of(a, b, c)
    return isError(result) || Number.isFinite(result) ? result : cellError("NUM", "The result is not a number.")
  }
})

const textFunction = (
  minArguments: number,
  maxArguments: number,
  of: (text: string, args: ReadonlyArray<Value>) => Value
): Elementwise => ({
  minArguments,
  maxArguments,
  apply: (args) => of(toText(args[0] ?? null), args)
})

const predicateFunction = (of: (value: Value) => boolean): Elementwise => ({
  minArguments: 1,
  maxArguments: 1,
  takesErrors: true,
  apply: ([value = null]) => of(value)
})

const characterCount = (value: Value | undefined, otherwise: number): number => {
  const number = value === undefined ? otherwise : toNumber(value)
  return isError(number) ? 0 : Math.max(0, Math.floor(number))
}

const roundWith = (round: (value: number) => number) => (value: number, places = 0): number => {
  const sign = value < 0 ? -1 : 1
  const shifted = Number(`${Math.abs(Number(value.toPrecision(15)))}e${Math.trunc(places)}`)
  return sign * Number(`${round(shifted)}e${-Math.trunc(places)}`)
}

const dateFunction = (of: (serial: number) => number) => numberFunction(1, 1, (serial) => of(serial))

export const elementwise: ReadonlyMap<string, Elementwise> = new Map<string, Elementwise>(Object.entries({
  ABS: numberFunction(1, 1, (a) => Math.abs(a)),
  INT: numberFunction(1, 1, (a) => Math.floor(a)),
  SQRT: numberFunction(1, 1, (a) => Math.sqrt(a)),
  POWER: numberFunction(2, 2, (a, b = 0) => a ** b),
  MOD: numberFunction(
    2,
    2,
    (a, b = 0) =>
      b === 0 ? cellError("DIVIDE_BY_ZERO", "Function MOD parameter 2 cannot be zero.") : a - b * Math.floor(a / b)
  ),
  ROUND: numberFunction(1, 2, roundWith(Math.round)),
  ROUNDUP: numberFunction(1, 2, roundWith(Math.ceil)),
  ROUNDDOWN: numberFunction(1, 2, roundWith(Math.floor)),
  PI: { minArguments: 0, maxArguments: 0, apply: () => Math.PI },
  NOT: {
    minArguments: 1,
    maxArguments: 1,
    apply: ([value = null]) => {
      const decided = toBoolean(value)
      return isError(decided) ? decided : !decided
    }
  },
  LEN: textFunction(1, 1, (text) => text.length),
  UPPER: textFunction(1, 1, (text) => text.toUpperCase()),
  LOWER: textFunction(1, 1, (text) => text.toLowerCase()),
  TRIM: textFunction(1, 1, (text) => text.trim().replaceAll(/ {2,}/g, " ")),
  LEFT: textFunction(1, 2, (text, [, length]) => text.slice(0, characterCount(length, 1))),
  RIGHT: textFunction(1, 2, (text, [, length]) => text.slice(Math.max(0, text.length - characterCount(length, 1)))),
  MID: textFunction(
    3,
    3,
    (text, [, start, length]) =>
      text.slice(
        Math.max(1, characterCount(start, 1)) - 1,
        Math.max(1, characterCount(start, 1)) - 1 + characterCount(length, 0)
      )
  ),
  SUBSTITUTE: textFunction(
    3,
    3,
    (text, [, find = null, replacement = null]) =>
      find === null || find === "" ? text : text.replaceAll(toText(find), () => toText(replacement))
  ),
  HYPERLINK: { minArguments: 1, maxArguments: 2, apply: ([url = null, label]) => toText(label ?? url) },
  VALUE: numberFunction(1, 1, (a) => a),
  TEXT: {
    minArguments: 2,
    maxArguments: 2,
    apply: ([value = null, pattern = null]) =>
      typeof value === "number" ? numberText(value, { type: "NUMBER", pattern: toText(pattern) }) : toText(value)
  },
  DATE: numberFunction(
    3,
    3,
    (year, month = 1, day = 1) =>
      serialOfDate(Math.trunc(year < 1900 ? year + 1900 : year), Math.trunc(month), Math.trunc(day))
  ),
  TIME: numberFunction(
    3,
    3,
    (hour, minute = 0, second = 0) => serialOfTime(Math.trunc(hour), Math.trunc(minute), Math.trunc(second)) % 1
  ),
  YEAR: dateFunction((serial) => momentOf(serial).year),
  MONTH: dateFunction((serial) => momentOf(serial).month),
  DAY: dateFunction((serial) => momentOf(serial).day),
  HOUR: dateFunction((serial) => momentOf(serial).hour),
  MINUTE: dateFunction((serial) => momentOf(serial).minute),
  SECOND: dateFunction((serial) => momentOf(serial).second),
  WEEKDAY: dateFunction((serial) => momentOf(serial).weekday + 1),
  ISBLANK: predicateFunction((value) => value === null),
  ISNUMBER: predicateFunction((value) => typeof value === "number"),
  ISTEXT: predicateFunction((value) => typeof value === "string"),
  ISLOGICAL: predicateFunction((value) => typeof value === "boolean"),
  ISERROR: predicateFunction(isError),
  ISNA: predicateFunction((value) => isError(value) && value.error === "N_A"),
  NA: { minArguments: 0, maxArguments: 0, apply: () => cellError("N_A", "") }
}))
