import { type ESTree, parseSync, Visitor } from "rolldown/utils"

/** A part of a source file and what to put in its place. */
export interface Mutant {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly mutated: string
}

type Range = Pick<ESTree.Node, "start" | "end">

const comparisons: Readonly<Record<string, ReadonlyArray<string>>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="]
}

const calculations: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" }

const otherMethods = new Map([
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["andThen", "tap"]
])

/** Calls of these return what they were called on. */
const removedMethods = new Set(["filter", "slice", "toSorted", "toReversed", "trim", "toLowerCase", "toUpperCase"])

/** Nothing works without these, or they change nothing. */
const fixedSteps = /^(Layer|Schema\.(brand|annotate)|Effect\.(withSpan|annotate))/

const describing = new Set(["message", "description", "title", "identifier"])

/** Texts for people, and names of services and spans. */
const isText = (value: string) => /\s|^openaccounts\/|^[A-Z]\w+\.\w+$/.test(value)

/** All places of a TypeScript source that can be mutated. They may overlap. */
export const findMutants = (file: string, source: string): ReadonlyArray<Mutant> => {
  const found: Array<Mutant> = []
  const fixed = new Set<ESTree.Node | null>()
  // A statement that began with a parenthesis would belong to the line before it.
  const statements = new Set<number>()
  const text = ({ end, start }: Range) => source.slice(start, end)
  const add = (kind: string, { end, start }: Range, ...mutated: ReadonlyArray<string>) => {
    if (statements.has(start) && kind !== "statement") return
    for (const one of mutated) found.push({ kind, start, end, mutated: one })
  }
  const addCondition = (test: ESTree.Expression) => add("condition", test, "true", "false")
  const addBody = ({ body }: { readonly body: ESTree.Node | null }) => {
    if (body?.type !== "BlockStatement" || body.body.length === 0 || /\breturn[ \t]+\S/.test(text(body))) return
    found.push({ kind: "body", start: body.start + 1, end: body.start + 1, mutated: "" })
  }
  new Visitor({
    ImportDeclaration: ({ source: from }) => void fixed.add(from),
    ExportAllDeclaration: ({ source: from }) => void fixed.add(from),
    ExportNamedDeclaration: ({ source: from }) => void fixed.add(from),
    ImportExpression: ({ source: from }) => void fixed.add(from),
    TSLiteralType: ({ literal }) => void fixed.add(literal),
    MemberExpression: ({ computed, property }) => {
      if (computed) fixed.add(property)
    },
    PropertyDefinition: ({ key }) => void fixed.add(key),
    Property: ({ key, value }) => {
      fixed.add(key)
      if (key.type === "Identifier" && describing.has(key.name)) fixed.add(value)
    },
    MethodDefinition: ({ kind, value }) => {
      if (kind === "constructor") fixed.add(value)
    },
    ExpressionStatement: (node) => {
      statements.add(node.start)
      if (node.expression.type !== "CallExpression" || node.expression.callee.type !== "Super") {
        add("statement", node, "")
      }
    },
    BinaryExpression: (node) => {
      const { left, operator, right } = node
      const operands = (between: string) => `(${text(left)}) ${between} (${text(right)})`
      add("comparison", node, ...(comparisons[operator] ?? []).map(operands))
      const calculation = calculations[operator]
      if (calculation !== undefined && !/["`]/.test(text(node))) add("calculation", node, operands(calculation))
    },
    LogicalExpression: (node) => {
      const { left, operator, right } = node
      if (operator === "??") add("logic", node, text(right))
      else add("logic", node, `(${text(left)}) ${operator === "&&" ? "||" : "&&"} (${text(right)})`)
    },
    UnaryExpression: (node) => {
      if (node.operator === "!") add("logic", node, text(node.argument))
    },
    IfStatement: ({ test }) => addCondition(test),
    ConditionalExpression: ({ test }) => addCondition(test),
    WhileStatement: ({ test }) => add("condition", test, "false"),
    Literal: (node) => {
      if (fixed.has(node)) return
      const { value } = node
      if (typeof value === "boolean") add("boolean", node, `${!value}`)
      if (typeof value === "number") add("number", node, value > 100 ? "0" : `${value + 1}`)
      if (typeof value === "string" && !isText(value)) add("string", node, value === "" ? `"mutant"` : `""`)
    },
    ArrayExpression: (node) => {
      if (node.elements.length > 0) add("array", node, "[]")
    },
    ObjectExpression: (node) => {
      if (node.properties.length > 0 && !/=>|function/.test(text(node))) add("object", node, "{}")
    },
    CallExpression: (node) => {
      const { arguments: values, callee } = node
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return
      const { name } = callee.property
      // Parentheses around a part of an optional chain would change the chain.
      const isPlain = !text(callee).includes("?.")
      if (isPlain && removedMethods.has(name)) add("method", node, text(callee.object))
      const other = otherMethods.get(name)
      if (isPlain && other !== undefined && text(callee) !== "Option.some") {
        add(
          "method",
          node,
          `${text({ start: node.start, end: callee.property.start })}${other}${
            text({ start: callee.property.end, end: node.end })
          }`
        )
      }
      if (name !== "pipe") return
      for (const step of values) {
        if (step.type !== "SpreadElement" && !fixedSteps.test(text(step))) add("step", step, "(it) => it")
      }
    },
    FunctionDeclaration: addBody,
    FunctionExpression: (node) => {
      if (!fixed.has(node)) addBody(node)
    },
    ArrowFunctionExpression: addBody
  }).visit(parseSync(file, source, { preserveParens: false }).program)
  return found
}
