import { Option } from "effect"
import { RE2JS } from "re2js"
import { re2Test } from "../../../../Data/Re2.ts"
import { type CellError, cellError, isError, type Value } from "../Value.ts"
import { compare, flatten, isMatrix, type Operand, toBoolean, toMatrix, toNumber, toText } from "./Operand.ts"

export interface Aggregate {
  readonly minArguments: number
  readonly singleValueArguments?: ReadonlyArray<number>
  readonly apply: (args: ReadonlyArray<Operand>) => Operand
}

const numbersIn = (args: ReadonlyArray<Operand>): ReadonlyArray<number> | CellError => {
  const numbers: Array<number> = []
  for (const arg of args) {
    const found = isMatrix(arg)
      ? flatten(arg).filter((value) => typeof value === "number" || isError(value))
      : [toNumber(arg)]
    for (const value of found) {
      if (isError(value)) return value
      if (typeof value === "number") numbers.push(value)
    }
  }
  return numbers
}

const numberAggregate = (of: (numbers: ReadonlyArray<number>) => Value): Aggregate => ({
  minArguments: 1,
  apply: (args) => {
    const numbers = numbersIn(args)
    return "error" in numbers ? numbers : of(numbers)
  }
})

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

const valueAggregate = (of: (values: ReadonlyArray<Value>) => Value, minArguments = 1): Aggregate => ({
  minArguments,
  apply: (args) => of(args.flatMap(flatten))
})

const booleanAggregate = (of: (truths: ReadonlyArray<boolean>) => boolean) =>
  valueAggregate((values) => {
    const truths = values.filter((value) => value !== null && value !== "").map(toBoolean)
    return truths.find((truth) => typeof truth !== "boolean") ??
      of(truths.filter((truth) => truth === true || truth === false))
  })

const makeCriterion = (wanted: Value): (value: Value) => boolean => {
  const [, operator = "=", text = ""] = /^(<>|<=|>=|=|<|>)?(.*)$/s.exec(toText(wanted)) ?? []
  const number = toNumber(text)
  const target = typeof number === "number" && text !== "" ? number : text
  if (operator === "=" || operator === "<>") {
    const matchesText = wildcardTest(text)
    const matches = (value: Value) =>
      typeof target === "number" ? value === target : matchesText(value === null ? "" : toText(value))
    return operator === "=" ? matches : (value) => !matches(value)
  }
  return (value) => {
    if (typeof value !== typeof target) return false
    const found = compare(value, target)
    return operator === "<" ? found < 0 : operator === "<=" ? found <= 0 : operator === ">" ? found > 0 : found >= 0
  }
}

const wildcardTest = (pattern: string): (text: string) => boolean => {
  if (!/[*?]/.test(pattern)) return (text) => text.toLowerCase() === pattern.toLowerCase()
  const source = pattern.split(/([*?])/).map((part) => part === "*" ? ".*" : part === "?" ? "." : RE2JS.quote(part))
  return Option.getOrElse(re2Test(`(?is)^(?:${source.join("")})$`), () => () => false)
}

const sumIf = ([tested = null, wanted = null, summed = tested]: ReadonlyArray<Operand>): Value => {
  const test = makeCriterion(flatten(wanted)[0] ?? null)
  const values = flatten(summed)
  return sum(
    flatten(tested).flatMap((value, index) => {
      const addend = values[index]
      return test(value) && typeof addend === "number" ? [addend] : []
    })
  )
}

const vlookup = ([wanted = null, table = null, index = null, sorted = true]: ReadonlyArray<Operand>): Value => {
  const key = flatten(wanted)[0] ?? null
  const column = toNumber(flatten(index)[0] ?? null)
  const nearest = toBoolean(flatten(sorted)[0] ?? null)
  if (isError(key)) return key
  if (isError(column)) return column
  const { values } = toMatrix(table)
  const row = nearest === true
    ? values.findLast(([first = null]) => first !== null && compare(first, key) <= 0)
    : values.find(([first = null]) => compare(first, key) === 0 && first !== null)
  if (row === undefined) return cellError("N_A", `Did not find value '${toText(key)}' in VLOOKUP evaluation.`)
  return row[Math.trunc(column) - 1] ?? (column > row.length || column < 1
    ? cellError("REF", "VLOOKUP evaluates to an out of bounds range.")
    : null)
}

const matchPosition = ([wanted = null, among = null, kind = 1]: ReadonlyArray<Operand>): Value => {
  const key = flatten(wanted)[0] ?? null
  const exact = toNumber(flatten(kind)[0] ?? null) === 0
  const values = flatten(among)
  const index = exact
    ? values.findIndex((value) => value !== null && compare(value, key) === 0)
    : values.findLastIndex((value) => value !== null && compare(value, key) <= 0)
  return index === -1 ? cellError("N_A", `Did not find value '${toText(key)}' in MATCH evaluation.`) : index + 1
}

const valueAtIndex = ([table = null, row = 1, column = 1]: ReadonlyArray<Operand>): Value => {
  const r = toNumber(flatten(row)[0] ?? null)
  const c = toNumber(flatten(column)[0] ?? null)
  if (isError(r)) return r
  if (isError(c)) return c
  const { values } = toMatrix(table)
  const cells = values[Math.max(0, Math.trunc(r) - 1)]
  const value = cells?.[Math.max(0, Math.trunc(c) - 1)]
  return value === undefined ? cellError("NUM", "INDEX evaluates to an out of bounds range.") : value
}

const sequence = (args: ReadonlyArray<Operand>): Operand => {
  const [rows = 1, columns = 1, start = 1, step = 1] = args.map((arg) => toNumber(flatten(arg)[0] ?? null))
  if (isError(rows)) return rows
  if (isError(columns)) return columns
  if (isError(start)) return start
  if (isError(step)) return step
  return {
    values: Array.from(
      { length: rows },
      (_, row) => Array.from({ length: columns }, (_, column) => start + (row * columns + column) * step)
    )
  }
}

const transpose = ([table = null]: ReadonlyArray<Operand>): Operand => {
  const { values } = toMatrix(table)
  return { values: (values[0] ?? []).map((_, column) => values.map((row) => row[column] ?? null)) }
}

const unique = ([table = null]: ReadonlyArray<Operand>): Operand => {
  const seen = new Set<string>()
  return {
    values: toMatrix(table).values.filter((row) => {
      const key = JSON.stringify(row)
      return !seen.has(key) && seen.add(key)
    })
  }
}

const joinText = ([delimiter = null, skipsEmpty = null, ...parts]: ReadonlyArray<Operand>): Value => {
  const skip = toBoolean(flatten(skipsEmpty)[0] ?? null) === true
  const values = parts.flatMap(flatten)
  return values.find(isError) ??
    values.map(toText).filter((text) => !skip || text !== "").join(toText(flatten(delimiter)[0] ?? null))
}

export const aggregates: ReadonlyMap<string, Aggregate> = new Map<string, Aggregate>(Object.entries({
  SUM: numberAggregate(sum),
  PRODUCT: numberAggregate((numbers) => numbers.reduce((product, each) => product * each, 1)),
  AVERAGE: numberAggregate((numbers) =>
    numbers.length === 0
      ? cellError("DIVIDE_BY_ZERO", "Evaluation of function AVERAGE caused a divide by zero error.")
      : sum(numbers) / numbers.length
  ),
  MIN: numberAggregate((numbers) =>
    numbers.length === 0 ? 0 : numbers.reduce((least, number) => Math.min(least, number))
  ),
  MAX: numberAggregate((numbers) =>
    numbers.length === 0 ? 0 : numbers.reduce((most, number) => Math.max(most, number))
  ),
  COUNT: valueAggregate((values) => values.filter((value) => typeof value === "number").length),
  COUNTA: valueAggregate((values) => values.filter((value) => value !== null).length),
  COUNTBLANK: valueAggregate((values) => values.filter((value) => value === null || value === "").length),
  AND: booleanAggregate((truths) => truths.every(Boolean)),
  OR: booleanAggregate((truths) => truths.some(Boolean)),
  CONCATENATE: valueAggregate((values) => values.find(isError) ?? values.map(toText).join("")),
  CONCAT: valueAggregate((values) => values.find(isError) ?? values.map(toText).join(""), 2),
  TEXTJOIN: { minArguments: 3, apply: joinText },
  JOIN: { minArguments: 2, apply: ([delimiter = null, ...parts]) => joinText([delimiter, false, ...parts]) },
  COUNTIF: {
    minArguments: 2,
    singleValueArguments: [1],
    apply: ([tested = null, wanted = null]) => flatten(tested).filter(makeCriterion(flatten(wanted)[0] ?? null)).length
  },
  SUMIF: { minArguments: 2, singleValueArguments: [1], apply: sumIf },
  VLOOKUP: { minArguments: 3, singleValueArguments: [0, 2, 3], apply: vlookup },
  MATCH: { minArguments: 2, singleValueArguments: [0, 2], apply: matchPosition },
  INDEX: { minArguments: 1, singleValueArguments: [1, 2], apply: valueAtIndex },
  SEQUENCE: { minArguments: 1, singleValueArguments: [0, 1, 2, 3], apply: sequence },
  TRANSPOSE: { minArguments: 1, apply: transpose },
  UNIQUE: { minArguments: 1, apply: unique }
}))
