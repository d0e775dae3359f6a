export const byteOrderMarkLength = (bytes: Uint8Array): 0 | 3 =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

export interface JsonBounds {
  readonly depth: number
  readonly values: number
  /** The most fields that one object may have. */
  readonly fields: number
}

const unbounded: JsonBounds = { depth: Infinity, values: Infinity, fields: Infinity }

/** `JSON.parse` would take 40 % more CPU of 10 MB reads (`npm run bench -- --only large`). */
export const isJson = (bytes: Uint8Array): boolean => findFault(bytes, unbounded) === undefined

/**
 * The first error of the syntax (RFC 8259, after an optional byte-order mark), or the first bound that is exceeded.
 * Does not check the UTF-8.
 */
export const findFault = (bytes: Uint8Array, bounds: JsonBounds): "syntax" | keyof JsonBounds | undefined => {
  let at: number = byteOrderMarkLength(bytes)
  let values = 1
  /** 0 in a list. */
  let fields = 0
  /** `fields` of the objects and lists around. */
  let outer = usualDepth
  let depth = 0

  for (;;) {
    at = spaceEnd(bytes, at)
    const first = bytes[at]
    if (first === openObject || first === openArray) {
      if (depth === bounds.depth) return "depth"
      if (depth === outer.length) outer = longer(outer)
      outer[depth++] = fields
      fields = first === openObject ? 1 : 0
      at = spaceEnd(bytes, at + 1)
      if (bytes[at] !== (fields > 0 ? closeObject : closeArray)) {
        if (++values > bounds.values) return "values"
        if (fields > 0) at = nameEnd(bytes, at)
        if (at === notFound) return "syntax"
        continue
      }
    } else {
      at = scalarEnd(bytes, at)
      if (at === notFound) return "syntax"
    }
    for (;;) {
      at = spaceEnd(bytes, at)
      if (depth === 0) return at === bytes.length ? undefined : "syntax"
      const next = bytes[at++]
      if (next === comma) {
        if (++values > bounds.values) return "values"
        if (fields > 0) {
          if (++fields > bounds.fields) return "fields"
          at = nameEnd(bytes, spaceEnd(bytes, at))
        }
        if (at === notFound) return "syntax"
        break
      }
      if (next !== (fields > 0 ? closeObject : closeArray)) return "syntax"
      fields = outer[--depth] ?? 0
    }
  }
}

/** Reused, as scans do not interleave. A list of 20 million levels would take a second to grow. */
const usualDepth = new Uint32Array(1024)

const longer = (counts: Uint32Array): Uint32Array<ArrayBuffer> => {
  const copy = new Uint32Array(2 * counts.length)
  copy.set(counts)
  return copy
}

const openObject = 0x7b
const closeObject = 0x7d
const openArray = 0x5b
const closeArray = 0x5d
const comma = 0x2c
const colon = 0x3a
const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
const plus = 0x2b
const point = 0x2e
const zero = 0x30
const nine = 0x39

const notFound = -1

const spaceEnd = (bytes: Uint8Array, at: number): number => {
  for (;; at++) {
    const byte = bytes[at] ?? notFound
    if (byte > 0x20 || byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
  }
}

const scalarEnd = (bytes: Uint8Array, at: number): number => {
  switch (bytes[at]) {
    case quote:
      return stringEnd(bytes, at + 1)
    case 0x74:
      return wordEnd(bytes, at, "true")
    case 0x66:
      return wordEnd(bytes, at, "false")
    case 0x6e:
      return wordEnd(bytes, at, "null")
    default:
      return numberEnd(bytes, at)
  }
}

const wordEnd = (bytes: Uint8Array, at: number, word: string): number => {
  for (let index = 0; index < word.length; index++) {
    if (bytes[at + index] !== word.charCodeAt(index)) return notFound
  }
  return at + word.length
}

const stringEnd = (bytes: Uint8Array, at: number): number => {
  for (;;) {
    const byte = bytes[at++] ?? notFound
    if (byte === quote) return at
    if (byte < 0x20) return notFound
    if (byte === backslash) {
      at = escapeEnd(bytes, at)
      if (at === notFound) return notFound
    }
  }
}

const escapes = new TextEncoder().encode("\"\\/bfnrt")

const escapeEnd = (bytes: Uint8Array, at: number): number => {
  const byte = bytes[at++] ?? notFound
  if (byte !== 0x75) return escapes.includes(byte) ? at : notFound
  for (const end = at + 4; at < end; at++) {
    if (!isHexDigit(bytes[at])) return notFound
  }
  return at
}

const isDigit = (byte = notFound): boolean => byte >= zero && byte <= nine

const isHexDigit = (byte = notFound): boolean => isDigit(byte) || (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66

const digitsEnd = (bytes: Uint8Array, at: number): number => {
  if (!isDigit(bytes[at])) return notFound
  do at++
  while (isDigit(bytes[at]))
  return at
}

const numberEnd = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] === minus) at++
  at = bytes[at] === zero ? at + 1 : digitsEnd(bytes, at)
  if (at !== notFound && bytes[at] === point) at = digitsEnd(bytes, at + 1)
  if (at === notFound || bytes[at] !== 0x65 && bytes[at] !== 0x45) return at
  const exponent = bytes[at + 1]
  return digitsEnd(bytes, exponent === plus || exponent === minus ? at + 2 : at + 1)
}

const nameEnd = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] !== quote) return notFound
  const end = stringEnd(bytes, at + 1)
  if (end === notFound) return notFound
  const next = spaceEnd(bytes, end)
  return bytes[next] === colon ? next + 1 : notFound
}

/**
 * Bounds of a request body. A spreadsheet row has at most 18,278 columns
 * (https://support.google.com/drive/answer/37603).
 */
const bodyBounds = { depth: 64, values: 1_000_000, fields: 20_000 }

/** Scans the bytes: parsing a body beyond the bounds takes too long. */
export const exceededBound = (json: Uint8Array, maxValues = bodyBounds.values): string | undefined => {
  if (json.length <= 2 * bodyBounds.depth) return undefined
  switch (findFault(json, { ...bodyBounds, values: maxValues })) {
    case "depth":
      return `The request body is nested deeper than ${bodyBounds.depth} levels.`
    case "values":
      return `The request body has more than ${maxValues} values.`
    case "fields":
      return `An object in the request body has more than ${bodyBounds.fields} fields.`
    default:
      return undefined
  }
}
