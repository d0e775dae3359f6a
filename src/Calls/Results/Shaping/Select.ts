import {
  type JSONValue,
  registerFunction,
  TreeInterpreter,
  TYPE_ARRAY,
  TYPE_ARRAY_NUMBER,
  TYPE_ARRAY_STRING,
  TYPE_EXPREF,
  TYPE_NUMBER
} from "@jmespath-community/jmespath"
import { ExactNumber } from "../../../Domain/Json/ExactNumber.ts"
import { parseExpression } from "./Expression.ts"

type Interpreter = typeof TreeInterpreter
type Visit = Interpreter["visit"]

const prototype: Interpreter = Object.getPrototypeOf(TreeInterpreter)
const original: Visit = prototype.visit

const literal = (value: unknown): { readonly type: "Literal"; readonly value: JSONValue } =>
  Object.assign({ type: "Literal" as const, value: null }, { value })

/**
 * The library reads inherited fields, and knows no numbers but doubles. Here a name of a prototype is a missing key, and
 * `ExactNumber` is a number.
 */
const visit: Visit = function(this: Interpreter, node, value) {
  switch (node.type) {
    case "Field":
      return isObject(value) && Object.hasOwn(value, node.name) ? original.call(this, node, value) : null
    case "MultiSelectHash": {
      const collected = Object.create(null)
      for (const child of node.children) collected[child.name] = this.visit(child.value, value)
      return collected
    }
    case "Comparator": {
      const left = this.visit(node.left, value)
      const right = this.visit(node.right, value)
      const order = compareExact(left, right)
      const operands = order === undefined ? [left, right] : [order, 0]
      return original.call(this, { ...node, left: literal(operands[0]), right: literal(operands[1]) }, value)
    }
    case "Arithmetic": {
      const left = toNumber(this.visit(node.left, value))
      const right = toNumber(this.visit(node.right, value))
      return original.call(this, { ...node, left: literal(left), right: literal(right) }, value)
    }
    case "Unary":
      return original.call(this, { ...node, operand: literal(toNumber(this.visit(node.operand, value))) }, value)
    default:
      return original.call(this, node, value)
  }
}
prototype.visit = visit

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)

const toNumber = (value: unknown): unknown => value instanceof ExactNumber ? value.valueOf() : value

const isNumeric = (value: unknown): boolean => typeof value === "number" || value instanceof ExactNumber

/** `undefined` where the library compares by itself. */
const compareExact = (left: unknown, right: unknown): number | undefined => {
  if (!isNumeric(left) || !isNumeric(right)) return undefined
  const [one, other] = [String(left), String(right)]
  const isInteger = /^-?\d+$/
  const [first, second] = isInteger.test(one) && isInteger.test(other)
    ? [BigInt(one), BigInt(other)]
    : [Number(one), Number(other)]
  return first < second ? -1 : first > second ? 1 : 0
}

const runtime: object = Object.getPrototypeOf(TreeInterpreter.runtime)
const typeOf: unknown = Reflect.get(runtime, "getTypeName")
Object.assign(runtime, {
  getTypeName(this: object, value: unknown) {
    return value instanceof ExactNumber
      ? TYPE_NUMBER
      : typeof typeOf === "function"
      ? Reflect.apply(typeOf, this, [value])
      : undefined
  }
})

const override = { override: true, warn: false }

registerFunction(
  "group_by",
  ([items, expression]) => {
    const groups = new Map<string, Array<JSONValue>>()
    if (!Array.isArray(items)) return null
    for (const item of items) {
      const key: unknown = Reflect.apply(visit, TreeInterpreter, [expression, item])
      if (typeof key !== "string") throw new Error("Invalid type: group_by() expects texts to group by.")
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [item])
      else group.push(item)
    }
    return Object.fromEntries(groups)
  },
  [{ types: [TYPE_ARRAY] }, { types: [TYPE_EXPREF] }],
  override
)

/** The library passes each number as an argument, and there may be too many. */
const extreme = (name: "max" | "min", isBeyond: (one: JSONValue, other: JSONValue) => boolean) =>
  registerFunction(
    name,
    ([items]) =>
      Array.isArray(items) && items.length > 0
        ? items.reduce((most, item) => isBeyond(item, most) ? item : most)
        : null,
    [{ types: [TYPE_ARRAY_NUMBER, TYPE_ARRAY_STRING] }],
    override
  )

const isGreater = (one: JSONValue, other: JSONValue): boolean =>
  typeof one === "string" && typeof other === "string"
    ? one.localeCompare(other) > 0
    : (compareExact(one, other) ?? 0) > 0
extreme("max", isGreater)
extreme("min", (one, other) => isGreater(other, one))

/** Throws what `parseExpression` and the library throw. */
export const select = (expression: string, data: unknown): unknown => {
  const node = parseExpression(expression)
  return Reflect.apply(TreeInterpreter.search, TreeInterpreter, [node, data])
}
