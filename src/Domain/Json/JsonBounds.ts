import { findFault } from "./JsonSyntax.ts"

/**
 * Bounds of a request body. A spreadsheet row has at most 18,278 columns
 * (https://support.google.com/drive/answer/37603).
 */
const bounds = { depth: 64, values: 1_000_000, fields: 20_000 }

/** Scans the bytes: parsing a body beyond the bounds takes too long. */
export const exceededBound = (json: Uint8Array, maxValues = bounds.values): string | undefined => {
  if (json.length <= 2 * bounds.depth) return undefined
  switch (findFault(json, { ...bounds, values: maxValues })) {
    case "depth":
      return `The request body is nested deeper than ${bounds.depth} levels.`
    case "values":
      return `The request body has more than ${maxValues} values.`
    case "fields":
      return `An object in the request body has more than ${bounds.fields} fields.`
    default:
      return undefined
  }
}

export const countValues = (json: unknown, limit: number): number => {
  let count = 0
  const visit = (value: unknown): boolean => {
    if (++count > limit) return false
    if (typeof value !== "object" || value === null) return true
    return Array.isArray(value) ? value.every(visit) : Object.values(value).every(visit)
  }
  visit(json)
  return count
}
