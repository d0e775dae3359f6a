import { notSimulated } from "../../../Google/GoogleError.ts"
import { serialOfTime } from "../Serial.ts"
import { cellError, isError, type Value } from "../Value.ts"
import { compare, comparisons, toNumber, toText } from "./Operators.ts"

/** A range, or one value. */
export interface Argument {
  readonly values: ReadonlyArray<Value>
  readonly isRange: boolean
}

type FormulaFunction = (args: ReadonlyArray<Argument>, now: number) => Value

export const callFunction = (name: string, args: ReadonlyArray<Argument>, now: number): Value => {
  const known = functions.get(name)
  if (known === undefined) throw notSimulated(`the function ${name} of formulas`)
  const [least, most, apply] = known
  return args.length < least || args.length > most
    ? cellError("N_A", `Wrong number of arguments to ${name}.`)
    : args.find(({ isRange, values: [value = null] }) => !isRange && isError(value))?.values[0] ?? apply(args, now)
}

const ofNumbers = (of: (numbers: ReadonlyArray<number>) => Value): FormulaFunction => (args) => {
  const values = args.flatMap(({ isRange, values }) =>
    isRange ? values.filter((value) => typeof value === "number" || isError(value)) : values.map(toNumber)
  )
  return values.find(isError) ?? of(values.filter((value) => typeof value === "number"))
}

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

const average = (numbers: ReadonlyArray<number>) =>
  numbers.length === 0
    ? cellError("DIVIDE_BY_ZERO", "Evaluation of function AVERAGE caused a divide by zero error.")
    : sum(numbers) / numbers.length

const first = (argument: Argument | undefined): Value => argument?.values[0] ?? null

const criterion = (wanted: Value): (value: Value) => boolean => {
  const [, operator = "=", text = ""] = /^(<>|<=|>=|=|<|>)?(.*)$/s.exec(toText(wanted)) ?? []
  if (/[*?~]/.test(text)) throw notSimulated("wildcards in conditions of formulas")
  const number = toNumber(text)
  const target = typeof number === "number" && text !== "" ? number : text
  const equals = (value: Value) =>
    typeof target === "number" ? value === target : toText(value).toLowerCase() === text.toLowerCase()
  if (operator === "=") return equals
  if (operator === "<>") return (value) => !equals(value)
  return (value) => typeof value === typeof target && comparisons.get(operator)?.(compare(value, target)) === true
}

const sumIf: FormulaFunction = ([tested, wanted, summed = tested]) => {
  const matches = criterion(first(wanted))
  return sum((tested?.values ?? []).flatMap((value, index) => {
    const addend = summed?.values[index]
    return typeof addend === "number" && matches(value) ? [addend] : []
  }))
}

const time: FormulaFunction = (args) => {
  const [hour = 0, minute = 0, second = 0] = args.map((arg) => toNumber(first(arg)))
  if (isError(hour)) return hour
  if (isError(minute)) return minute
  return isError(second) ? second : serialOfTime(Math.trunc(hour), Math.trunc(minute), Math.trunc(second)) % 1
}

const functions = new Map<string, readonly [least: number, most: number, apply: FormulaFunction]>(Object.entries({
  SUM: [1, Infinity, ofNumbers(sum)],
  AVERAGE: [1, Infinity, ofNumbers(average)],
  COUNTIF: [2, 2, ([tested, wanted]) => (tested?.values ?? []).filter(criterion(first(wanted))).length],
  SUMIF: [2, 3, sumIf],
  HYPERLINK: [1, 2, ([url, label = url]) => toText(first(label))],
  TODAY: [0, 0, (_, now) => Math.floor(now)],
  NOW: [0, 0, (_, now) => now],
  TIME: [3, 3, time]
}))
