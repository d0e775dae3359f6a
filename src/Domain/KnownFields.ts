import { Predicate, SchemaAST } from "effect"

/** Whether every field of a value is one that its schema names. */
export type HasOnlyKnownFields = (value: unknown) => boolean

/** Of a value in which the schema names no fields. */
const always: HasOnlyKnownFields = () => true

/** `undefined` where it takes a decoder to tell: in a union the fields depend on which member a value is. */
export const knownFieldsOf = (encoded: SchemaAST.AST): HasOnlyKnownFields | undefined => {
  if (SchemaAST.isObjects(encoded)) return ofObject(encoded)
  if (SchemaAST.isArrays(encoded)) return ofArray(encoded)
  if (SchemaAST.isUnion(encoded)) {
    return encoded.types.every((type) => knownFieldsOf(type) === always)
      ? always
      : undefined
  }
  return SchemaAST.isSuspend(encoded) || SchemaAST.isDeclaration(encoded) ? undefined : always
}

const ofObject = ({ indexSignatures, propertySignatures }: SchemaAST.Objects): HasOnlyKnownFields | undefined => {
  if (indexSignatures.some(({ type }) => knownFieldsOf(type) !== always)) return undefined
  if (propertySignatures.length === 0) return always
  const fields = new Map<PropertyKey, HasOnlyKnownFields>()
  for (const { name, type } of propertySignatures) {
    const below = knownFieldsOf(type)
    if (below === undefined) return undefined
    fields.set(name, below)
  }
  const others = indexSignatures.length > 0
  return (value) => {
    // What is no object is the decoder's to refuse.
    if (!Predicate.isObject(value)) return true
    for (const name of Object.keys(value)) {
      const field = fields.get(name)
      if (field === undefined ? !others : field !== always && !field(Reflect.get(value, name))) return false
    }
    return true
  }
}

const ofArray = ({ elements, rest }: SchemaAST.Arrays): HasOnlyKnownFields | undefined => {
  const [item, ...tail] = rest
  if (item === undefined || elements.length > 0 || tail.length > 0) return undefined
  const below = knownFieldsOf(item)
  if (below === undefined || below === always) return below
  return (value) => !Array.isArray(value) || value.every(below)
}
