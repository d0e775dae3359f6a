import { compile, tokenize } from "@jmespath-community/jmespath"

export type Expression = ReturnType<typeof compile>

/** Parses JMESPath. Throws for an error, also where the library takes it. */
export const parseExpression = (expression: string): Expression => {
  for (const [, quote, end] of expression.matchAll(quoted)) {
    if (end === "") throw new Error(`Syntax error: ${quote} without a closing ${quote}`)
  }
  const root = compile(expression)
  const starts = tokenize(expression).map(({ start }) => expression[start]).join("")
  if (starts.includes(",)") || starts.split(",").length - 1 !== commasIn(root)) {
    throw new Error("Syntax error: expected one comma between two items")
  }
  return root
}

const quoted = /(["'`])(?:\\[^]|(?!\1)[^\\])*(\1?)/g

/** Of a node. */
const commasIn = (node: Expression, parent?: Expression): number => {
  if (!isAllowed(node, parent)) throw new Error(`Syntax error: unexpected ${node.type}`)
  if (node.type === "Literal") return 0
  return Object.values(node).reduce<number>((commas, field: unknown) => {
    const children = [field].flat().filter(isNode)
    return children.reduce((sum, child) => sum + commasIn(child, node), commas + Math.max(0, children.length - 1))
  }, 0)
}

const isNode = (value: unknown): value is Expression => typeof value === "object" && value !== null

const takeReference = new Set(["group_by", "map", "max_by", "min_by", "sort_by"])

const isAllowed = (node: Expression, parent: Expression | undefined): boolean => {
  if (node.type === "ExpressionReference") return parent?.type === "Function" && takeReference.has(parent.name)
  return node.type !== "Binding" || parent?.type === "LetExpression"
}
