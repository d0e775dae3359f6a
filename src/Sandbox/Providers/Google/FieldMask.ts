import { Effect, Result, type SchemaAST } from "effect"
import { GoogleError } from "./GoogleError.ts"

export interface FieldMask extends ReadonlyMap<string, FieldMask> {}

/** Parses `a,b.c,d(e,f/g)`, where `/` means the same as `.`. */
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

const invalidFieldMask = (path: string): GoogleError =>
  new GoogleError({
    code: 400,
    message: "Request contains an invalid argument.",
    details: [{
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{
        description: `Error expanding 'fields' parameter. Cannot find matching fields for path '${path}'.`
      }]
    }]
  })

export const selectFields = (fields: string, value: unknown): Effect.Effect<unknown, GoogleError> =>
  Effect.fromResult(Result.map(parseFieldMask(fields), (mask) => applyFieldMask(mask, value)))
