import { Predicate, SchemaAST } from "effect"

/** Items that are decoded in any case, so that the wrong ones among them are found. */
const alwaysKept = 10_000

/**
 * Cuts each field that is a longer array than its schema allows, but leaves it too long: a decoder refuses it all the
 * same, and does not decode all items first.
 */
export const cutLongArrays = (ast: SchemaAST.AST): (input: unknown) => unknown => {
  const limits = SchemaAST.isObjects(ast) && ast.encoding === undefined
    ? ast.propertySignatures.flatMap(({ name, type }) => {
      const limit = maxItems(type)
      return limit === undefined ? [] : [{ name, limit }]
    })
    : []
  if (limits.length === 0) return (input) => input
  return (input) => {
    if (!Predicate.isObject(input)) return input
    return limits.reduce((rest, { limit, name }) => {
      const items: unknown = Object.hasOwn(rest, name) ? Reflect.get(rest, name) : undefined
      const kept = Math.max(limit + 1, alwaysKept)
      return Array.isArray(items) && items.length > kept ? { ...rest, [name]: items.slice(0, kept) } : rest
    }, input)
  }
}

/** `undefined` where an array may have any length. */
const maxItems = (ast: SchemaAST.AST): number | undefined => {
  if (ast.encoding !== undefined) return undefined
  if (SchemaAST.isUnion(ast)) {
    const limits = ast.types.filter((type) => !SchemaAST.isString(type)).map(maxItems)
    return limits.length === 1 ? limits[0] : undefined
  }
  if (!SchemaAST.isArrays(ast)) return undefined
  const limits = (ast.checks ?? []).flatMap(({ annotations }) => annotations?.arbitraryConstraint?.maxLength ?? [])
  return limits.length === 0 ? undefined : Math.min(...limits)
}
