import { Order } from "effect"
import { numberText } from "../NumberText.ts"
import { parseNumber } from "../UserEntered.ts"
import { type CellError, cellError, errorText, isError, type Value } from "../Value.ts"

export const applyBinary = (operator: string, left: Value, right: Value): Value => {
  if (isError(left)) return left
  if (isError(right)) return right
  if (operator === "&") return toText(left) + toText(right)
  const isRight = comparisons.get(operator)
  return isRight === undefined
    ? applyArithmetic(operator, toNumber(left), toNumber(right))
    : isRight(compare(left, right))
}

/** Whether an operator holds for two values, by their order. */
export const comparisons = new Map<string, (order: number) => boolean>([
  ["=", (order) => order === 0],
  ["<>", (order) => order !== 0],
  ["<", (order) => order < 0],
  ["<=", (order) => order <= 0],
  [">", (order) => order > 0],
  [">=", (order) => order >= 0]
])

const applyArithmetic = (operator: string, a: number | CellError, b: number | CellError): Value => {
  if (isError(a)) return a
  if (isError(b)) return b
  if (operator === "/" && b === 0) {
    return cellError("DIVIDE_BY_ZERO", "Function DIVIDE parameter 2 cannot be zero.")
  }
  const result = { "+": a + b, "-": a - b, "*": a * b, "/": a / b, "^": a ** b }[operator] ?? NaN
  return Number.isFinite(result) ? result : cellError("NUM", "The result is not a number.")
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

export const compare = (a: Value, b: Value): number => {
  const left = a ?? emptyLike(b)
  const right = b ?? emptyLike(a)
  if (typeof left === "string" && typeof right === "string") {
    return Order.String(left.toLowerCase(), right.toLowerCase())
  }
  return typeRank(left) - typeRank(right) || Order.Number(Number(left), Number(right))
}

const emptyLike = (value: Value): string | number | boolean =>
  typeof value === "string" ? "" : typeof value === "boolean" ? false : 0

const typeRank = (value: Value): number => typeof value === "number" ? 0 : typeof value === "string" ? 1 : 2
