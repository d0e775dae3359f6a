import { Result, type SchemaAST } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { badFieldMask, invalidArgument } from "./Refusal.ts"

/** A tree of names; an empty one keeps everything below. */
export interface Mask extends ReadonlyMap<string, Mask> {}

/** `a,b.c,d(e,f/g)`: `.` and `/` both go down. */
export const parseMask = (text: string): Result.Result<Mask, GoogleError> => {
  const parts = text.match(/[^.,/()]+|[.,/()]/g) ?? []
  const root = new Map<string, Mask>()
  let position = 0

  const list = (into: Map<string, Mask>): boolean => {
    do {
      if (!path(into)) return false
    } while (parts[position] === "," && ++position < parts.length)
    return true
  }

  const path = (into: Map<string, Mask>): boolean => {
    const name = parts[position++]
    if (name === undefined || /^[.,/()]$/.test(name)) return false
    const below = new Map(into.get(name))
    into.set(name, below)
    if (parts[position] === "." || parts[position] === "/") {
      position++
      return path(below)
    }
    if (parts[position] !== "(") return true
    position++
    return list(below) && parts[position++] === ")"
  }

  return list(root) && position >= parts.length ? Result.succeed(root) : Result.fail(badFieldMask(text))
}

/** Whether the message has every field that the mask names; the first it does not have is named. */
export const checkMask = (mask: Mask, ast: SchemaAST.AST, at = ""): Result.Result<void, GoogleError> => {
  for (const [name, below] of mask) {
    if (name === "*") continue
    const path = at === "" ? name : `${at}.${name}`
    const field = fieldOf(ast, name)
    if (field === undefined) return Result.fail(badFieldMask(path))
    const checked = checkMask(below, field, path)
    if (Result.isFailure(checked)) return checked
  }
  return Result.void
}

const fieldOf = (ast: SchemaAST.AST, name: string): SchemaAST.AST | undefined => {
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures.find((property) => property.name === name)?.type
    case "Arrays":
      return ast.rest[0] === undefined ? undefined : fieldOf(ast.rest[0], name)
    case "Suspend":
      return fieldOf(ast.thunk(), name)
    case "Union":
      return ast.types.map((type) => fieldOf(type, name)).find((type) => type !== undefined)
    default:
      return undefined
  }
}

/** What the mask leaves of a value. */
export const masked = (mask: Mask, value: unknown): unknown => {
  if (mask.size === 0 || mask.has("*") || typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => masked(mask, item))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const below = mask.get(name)
      return below === undefined ? [] : [[name, masked(below, member)]]
    })
  )
}

/** The mask of an update, which has to name something. */
export const updateMask = (text: string | undefined): Result.Result<Mask, GoogleError> =>
  text === undefined || text === ""
    ? Result.fail(invalidArgument("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)"))
    : parseMask(text)

export const selects = (mask: Mask, name: string): boolean => mask.has("*") || mask.has(name)

/** `target` with the fields that the mask names as `source` has them; one that `source` does not have is dropped. */
export const merged = (target: unknown, source: unknown, mask: Mask): unknown => {
  if (mask.size === 0 || mask.has("*")) return source
  const result = new Map(entriesOf(target))
  const given = new Map(entriesOf(source))
  for (const [name, below] of mask) {
    const value = below.size === 0 ? given.get(name) : merged(result.get(name), given.get(name), below)
    if (value === undefined) result.delete(name)
    else result.set(name, value)
  }
  return Object.fromEntries(result)
}

const entriesOf = (value: unknown): ReadonlyArray<[string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []
