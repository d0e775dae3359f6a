/** Bounds of a request body. */
const mostValues = 1_000_000
const maxDepth = 64

/** A spreadsheet row has at most 18,278 columns (https://support.google.com/drive/answer/37603). */
const maxFields = 20_000

/** Scans the bytes: parsing a body beyond the bounds takes too long. */
export const exceededBound = (json: Uint8Array, maxValues = mostValues): string | undefined => {
  if (json.length <= 2 * maxDepth) return undefined
  let values = 1
  let fields = Number.NEGATIVE_INFINITY
  const outer: Array<number> = []
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at)
        break
      case openBracket:
      case openBrace:
        if (outer.length === maxDepth) return `The request body is nested deeper than ${maxDepth} levels.`
        outer.push(fields)
        fields = json[at] === openBrace ? 1 : Number.NEGATIVE_INFINITY
        if (!isEmptyContainer(json, at) && ++values > maxValues) return tooManyValues(maxValues)
        break
      case closeBracket:
      case closeBrace:
        fields = outer.pop() ?? fields
        break
      case comma:
        if (++fields > maxFields) return `An object in the request body has more than ${maxFields} fields.`
        if (outer.length > 0 && ++values > maxValues) return tooManyValues(maxValues)
    }
  }
  return undefined
}

const tooManyValues = (maxValues: number) => `The request body has more than ${maxValues} values.`

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const endOfString = (json: Uint8Array, start: number): number => {
  let at = start + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}

const isEmptyContainer = (json: Uint8Array, start: number): boolean => {
  let at = start + 1
  while (isSpace(json[at])) at++
  return json[at] === closeBracket || json[at] === closeBrace
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

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
