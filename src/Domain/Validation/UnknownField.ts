import { SchemaAST } from "effect"
import { nameNearest } from "../Text/Nearest.ts"
import type { Issue } from "./Issue.ts"

export const unknownField = "Unknown field"

export const isUnknownField = ({ message }: Issue): boolean => message.startsWith(unknownField)

export interface Level {
  readonly ast: SchemaAST.AST
  readonly path: Issue["path"]
}

/** Says where the field belongs, else which known fields have the nearest names. `outer` are the objects around it. */
export const describeUnknownField = (key: string, ast: SchemaAST.AST, outer: ReadonlyArray<Level>): string => {
  const fields = fieldsOf(ast)
  const inside = fields.find(({ type }) => hasField(type, key))
  if (inside !== undefined) return `${unknownField}: it belongs in \`${String(inside.name)}\``
  const around = outer.slice(0, -1).findLast(({ ast }) => hasField(ast, key))
  const child = around === undefined ? undefined : outer.at(-1)?.path[around.path.length]
  if (child !== undefined) return `${unknownField}: it belongs beside \`${child}\``
  const names = fields.map(({ name }) => String(name))
  if (names.length === 0) return unknownField
  const list = nameNearest(key, names, (name) => name, (name) => `\`${name}\``)
  return `${unknownField}: ${names.length === 1 ? "the only one is" : "the nearest are"} ${list}`
}

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures : []

const hasField = (ast: SchemaAST.AST, key: string): boolean =>
  fieldsOf(SchemaAST.toEncoded(ast)).some(({ name }) => name === key)
