import { numberText } from "../NumberText.ts"
import { parseNumber } from "../UserEntered.ts"
import { type CellError, cellError, errorText, isError, type Value } from "../Value.ts"

export const applyBinary = (operator: string, left: Value, right: Value): Value => {
  if (isError(left)) return left
  if (isError(right)) return right
  switch (operator) {
    case "&":
      return toText(left) + toText(right)
    case "=":
      return compare(left, right) === 0
    case "<>":
      return compare(left, right) !== 0
    case "<":
      return compare(left, right) < 0
    case "<=":
      return compare(left, right) <= 0
    case ">":
      return compare(left, right) > 0
    case ">=":
      return compare(left, right) >= 0
    default:
      return applyArithmetic(operator, toNumber(left), toNumber(right))
  }
}

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
