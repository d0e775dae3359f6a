import { TreeInterpreter } from "@jmespath-community/jmespath"
import { ExactNumber } from "../../../Domain/Json/ExactNumber.ts"
import { type Expression, parseExpression } from "./Expression.ts"
import { functions, type Parameter } from "./Functions.ts"

/** The class of the library's interpreter, which it does not export. */
const LibraryInterpreter: new() => {
  readonly runtime: {
    registerFunction(
      name: string,
      run: (values: ReadonlyArray<unknown>) => unknown,
      parameters: ReadonlyArray<Parameter>,
      options: { readonly override: true; readonly warn: false }
    ): void
    callFunction(name: string, values: ReadonlyArray<unknown>): unknown
  }
  visit(node: Expression, value: unknown): unknown
} = Object.getPrototypeOf(TreeInterpreter).constructor

/**
 * An interpreter with functions of its own. The library reads inherited fields, counts halves of characters, and loses
 * variables. Here a name of a prototype is a missing key, and an `ExactNumber` keeps its digits until something computes
 * with it.
 */
class Interpreter extends LibraryInterpreter {
  readonly #root: unknown
  /** The variables of the `let` expressions around the current node. */
  #variables: ReadonlyMap<string, unknown> = new Map()

  constructor(root: unknown) {
    super()
    this.#root = root
    const helpers = {
      evaluate: (expression: unknown, item: unknown) => Reflect.apply(this.visit, this, [expression, item]),
      equal: (left: unknown, right: unknown) =>
        this.visit({ type: "Comparator", name: "EQ", left: literal(left), right: literal(right) }, null) === true
    }
    for (const [name, { parameters, run }] of Object.entries(functions)) {
      this.runtime.registerFunction(name, (values) => run(values, helpers), parameters, { override: true, warn: false })
    }
  }

  override visit(node: Expression, value: unknown): unknown {
    switch (node.type) {
      case "Field":
        return isFields(value) && Object.hasOwn(value, node.name) ? value[node.name] ?? null : null
      case "MultiSelectHash":
        return Object.fromEntries(node.children.map((child) => [child.name, this.visit(child.value, value)]))
      case "ValueProjection": {
        const base = this.visit(node.left, value)
        return super.visit({ ...node, left: literal(isFields(base) ? base : null) }, value)
      }
      case "Comparator":
      case "Arithmetic": {
        const [left, right] = [node.left, node.right]
          .map((operand) => literal(toDoubles(this.visit(operand, value))))
        return super.visit(Object.assign({}, node, { left, right }), value)
      }
      case "Unary":
        return super.visit({ ...node, operand: literal(toDouble(this.visit(node.operand, value))) }, value)
      case "Slice": {
        if (typeof value !== "string") return super.visit(node, value)
        const characters = super.visit(node, [...value])
        return Array.isArray(characters) ? characters.join("") : characters
      }
      case "Function": {
        const values = node.children.map((child) => this.visit(child, value))
        const read = summing.has(node.name) ? toDoubles : passing.has(node.name) ? keep : toDouble
        return this.runtime.callFunction(node.name, values.map(read))
      }
      case "LetExpression": {
        const bound = node.bindings.map(({ reference, variable }) => [variable, this.visit(reference, value)] as const)
        const outer = this.#variables
        this.#variables = new Map([...outer, ...bound])
        const found = this.visit(node.expression, value)
        this.#variables = outer
        return found
      }
      case "Variable":
        if (this.#variables.has(node.name)) return this.#variables.get(node.name)
        throw new Error(`Undefined variable: $${node.name}`)
      case "Root":
        return this.#root
      default:
        return super.visit(node, value)
    }
  }
}

/** Functions of the library that compute with the numbers of a list. */
const summing = new Set(["avg", "sum"])

/** Functions of the library that pass a number on. */
const passing = new Set(["not_null", "to_array", "to_string"])

const literal = (value: unknown): Expression => Object.assign({ type: "Literal" as const, value: null }, { value })

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)

const keep = (value: unknown): unknown => value

const toDouble = (value: unknown): unknown => value instanceof ExactNumber ? value.valueOf() : value

const toDoubles = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toDoubles)
  if (!isFields(value)) return toDouble(value)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toDoubles(field)]))
}

/** What a JMESPath expression selects of JSON. Throws what `parseExpression` and the library throw. */
export const select = (expression: string, data: unknown): unknown =>
  new Interpreter(data).visit(parseExpression(expression), data)
