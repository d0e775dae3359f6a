import { Effect } from "effect"
import { type GoogleError, invalidArgument } from "./GoogleError.ts"

/** A tree of names; an empty one keeps everything below. */
interface Mask extends ReadonlyMap<string, Mask> {}

/**
 * A partial response, as the parameter `fields` asks for it: `rows(keys,clicks),metadata/x`. A name that the value does
 * not have selects nothing.
 */
export const project = (fields: string, value: unknown): Effect.Effect<unknown, GoogleError> => {
  const mask = parse(fields)
  return mask === undefined ? Effect.fail(invalidMask(fields)) : Effect.succeed(keep(mask, value))
}

const keep = (mask: Mask, value: unknown): unknown => {
  if (mask.size === 0 || mask.has("*") || typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => keep(mask, item))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const below = mask.get(name)
      return below === undefined ? [] : [[name, keep(below, member)]]
    })
  )
}

/** `undefined` where it is none. */
const parse = (fields: string): Mask | undefined => {
  const tokens = fields.match(/[\w*]+|[^\s\w*]/g) ?? []
  const root = new Map<string, Mask>()
  let position = 0

  const list = (into: Map<string, Mask>): boolean => {
    do {
      if (!path(into)) return false
    } while (tokens[position] === "," && ++position)
    return true
  }

  const path = (into: Map<string, Mask>): boolean => {
    const name = tokens[position]
    if (name === undefined || !/^[\w*]+$/.test(name)) return false
    position++
    const below = new Map(into.get(name))
    into.set(name, below)
    if (tokens[position] === "/" || tokens[position] === ".") return ++position > 0 && path(below)
    if (tokens[position] !== "(") return true
    position++
    return list(below) && tokens[position++] === ")"
  }

  return list(root) && position === tokens.length ? root : undefined
}

const invalidMask = (fields: string): GoogleError =>
  invalidArgument("Request contains an invalid argument.", [{
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: [{
      field: fields,
      description: `Error expanding 'fields' parameter. Cannot parse '${fields}'.`
    }]
  }])
