import { Result, type SchemaAST } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { invalidArgument, invalidFieldMask } from "./Errors.ts"

/** A tree of field names. An empty mask selects everything. */
export interface FieldMask extends ReadonlyMap<string, FieldMask> {}

/** Parses `a,b.c,d(e,f/g)`. `.` and `/` mean the same. */
export const parseFieldMask = (text: string): Result.Result<FieldMask, GoogleError> => {
  const parts = text.match(/[^.,/()]+|[.,/()]/g) ?? []
  const root = new Map<string, FieldMask>()
  let position = 0

  const list = (into: Map<string, FieldMask>): boolean => {
    do {
      if (!path(into)) return false
    } while (parts[position] === "," && ++position < parts.length)
    return true
  }

  const path = (into: Map<string, FieldMask>): boolean => {
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

  return list(root) && position >= parts.length ? Result.succeed(root) : Result.fail(invalidFieldMask(text))
}

export const validateFieldMask = (mask: FieldMask, ast: SchemaAST.AST, at = ""): Result.Result<void, GoogleError> => {
  for (const [name, below] of mask) {
    if (name === "*") continue
    const path = at === "" ? name : `${at}.${name}`
    const field = fieldOf(ast, name)
    if (field === undefined) return Result.fail(invalidFieldMask(path))
    const checked = validateFieldMask(below, field, path)
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

export const applyFieldMask = (mask: FieldMask, value: unknown): unknown => {
  if (mask.size === 0 || mask.has("*") || typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => applyFieldMask(mask, item))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const below = mask.get(name)
      return below === undefined ? [] : [[name, applyFieldMask(below, member)]]
    })
  )
}

export const parseUpdateMask = (text: string | undefined): Result.Result<FieldMask, GoogleError> =>
  text === undefined || text === ""
    ? Result.fail(invalidArgument("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)"))
    : parseFieldMask(text)

export const selects = (mask: FieldMask, name: string): boolean => mask.has("*") || mask.has(name)

/** Copies the fields in the mask from `source` to `target`. A field missing in `source` is removed. */
export const mergeFields = (target: unknown, source: unknown, mask: FieldMask): unknown => {
  if (mask.size === 0 || mask.has("*")) return source
  const result = new Map(entriesOf(target))
  const given = new Map(entriesOf(source))
  for (const [name, below] of mask) {
    const value = below.size === 0 ? given.get(name) : mergeFields(result.get(name), given.get(name), below)
    if (value === undefined) result.delete(name)
    else result.set(name, value)
  }
  return Object.fromEntries(result)
}

const entriesOf = (value: unknown): ReadonlyArray<[string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []
