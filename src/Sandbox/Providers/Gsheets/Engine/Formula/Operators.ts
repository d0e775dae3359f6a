import { cellError, isError, type Value } from "../Value.ts"
import { compare, toNumber, toText } from "./Operand.ts"

export const negate = (value: Value): Value => {
  const number = toNumber(value)
  return isError(number) ? number : -number
}

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
      return applyArithmetic(operator, left, right)
  }
}

export const applyArithmetic = (operator: string, left: Value, right: Value): Value => {
  const a = toNumber(left)
  const b = toNumber(right)
  if (isError(a)) return a
  if (isError(b)) return b
  if (operator === "/" && b === 0) {
    return cellError("DIVIDE_BY_ZERO", "Function DIVIDE parameter 2 cannot be zero.")
  }
  const result = { "+": a + b, "-": a - b, "*": a * b, "/": a / b, "^": a ** b }[operator] ?? NaN
  return Number.isFinite(result) ? result : cellError("NUM", "The result is not a number.")
}
