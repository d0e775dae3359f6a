import { Predicate, Record } from "effect"
import { append } from "../../../Domain/Lists.ts"
import type { JsonSchema } from "../../../Providers/Catalog/JsonSchema.ts"

/** The most characters that describe an endpoint. An agent reads them before its first call. */
const maxEndpointCharacters = 4200

const maxPartCharacters = 12_000

const largeUnion = 12

export interface Part {
  readonly name: string
  readonly description: string
}

export interface Described {
  readonly schema: JsonSchema
  /** Names that the schema refers to without showing them. */
  readonly parts: ReadonlyArray<Part>
}

/**
 * The schema, or one part of it: a definition, or one kind of a large union. Nested definitions are added up to a
 * number of characters, those that the example needs first, then those that most others need. A long schema of an
 * endpoint has a short form, whose parts are complete. `undefined` if there is no such part.
 */
export const describeSchema = (whole: JsonSchema, part?: string, example?: unknown): Described | undefined => {
  const definitions = definitionsOf(whole)
  const { $defs: _, $schema: __, ...root } = whole
  const start = part === undefined ? root : findPart(definitions, part)
  if (start === undefined) return undefined
  const references = Map.groupBy(Object.values(definitions).flatMap(refsOf), (name) => name)
  const usesOf = (name: string) => references.get(name)?.length ?? 0
  if (part !== undefined) return show(start, definitions, usesOf, maxPartCharacters)
  const inExample = new Set(refsIn(start, example, definitions))
  const rank = (name: string) => (inExample.has(name) ? 10_000 : 0) + usesOf(name)
  const described = show(start, definitions, rank, maxEndpointCharacters)
  return described.parts.length === 0
    ? described
    : show(brief(start), Record.map(definitions, brief), rank, maxEndpointCharacters)
}

export const partNames = (whole: JsonSchema): ReadonlyArray<string> => {
  const definitions = definitionsOf(whole)
  return [
    ...Object.values(definitions).filter(isLargeUnion).flatMap((union) => Object.keys(kindsOf(union))),
    ...Object.keys(definitions)
  ]
}

type Definitions = Readonly<Record<string, JsonSchema>>

const definitionsOf = ({ $defs }: JsonSchema): Definitions =>
  Predicate.isObject($defs) ? Record.filter({ ...$defs }, Predicate.isObject) : {}

const kindsOf = ({ properties }: JsonSchema): Definitions =>
  Predicate.isObject(properties) ? Record.filter({ ...properties }, Predicate.isObject) : {}

const isLargeUnion = (schema: JsonSchema): boolean =>
  schema["minProperties"] === 1 && schema["maxProperties"] === 1 && Object.keys(kindsOf(schema)).length >= largeUnion

/** Callers choose the name, which may be that of an inherited property. */
const own = (definitions: Definitions, name: string): JsonSchema | undefined =>
  Object.hasOwn(definitions, name) ? definitions[name] : undefined

const findPart = (definitions: Definitions, part: string): JsonSchema | undefined => {
  const kind = Object.values(definitions).filter(isLargeUnion)
    .map((union) => own(kindsOf(union), part))
    .find((kind) => kind !== undefined)
  if (kind === undefined) return own(definitions, part)
  return { type: "object", properties: { [part]: kind }, required: [part], additionalProperties: false }
}

const show = (
  start: JsonSchema,
  definitions: Definitions,
  rank: (name: string) => number,
  maxCharacters: number
): Described => {
  const shown = new Map<string, JsonSchema>()
  const parts: Array<Part> = []
  let length = JSON.stringify(start).length
  const seen = new Set(refsOf(start))
  const waiting = [...seen]
  while (true) {
    const name = waiting.toSorted((left, right) => rank(right) - rank(left))[0]
    if (name === undefined) break
    waiting.splice(waiting.indexOf(name), 1)
    const definition = definitions[name]
    if (definition === undefined) continue
    if (isLargeUnion(definition)) {
      const kinds = Object.entries(kindsOf(definition))
      append(parts, kinds.map(([name, kind]) => ({ name, description: firstSentence(kind) })))
      shown.set(name, withoutKinds(definition))
      continue
    }
    const size = JSON.stringify(definition).length
    if (length + size > maxCharacters) {
      const part = { name, description: firstSentence(definition) }
      length += JSON.stringify(part).length
      parts.push(part)
      continue
    }
    length += size
    shown.set(name, definition)
    for (const ref of refsOf(definition)) {
      if (seen.has(ref)) continue
      seen.add(ref)
      waiting.push(ref)
    }
  }
  const schema = shown.size === 0 ? start : { ...start, $defs: Object.fromEntries(shown) }
  return { schema, parts }
}

/** The names of the definitions that describe parts of the value. */
const refsIn = (schema: unknown, value: unknown, definitions: Definitions): Array<string> => {
  if (!Predicate.isObject(schema)) return []
  const { $ref, anyOf, items, properties }: JsonSchema = { ...schema }
  if (Predicate.isString($ref)) {
    const name = nameIn($ref)
    return [name, ...refsIn(own(definitions, name), value, definitions)]
  }
  if (Array.isArray(anyOf)) return anyOf.flatMap((each) => refsIn(each, value, definitions))
  if (Array.isArray(value)) return value.flatMap((each) => refsIn(items, each, definitions))
  if (!Predicate.isObject(value) || !Predicate.isObject(properties)) return []
  const known: JsonSchema = { ...properties }
  return Object.entries(value).flatMap(([key, each]) => refsIn(known[key], each, definitions))
}

const nameIn = (ref: string): string => ref.slice("#/$defs/".length)

const withoutKinds = (schema: JsonSchema): JsonSchema => {
  const { additionalProperties: _, description, properties: __, ...union } = schema
  const whole = Predicate.isString(description) ? `${description} ` : ""
  return { ...union, description: `${whole}Its only field is one of \`parts\`.` }
}

const maxPatternCharacters = 60

/** Shortens a schema to the first sentence of each description, without long patterns and rules between fields. */
const brief = (schema: JsonSchema): JsonSchema => {
  const { additionalProperties: _, allOf: __, pattern, ...kept } = schema
  const { description, items, properties } = schema
  return {
    ...kept,
    ...Predicate.isString(pattern) && pattern.length <= maxPatternCharacters ? { pattern } : {},
    ...Predicate.isString(description) ? { description: firstSentence(schema, 60) } : {},
    ...Predicate.isObject(items) ? { items: brief({ ...items }) } : {},
    ...Predicate.isObject(properties) ? { properties: Record.map(kindsOf(schema), brief) } : {}
  }
}

const firstSentence = ({ description }: JsonSchema, maxLength = 100): string => {
  const text = Predicate.isString(description) ? description : ""
  const [sentence = ""] = text.replace(/^(?:Optional|Required)\.\s+/, "").split(/(?<=\.)\s/)
  return sentence.length > maxLength ? `${sentence.slice(0, maxLength - 1).toWellFormed()}…` : sentence
}

const refsOf = (node: unknown): Array<string> => {
  if (Array.isArray(node)) return node.flatMap(refsOf)
  if (!Predicate.isObject(node)) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === "$ref" && Predicate.isString(value) ? [nameIn(value)] : refsOf(value)
  )
}
