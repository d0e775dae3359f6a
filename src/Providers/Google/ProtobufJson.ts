import { Predicate, SchemaAST } from "effect"
import { rewriteFields, rewriteItems } from "../../Domain/Json/Rewrite.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import type { BodyReader } from "../Provider.ts"

/**
 * Reads a body as protobuf's JSON mapping reads it (https://protobuf.dev/programming-guides/json/), as the message that
 * the schema describes. Names are written in camelCase, numbers that came as text are numbers, and fields that are
 * `null` are left out. What the schema does not know stays as it is.
 */
export const protobufJson = (schema: SchemaAST.AST): BodyReader => {
  const message = SchemaAST.toEncoded(schema)
  return { read: (body) => readValue(message, body), placeOf }
}

const readValue = (schema: SchemaAST.AST, value: unknown): unknown => {
  switch (schema._tag) {
    case "Suspend":
      return readValue(schema.thunk(), value)
    case "Number":
      return readNumber(value, isNumber)
    case "Union":
      return isInt64(schema) ? readNumber(value, isSafeInteger) : value
    case "Arrays":
      return Array.isArray(value) ? readList(schema, value, true) : value
    case "Objects":
      return Predicate.isObject(value) ? readMessage(schema, value) : value
    default:
      return value
  }
}

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Longer integers stay text, so that they keep their digits. */
const isSafeInteger = /^-?(?:0|[1-9]\d{0,14})$/

const readNumber = (value: unknown, form: RegExp): unknown =>
  typeof value === "string" && form.test(value) ? Number(value) : value

const isInt64 = ({ types }: SchemaAST.Union): boolean =>
  types.length === 2 && types.some(SchemaAST.isNumber) && types.some(SchemaAST.isString)

const isMessage = (schema: SchemaAST.AST): boolean =>
  SchemaAST.isObjects(SchemaAST.isSuspend(schema) ? schema.thunk() : schema)

/** Whether values stay as they are: texts, and cells, which keep `null` and numbers that are text. */
const isKept = (schema: SchemaAST.AST): boolean =>
  SchemaAST.isString(schema) || SchemaAST.isUnion(schema) && !isInt64(schema)

/** Lists in which the index of a message names its row, column or cell. */
const placed = new Set(["rowData", "rowMetadata", "columnMetadata", "values"])

const readList = ({ rest: [item] }: SchemaAST.Arrays, list: ReadonlyArray<unknown>, keepsNull: boolean): unknown => {
  if (item === undefined || isKept(item)) return list
  const skipsNull = !keepsNull && isMessage(item)
  return rewriteItems(list, (value) => value === null && skipsNull ? undefined : readValue(item, value))
}

const readMessage = (schema: SchemaAST.Objects, message: Readonly<Record<string, unknown>>): unknown => {
  const fields = fieldsOf(schema)
  const others = schema.indexSignatures[0]?.type
  return rewriteFields(
    message,
    (value, name) => {
      const field = fields.get(name)
      if (field === undefined) return others === undefined ? value : readValue(others, value)
      if (value === null) return undefined
      if (SchemaAST.isArrays(field) && Array.isArray(value)) return readList(field, value, placed.has(name))
      if (name === "fields" && typeof value === "string") return camelCase(value)
      return readValue(field, value)
    },
    (name) => nameOf(fields, message, name)
  )
}

/** A field that is given under both of its names stays unknown under one. */
const nameOf = (fields: ReadonlyMap<string, SchemaAST.AST>, message: object, name: string): string => {
  if (fields.has(name) || !name.includes("_")) return name
  const own = camelCase(name)
  return fields.has(own) && !Object.hasOwn(message, own) ? own : name
}

const camelCase = (name: string): string => name.replaceAll(/_([a-z\d])/g, (_, first: string) => first.toUpperCase())

const known = new WeakMap<SchemaAST.Objects, ReadonlyMap<string, SchemaAST.AST>>()

const fieldsOf = (schema: SchemaAST.Objects): ReadonlyMap<string, SchemaAST.AST> => {
  const found = known.get(schema)
  if (found !== undefined) return found
  const fields = new Map(schema.propertySignatures.map(({ name, type }) => [String(name), type]))
  known.set(schema, fields)
  return fields
}

/** Translates a path in the normalized body to the path in the body that was sent. */
const placeOf = (sent: unknown, read: unknown, [segment, ...below]: Issue["path"]): Issue["path"] => {
  if (segment === undefined) return []
  const own = ownSegment(sent, read, segment)
  return [own, ...placeOf(valueAt(sent, own), valueAt(read, segment), below)]
}

const ownSegment = (sent: unknown, read: unknown, segment: string | number): string | number => {
  if (Array.isArray(sent) && Array.isArray(read) && sent.length > read.length) {
    const kept = sent.flatMap((item, index) => item === null ? [] : [index])
    return kept[Number(segment)] ?? segment
  }
  if (!Predicate.isObject(sent) || Object.hasOwn(sent, segment)) return segment
  return Object.keys(sent).find((name) => camelCase(name) === segment) ?? segment
}

const valueAt = (value: unknown, segment: string | number): unknown =>
  Predicate.isObjectOrArray(value) ? Reflect.get(value, segment) : undefined
