/**
 * A rule of oxlint: no list is spread into the arguments of a call, which fails for a long list. Rest parameters may be
 * passed on. `src/Domain/Lists.ts` has what takes their place.
 */
interface Node {
  readonly type: string
  readonly name?: string
  readonly params?: ReadonlyArray<Node>
  readonly argument?: Node
  readonly arguments?: ReadonlyArray<Node>
  readonly parent?: Node | null
}

interface Context {
  readonly report: (problem: { readonly node: Node; readonly message: string }) => void
}

const isRestParameter = (name: string | undefined, at: Node | null = null): boolean =>
  name !== undefined && at !== null &&
  (at.params?.some(({ argument, type }) => type === "RestElement" && argument?.name === name) === true ||
    isRestParameter(name, at.parent))

const check = (context: Context) => (call: Node) => {
  for (const node of call.arguments ?? []) {
    if (node.type !== "SpreadElement" || isRestParameter(node.argument?.name, call.parent)) continue
    context.report({ node, message: "A long list fails as arguments. Use maxOf, minOf or append of Domain/Lists.ts." })
  }
}

export default {
  meta: { name: "openaccounts" },
  rules: {
    "no-spread-arguments": {
      create: (context: Context) => ({ CallExpression: check(context), NewExpression: check(context) })
    }
  }
}
