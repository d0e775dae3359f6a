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

/**
 * Parses JSON. A number is a double where that shows all of its digits. Where all do, there is no reviver, with which
 * 10 MB take 420 instead of 90 ms.
 */
export const parseNumbers = (text: string): unknown => mayBeInexact(text) ? JSON.parse(text, exactly) : JSON.parse(text)

/** `undefined` for a text that is no number of JSON. */
export const exactNumber = (text: string): number | ExactNumber | undefined => {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const value = Number(text)
  return String(value) === text ? value : new ExactNumber(text)
}

const exactly = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined && String(value) !== context.source
    ? new ExactNumber(context.source)
    : value

/** The numbers of a JSON text, and texts in strings that look like them. */
const numbers = /(?<=^|[:[,\s])-?\d[\d.eE+-]*(?=[,}\]\s]|$)/g

const isShort = /^(?:0|-?[1-9]\d{0,14})$/

const mayBeInexact = (text: string): boolean => {
  for (const [source] of text.matchAll(numbers)) {
    if (!isShort.test(source) && String(Number(source)) !== source) return true
  }
  return false
}
