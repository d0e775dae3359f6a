import { compile, tokenize } from "@jmespath-community/jmespath"
import { parseNumbers } from "../../../Domain/Json/ExactNumber.ts"

export type Expression = ReturnType<typeof compile>

/** Parses JMESPath. Throws for an error, also where the library takes it. The numbers of literals keep every digit. */
export const parseExpression = (expression: string): Expression => {
  const text = expression.replace(quoted, (token: string, quote: string, inner: string, end: string) => {
    if (end === "") throw new Error(`Syntax error: ${quote} without a closing ${quote}`)
    if (quote === "`") return jsonLiteral(inner.replaceAll("\\`", "`"))
    // Only \' is an escape. The library would read two backslashes as one.
    return quote === "'" ? jsonLiteral(JSON.stringify(inner.replaceAll("\\'", "'"))) : token
  })
  const root = compile(text)
  const starts = tokenize(text).map(({ start }) => text[start]).join("")
  if (starts.includes(",)") || starts.split(",").length - 1 !== check(root)) {
    throw new Error("Syntax error: expected one comma between two items")
  }
  return root
}

const quoted = /(["'`])((?:\\[^]|(?!\1)[^\\])*)(\1?)/g

/** The library would read the numbers as doubles. A list keeps the text for `check`. */
const jsonLiteral = (json: string): string => `\`${JSON.stringify([json]).replaceAll("`", "\\u0060")}\``

/** Checks a node and those in it, parses their literals in place, and returns how many commas they have. */
const check = (node: Expression, parent?: Expression): number => {
  if (!isAllowed(node, parent)) throw new Error(`Syntax error: unexpected ${node.type}`)
  if (node.type === "Literal") {
    if (Array.isArray(node.value)) Object.assign(node, { value: parseNumbers(String(node.value)) })
    return 0
  }
  return Object.values(node).reduce<number>((commas, field: unknown) => {
    const children = [field].flat().filter(isNode)
    return children.reduce((sum, child) => sum + check(child, node), commas + Math.max(0, children.length - 1))
  }, 0)
}

const isNode = (value: unknown): value is Expression => typeof value === "object" && value !== null

const takeReference = new Set(["group_by", "map", "max_by", "min_by", "sort_by"])

const isAllowed = (node: Expression, parent: Expression | undefined): boolean => {
  if (node.type === "ExpressionReference") return parent?.type === "Function" && takeReference.has(parent.name)
  if (node.type === "LetExpression") return node.bindings.every(({ type }) => type === "Binding")
  return node.type !== "Binding" || parent?.type === "LetExpression"
}
