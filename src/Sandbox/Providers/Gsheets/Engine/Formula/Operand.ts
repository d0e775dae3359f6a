import { maxOf } from "../../../../../Domain/Lists.ts"
import type { Area } from "../Area.ts"
import { numberText } from "../NumberText.ts"
import type { Tab } from "../Spreadsheet.ts"
import { parseNumber } from "../UserEntered.ts"
import { type CellError, cellError, errorText, isError, type Value } from "../Value.ts"

export interface Matrix {
  readonly values: ReadonlyArray<ReadonlyArray<Value>>
  readonly at?: { readonly tab: Tab; readonly area: Area }
}
export type Operand = Value | Matrix

export const isMatrix = (operand: Operand): operand is Matrix =>
  typeof operand === "object" && operand !== null && "values" in operand

export const toMatrix = (operand: Operand): Matrix => isMatrix(operand) ? operand : { values: [[operand]] }

export const flatten = (operand: Operand): ReadonlyArray<Value> => isMatrix(operand) ? operand.values.flat() : [operand]

export const broadcast = (operands: ReadonlyArray<Operand>, of: (values: ReadonlyArray<Value>) => Value): Operand => {
  if (!operands.some(isMatrix)) return of(operands.flatMap(flatten))
  const all = operands.map((operand) => toMatrix(operand).values)
  const height = maxOf(all.map((rows) => rows.length))
  const width = maxOf(all.map((rows) => rows[0]?.length ?? 0))
  return {
    values: Array.from(
      { length: height },
      (_, row) => Array.from({ length: width }, (_, column) => of(all.map((rows) => repeatedValue(rows, row, column))))
    )
  }
}

const repeatedValue = (rows: Matrix["values"], row: number, column: number): Value => {
  const cells = rows.length === 1 ? rows[0] : rows[row]
  const value = cells?.length === 1 ? cells[0] : cells?.[column]
  return value === undefined ? cellError("N_A", "The arrays do not have the same size.") : value
}

export const toNumber = (value: Value): number | CellError => {
  if (value === null) return 0
  if (typeof value === "number" || isError(value)) return value
  if (typeof value === "boolean") return value ? 1 : 0
  const number = value === "" ? undefined : parseNumber(value, 1970)
  return number ?? cellError("VALUE", `The text '${value}' cannot be used as a number.`)
}

export const toText = (value: Value): string => {
  if (value === null) return ""
  if (isError(value)) return errorText(value)
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE"
  return typeof value === "number" ? numberText(value, undefined) : value
}

export const toBoolean = (value: Value): boolean | CellError => {
  if (typeof value === "boolean" || isError(value)) return value
  if (typeof value !== "string") return value !== null && value !== 0
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase() === "true"
  return value === "" ? false : cellError("VALUE", `The text '${value}' cannot be used as TRUE or FALSE.`)
}

export const compare = (a: Value, b: Value): number => {
  const left = a ?? emptyLike(b)
  const right = b ?? emptyLike(a)
  if (typeof left === "string" && typeof right === "string") {
    return compareOrdered(left.toLowerCase(), right.toLowerCase())
  }
  return typeRank(left) === typeRank(right)
    ? compareOrdered(Number(left), Number(right))
    : typeRank(left) - typeRank(right)
}

const emptyLike = (value: Value): string | number | boolean =>
  typeof value === "string" ? "" : typeof value === "boolean" ? false : 0

const typeRank = (value: Value): number => typeof value === "number" ? 0 : typeof value === "string" ? 1 : 2

const compareOrdered = <A extends string | number>(a: A, b: A): number => a < b ? -1 : a > b ? 1 : 0
