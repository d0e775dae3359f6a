import type { Result } from "effect"
import { type FieldMask, parseFieldMask } from "../../Google/FieldMask.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { refuse } from "./Errors.ts"

export const parseUpdateMask = (text: string | undefined): Result.Result<FieldMask, GoogleError> =>
  text === undefined || text === ""
    ? refuse("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    : parseFieldMask(text)

export const selects = (mask: FieldMask, name: string): boolean => mask.has("*") || mask.has(name)

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

export const entriesOf = (value: unknown): ReadonlyArray<[string, unknown]> =>
  typeof value === "object" && value !== null ? Object.entries(value) : []
