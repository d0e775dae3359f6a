import { identity, Predicate, SchemaAST } from "effect"
import { minOf } from "../Lists.ts"

/** The most items of an array that stays whole, so that its issues are reported. */
const alwaysKept = 10_000

/**
 * Cuts an array that exceeds its schema's limit to a length that still exceeds it. Validation then refuses it without
 * decoding every item.
 */
export const cutLongArrays = (ast: SchemaAST.AST): (input: unknown) => unknown => {
  const limits = SchemaAST.isObjects(ast) && ast.encoding === undefined
    ? ast.propertySignatures.flatMap(({ name, type }) => {
      const limit = maxItems(type)
      return limit === undefined ? [] : [{ name, limit }]
    })
    : []
  if (limits.length === 0) return identity
  return (input) => {
    if (!Predicate.isObject(input)) return input
    return limits.reduce((rest, { limit, name }) => {
      const items: unknown = Object.hasOwn(rest, name) ? Reflect.get(rest, name) : undefined
      const kept = Math.max(limit + 1, alwaysKept)
      return Array.isArray(items) && items.length > kept ? { ...rest, [name]: items.slice(0, kept) } : rest
    }, input)
  }
}

const maxItems = (ast: SchemaAST.AST): number | undefined => {
  if (ast.encoding !== undefined) return undefined
  if (SchemaAST.isUnion(ast)) {
    const limits = ast.types.filter((type) => !SchemaAST.isString(type)).map(maxItems)
    return limits.length === 1 ? limits[0] : undefined
  }
  if (!SchemaAST.isArrays(ast)) return undefined
  const limits = (ast.checks ?? []).flatMap(({ annotations }) => annotations?.arbitraryConstraint?.maxLength ?? [])
  return limits.length === 0 ? undefined : minOf(limits)
}
