import { Predicate, SchemaAST } from "effect"
import { rewriteFields, rewriteItems } from "../Json/Rewrite.ts"

/** Removes `null` and `""` where the schema has an optional field: agents fill in every field that they see. */
export const withoutBlanks = (schema: SchemaAST.AST): (input: unknown) => unknown => {
  const encoded = SchemaAST.toEncoded(schema)
  return (input) => clean(encoded, input)
}

const clean = (schema: SchemaAST.AST, value: unknown): unknown => {
  if (SchemaAST.isSuspend(schema)) return clean(schema.thunk(), value)
  if (SchemaAST.isArrays(schema) && Array.isArray(value)) {
    const [item] = schema.rest
    return item === undefined ? value : rewriteItems(value, (each) => clean(item, each))
  }
  if (!SchemaAST.isObjects(schema) || !Predicate.isObject(value)) return value
  const fields = new Map(schema.propertySignatures.map(({ name, type }) => [name, type]))
  return rewriteFields(value, (field, name) => {
    const type = fields.get(name)
    if (type === undefined) return field
    return isBlank(field) && SchemaAST.isOptional(type) ? undefined : clean(type, field)
  })
}

/** How agents write a field that they leave out. */
export const isBlank = (value: unknown): boolean => value === null || value === ""
