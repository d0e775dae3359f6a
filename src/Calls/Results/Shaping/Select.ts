import {
  type JSONValue,
  registerFunction,
  TreeInterpreter,
  TYPE_ANY,
  TYPE_ARRAY,
  TYPE_ARRAY_NUMBER,
  TYPE_ARRAY_STRING,
  TYPE_EXPREF,
  TYPE_NUMBER,
  TYPE_OBJECT,
  TYPE_STRING
} from "@jmespath-community/jmespath"
import { ExactNumber, exactNumber } from "../../../Domain/Json/ExactNumber.ts"
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

const isInteger = (value: unknown): boolean => /^-?\d+$/.test(String(value))

/** `undefined` where the library compares by itself. */
const compareExact = (left: unknown, right: unknown): number | undefined => {
  if (!isNumeric(left) || !isNumeric(right)) return undefined
  // Rounding to a double keeps the order, unless both become the same one.
  const isSame = Number(left) === Number(right) && isInteger(left) && isInteger(right)
  const [first, second] = isSame ? [BigInt(String(left)), BigInt(String(right))] : [Number(left), Number(right)]
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

type Types = Parameters<typeof registerFunction>[2][number]["types"]

const register = (name: string, run: (values: ReadonlyArray<unknown>) => unknown, ...types: ReadonlyArray<Types>) =>
  registerFunction(name, (values) => literal(run(values)).value, types.map((types) => ({ types })), override)

const asList = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

const evaluate = (expression: unknown, item: unknown): unknown =>
  Reflect.apply(visit, TreeInterpreter, [expression, item])

register(
  "group_by",
  ([items, expression]) => {
    const groups = new Map<string, Array<unknown>>()
    for (const item of asList(items)) {
      const key = evaluate(expression, item)
      if (typeof key !== "string") throw new Error("Invalid type: group_by() expects texts to group by.")
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [item])
      else group.push(item)
    }
    return Object.fromEntries(groups)
  },
  [TYPE_ARRAY],
  [TYPE_EXPREF]
)

interface Keyed {
  readonly item: unknown
  readonly key: unknown
}

/** Texts are ordered by their code points, as their UTF-8 is. */
const keyed = (item: unknown, key: unknown): Keyed => {
  if (typeof key === "string") return { item, key: Buffer.from(key) }
  if (!isNumeric(key)) throw new Error("Invalid type: expected numbers or texts to order by.")
  return { item, key }
}

const compareKeys = ({ key: one }: Keyed, { key: other }: Keyed): number => {
  const order = one instanceof Buffer && other instanceof Buffer ? Buffer.compare(one, other) : compareExact(one, other)
  if (order === undefined) throw new Error("Invalid type: expected only numbers or only texts to order by.")
  return order
}

/** Registers a function of a list of numbers or texts, and the one of other items with an expression. */
const registerOrdering = (name: string, run: (items: ReadonlyArray<Keyed>) => unknown) => {
  register(name, ([items]) => run(asList(items).map((item) => keyed(item, item))), [
    TYPE_ARRAY_NUMBER,
    TYPE_ARRAY_STRING
  ])
  register(
    `${name}_by`,
    ([items, expression]) => run(asList(items).map((item) => keyed(item, evaluate(expression, item)))),
    [TYPE_ARRAY],
    [TYPE_EXPREF]
  )
}

const firstOf = (items: ReadonlyArray<Keyed>, isBefore: (order: number) => boolean): unknown =>
  items.length === 0 ? null : items.reduce((first, one) => isBefore(compareKeys(one, first)) ? one : first).item

registerOrdering("sort", (items) => items.toSorted(compareKeys).map(({ item }) => item))
registerOrdering("max", (items) => firstOf(items, (order) => order > 0))
registerOrdering("min", (items) => firstOf(items, (order) => order < 0))

register(
  "contains",
  ([within, value]) => {
    if (typeof within === "string") return typeof value === "string" ? within.includes(value) : null
    return asList(within).some((item) => item === value || compareExact(item, value) === 0)
  },
  [TYPE_STRING, TYPE_ARRAY],
  [TYPE_ANY]
)

register(
  "abs",
  ([value]) => value instanceof ExactNumber ? new ExactNumber(value.text.replace(/^-/, "")) : Math.abs(Number(value)),
  [TYPE_NUMBER]
)

for (const name of ["ceil", "floor"] as const) {
  register(name, ([value]) => isInteger(value) ? value : Math[name](Number(value)), [TYPE_NUMBER])
}

register("to_number", ([value]) => {
  if (isNumeric(value)) return value
  const number = typeof value === "string" ? exactNumber(value) ?? Number(value) : null
  return Number.isNaN(number) ? null : number
}, [TYPE_ANY])

registerFunction(
  "merge",
  // An object without a prototype has `__proto__` as an ordinary field.
  (objects) => objects.reduce((merged, object) => Object.assign(merged, object), Object.create(null)),
  [{ types: [TYPE_OBJECT], variadic: true }],
  override
)

/** Throws what `parseExpression` and the library throw. */
export const select = (expression: string, data: unknown): unknown => {
  const node = parseExpression(expression)
  return Reflect.apply(TreeInterpreter.search, TreeInterpreter, [node, data])
}
