import { type CellError, cellError, isError, type Value } from "../Value.ts"
import { compare, flat, isMatrix, matrixOf, type Operand, toBoolean, toNumber, toText } from "./Operand.ts"

/** A function of whole ranges. */
export interface Aggregate {
  readonly least: number
  /** The places of arguments that are single values; in an array formula there is a result for each of them. */
  readonly singles?: ReadonlyArray<number>
  readonly of: (args: ReadonlyArray<Operand>) => Operand
}

/** In a range only the numbers count; an argument that is a value has to be one. */
const numbersIn = (args: ReadonlyArray<Operand>): ReadonlyArray<number> | CellError => {
  const numbers: Array<number> = []
  for (const arg of args) {
    const found = isMatrix(arg)
      ? flat(arg).filter((value) => typeof value === "number" || isError(value))
      : [toNumber(arg)]
    for (const value of found) {
      if (isError(value)) return value
      if (typeof value === "number") numbers.push(value)
    }
  }
  return numbers
}

const ofNumbers = (of: (numbers: ReadonlyArray<number>) => Value): Aggregate => ({
  least: 1,
  of: (args) => {
    const numbers = numbersIn(args)
    return "error" in numbers ? numbers : of(numbers)
  }
})

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

const ofValues = (of: (values: ReadonlyArray<Value>) => Value, least = 1): Aggregate => ({
  least,
  of: (args) => of(args.flatMap(flat))
})

const ofTruths = (of: (truths: ReadonlyArray<boolean>) => boolean) =>
  ofValues((values) => {
    const truths = values.filter((value) => value !== null && value !== "").map(toBoolean)
    return truths.find((truth) => typeof truth !== "boolean") ??
      of(truths.filter((truth) => truth === true || truth === false))
  })

/** `">=5"`, `"<>x"`, `"a*"`, `5`: what COUNTIF and SUMIF look for. */
const criterion = (wanted: Value): (value: Value) => boolean => {
  const [, operator = "=", text = ""] = /^(<>|<=|>=|=|<|>)?(.*)$/s.exec(toText(wanted)) ?? []
  const number = toNumber(text)
  const target = typeof number === "number" && text !== "" ? number : text
  if (operator === "=" || operator === "<>") {
    const pattern = new RegExp(
      `^${text.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("*", ".*").replaceAll("?", ".")}$`,
      "is"
    )
    const matches = (value: Value) =>
      typeof target === "number" ? value === target : pattern.test(value === null ? "" : toText(value))
    return operator === "=" ? matches : (value) => !matches(value)
  }
  return (value) => {
    if (typeof value !== typeof target) return false
    const found = compare(value, target)
    return operator === "<" ? found < 0 : operator === "<=" ? found <= 0 : operator === ">" ? found > 0 : found >= 0
  }
}

const conditionalSum = ([tested = null, wanted = null, summed = tested]: ReadonlyArray<Operand>): Value => {
  const test = criterion(flat(wanted)[0] ?? null)
  const values = flat(summed)
  return sum(
    flat(tested).flatMap((value, index) => {
      const addend = values[index]
      return test(value) && typeof addend === "number" ? [addend] : []
    })
  )
}

const vlookup = ([wanted = null, table = null, index = null, sorted = true]: ReadonlyArray<Operand>): Value => {
  const key = flat(wanted)[0] ?? null
  const column = toNumber(flat(index)[0] ?? null)
  const nearest = toBoolean(flat(sorted)[0] ?? null)
  if (isError(key)) return key
  if (isError(column)) return column
  const { values } = matrixOf(table)
  const row = nearest === true
    ? values.findLast(([first = null]) => first !== null && compare(first, key) <= 0)
    : values.find(([first = null]) => compare(first, key) === 0 && first !== null)
  if (row === undefined) return cellError("N_A", `Did not find value '${toText(key)}' in VLOOKUP evaluation.`)
  return row[Math.trunc(column) - 1] ?? (column > row.length || column < 1
    ? cellError("REF", "VLOOKUP evaluates to an out of bounds range.")
    : null)
}

