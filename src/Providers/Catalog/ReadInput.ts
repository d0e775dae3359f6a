import { Predicate, type Schema, SchemaAST } from "effect"
import type { Reader } from "../../Api/ApiError.ts"
import { parseNumbers } from "../../Domain/Json/ExactNumber.ts"
import { type LostNumbers, lostNumbers, parseLongNumbers } from "../../Domain/Json/LostNumbers.ts"
import { rewriteFields } from "../../Domain/Json/Rewrite.ts"
import { withoutBlanks } from "../../Domain/Validation/Blanks.ts"
import type { Issue } from "../../Domain/Validation/Issue.ts"
import { lostDigits } from "../../Domain/Validation/LostDigits.ts"
import type { Provider, RawEndpoint } from "../Provider.ts"

/** Normalizes the input of an operation before validation. */
export interface InputReader {
  readonly read: (input: unknown, reader: Reader) => unknown
  /** Issues that are visible only in the JSON text of the call. */
  readonly issuesOf: (body: () => string) => ReadonlyArray<Issue>
  /** Numbers of the decoded input that lost digits of the call's JSON text. They are sent with all digits. */
  readonly lostIn?: (decoded: unknown, body: string, reader: Reader) => LostNumbers | undefined
  /** Translates `path` in the normalized input to the path in the input that was sent. */
  readonly placeOf: (sent: unknown, read: unknown, path: Issue["path"]) => Issue["path"]
}

type Input = Schema.Codec<unknown, unknown>

export const bodyOf = ({ bodyReader }: Provider, { input, writes }: Pick<RawEndpoint, "writes"> & {
  readonly input: Input
}): InputReader => {
  const body = fieldsOf(input.ast).get("body")
  const reader = body === undefined ? undefined : bodyReader?.(body)
  const clean = withoutBlanks(input.ast)
  /** Keeps empty texts in the body of a write: they can be the value to write. */
  const cleanParts = (parts: unknown): unknown => {
    if (!writes || !Predicate.hasProperty(parts, "body") || parts.body === null) return clean(parts)
    const { body, ...others } = parts
    return withBody(clean(others), body)
  }
  const read = (sent: unknown, from: Reader): unknown => {
    const parts = from === "agent" ? cleanParts(sent) : sent
    if (reader === undefined || !Predicate.isObject(parts)) return parts
    return rewriteFields(parts, (part, name) => name === "body" ? reader.read(part) : part)
  }
  return {
    read,
    issuesOf: () => [],
    ...writes && {
      lostIn: (decoded, json, from) => {
        const call = parseLongNumbers(json)
        return Predicate.hasProperty(call, "input") ? lostNumbers(decoded, read(call.input, from)) : undefined
      }
    },
    placeOf: (sent, read, [part, ...path]) => {
      if (part !== "body" || reader === undefined) return part === undefined ? [] : [part, ...path]
      return [part, ...reader.placeOf(bodyIn(sent), bodyIn(read), path)]
    }
  }
}

const withBody = (parts: unknown, body: unknown): unknown => Predicate.isObject(parts) ? { ...parts, body } : parts

const bodyIn = (input: unknown): unknown => Predicate.hasProperty(input, "body") ? input.body : undefined

/** Parses the JSON text of a list, in a field that takes a list or a text. */
export const listsOf = (
  { input, keepsDigits = false }: { readonly input: Input; readonly keepsDigits?: boolean }
): InputReader => {
  const fields = fieldsOf(input.ast)
  const names = new Set([...fields].flatMap(([name, type]) => takesListOrText(type) ? [name] : []))
  const clean = withoutBlanks(input.ast)
  const readLists = (sent: unknown, parse: (text: string) => unknown): unknown =>
    Predicate.isObject(sent)
      ? rewriteFields(
        sent,
        (value, name) => names.has(name) && typeof value === "string" ? listIn(value, parse) : value
      )
      : sent
  return {
    read: (sent, from) => readLists(from === "agent" ? clean(sent) : sent, JSON.parse),
    issuesOf: (body) => {
      if (!keepsDigits) return []
      const call = parseNumbers(body())
      return Predicate.hasProperty(call, "input") ? lostDigits(readLists(call.input, parseNumbers)) : []
    },
    placeOf: (_, __, path) => path
  }
}

const listIn = (text: string, parse: (text: string) => unknown): unknown => {
  if (!/^\s*\[/.test(text)) return text
  try {
    return parse(text)
  } catch {
    return text
  }
}

const fieldsOf = (ast: SchemaAST.AST): ReadonlyMap<string, SchemaAST.AST> => {
  const encoded = SchemaAST.toEncoded(ast)
  return new Map(
    SchemaAST.isObjects(encoded) ? encoded.propertySignatures.map(({ name, type }) => [String(name), type]) : []
  )
}

const takesListOrText = (type: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(type) && type.types.some(SchemaAST.isArrays) && type.types.some(SchemaAST.isString)
