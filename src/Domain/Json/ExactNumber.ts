declare global {
  interface JSON {
    /** https://github.com/tc39/proposal-json-parse-with-source, which TypeScript's library lacks. */
    rawJSON(text: string): unknown
  }
}

/**
 * A JSON number that a double does not show digit by digit, such as `12345678901234567890` or `1.0`. `JSON.stringify`
 * writes its digits.
 */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  valueOf(): number {
    return Number(this.text)
  }

  toString(): string {
    return this.text
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.text)
  }
}

/** Parses JSON. A number is a double where that shows all of its digits. */
export const parseNumbers = (text: string): unknown => hasInexact(text) ? JSON.parse(text, exactly) : JSON.parse(text)

/** `undefined` for a text that is no number of JSON. */
export const exactNumber = (text: string): number | ExactNumber | undefined => {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const value = Number(text)
  return String(value) === text ? value : new ExactNumber(text)
}

/** A reviver takes ten times as long as parsing. */
const exactly = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined && String(value) !== context.source
    ? new ExactNumber(context.source)
    : value

const quote = 0x22
const backslash = 0x5c

const isNumeric = (code: number): boolean =>
  code >= 0x30 && code <= 0x39 || code === 0x2d || code === 0x2e || code === 0x2b || code === 0x45 || code === 0x65

const hasInexact = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at++
      for (let end = text.charCodeAt(at); end !== quote && at < text.length; end = text.charCodeAt(at)) {
        at += end === backslash ? 2 : 1
      }
    } else if (code === 0x2d || code >= 0x30 && code <= 0x39) {
      const start = at
      while (isNumeric(text.charCodeAt(at + 1))) at++
      const source = text.slice(start, at + 1)
      if (!isShort.test(source) && String(Number(source)) !== source) return true
    }
  }
  return false
}

const isShort = /^(?:0|-?[1-9]\d{0,14})$/