const matched = ([wanted = null, among = null, kind = 1]: ReadonlyArray<Operand>): Value => {
  const key = flat(wanted)[0] ?? null
  const exact = toNumber(flat(kind)[0] ?? null) === 0
  const values = flat(among)
  const index = exact
    ? values.findIndex((value) => value !== null && compare(value, key) === 0)
    : values.findLastIndex((value) => value !== null && compare(value, key) <= 0)
  return index === -1 ? cellError("N_A", `Did not find value '${toText(key)}' in MATCH evaluation.`) : index + 1
}

const indexed = ([table = null, row = 1, column = 1]: ReadonlyArray<Operand>): Value => {
  const r = toNumber(flat(row)[0] ?? null)
  const c = toNumber(flat(column)[0] ?? null)
  if (isError(r)) return r
  if (isError(c)) return c
  const { values } = matrixOf(table)
  const cells = values[Math.max(0, Math.trunc(r) - 1)]
  const value = cells?.[Math.max(0, Math.trunc(c) - 1)]
  return value === undefined ? cellError("NUM", "INDEX evaluates to an out of bounds range.") : value
}

const sequence = (args: ReadonlyArray<Operand>): Operand => {
  const [rows = 1, columns = 1, start = 1, step = 1] = args.map((arg) => toNumber(flat(arg)[0] ?? null))
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

const transposed = ([table = null]: ReadonlyArray<Operand>): Operand => {
  const { values } = matrixOf(table)
  return { values: (values[0] ?? []).map((_, column) => values.map((row) => row[column] ?? null)) }
}

const unique = ([table = null]: ReadonlyArray<Operand>): Operand => {
  const seen = new Set<string>()
  return {
    values: matrixOf(table).values.filter((row) => {
      const key = JSON.stringify(row)
      return !seen.has(key) && seen.add(key)
    })
  }
}

const joined = ([delimiter = null, skipsEmpty = null, ...parts]: ReadonlyArray<Operand>): Value => {
  const skip = toBoolean(flat(skipsEmpty)[0] ?? null) === true
  const values = parts.flatMap(flat)
  return values.find(isError) ??
    values.map(toText).filter((text) => !skip || text !== "").join(toText(flat(delimiter)[0] ?? null))
}

export const aggregates: ReadonlyMap<string, Aggregate> = new Map<string, Aggregate>(Object.entries({
  SUM: ofNumbers(sum),
  PRODUCT: ofNumbers((numbers) => numbers.reduce((product, each) => product * each, 1)),
  AVERAGE: ofNumbers((numbers) =>
    numbers.length === 0
      ? cellError("DIVIDE_BY_ZERO", "Evaluation of function AVERAGE caused a divide by zero error.")
      : sum(numbers) / numbers.length
  ),
  MIN: ofNumbers((numbers) => numbers.length === 0 ? 0 : Math.min(...numbers)),
  MAX: ofNumbers((numbers) => numbers.length === 0 ? 0 : Math.max(...numbers)),
  COUNT: ofValues((values) => values.filter((value) => typeof value === "number").length),
  COUNTA: ofValues((values) => values.filter((value) => value !== null).length),
  COUNTBLANK: ofValues((values) => values.filter((value) => value === null || value === "").length),
  AND: ofTruths((truths) => truths.every(Boolean)),
  OR: ofTruths((truths) => truths.some(Boolean)),
  CONCATENATE: ofValues((values) => values.find(isError) ?? values.map(toText).join("")),
  CONCAT: ofValues((values) => values.find(isError) ?? values.map(toText).join(""), 2),
  TEXTJOIN: { least: 3, of: joined },
  JOIN: { least: 2, of: ([delimiter = null, ...parts]) => joined([delimiter, false, ...parts]) },
  COUNTIF: {
    least: 2,
    singles: [1],
    of: ([tested = null, wanted = null]) => flat(tested).filter(criterion(flat(wanted)[0] ?? null)).length
  },
  SUMIF: { least: 2, singles: [1], of: conditionalSum },
  VLOOKUP: { least: 3, singles: [0, 2, 3], of: vlookup },
  MATCH: { least: 2, singles: [0, 2], of: matched },
  INDEX: { least: 1, singles: [1, 2], of: indexed },
  SEQUENCE: { least: 1, singles: [0, 1, 2, 3], of: sequence },
  TRANSPOSE: { least: 1, of: transposed },
  UNIQUE: { least: 1, of: unique }
}))
