import { redacted } from "./JsonFields.ts"

/** Shorter secrets could be guessed through a search. */
export const minSecretCharacters = 8

/** The longest secret that is hashed, in characters, and the part of a removed text that is read. */
const longest = 16_384

/** The most hashes that one call stores. */
const maxSecrets = 32

/** The spelling of a secret that is independent of JSON, URLs, header schemes and line breaks. */
export const plainSecret = (text: string): string => withoutSpaces(decoded(text.slice(0, longest)))

/** JSON in strings at any depth, percent-encoding at a depth of four, and full-width characters. */
const decoded = (text: string): string => {
  let plain = unescaped(text)
  for (let depth = 0; depth < 4; depth++) plain = unescaped(plain.replace(percents, fromPercents))
  return plain.normalize("NFKC")
}

const unescaped = (text: string): string =>
  text.includes("\\")
    ? text
      .replace(/\\+/g, "\\")
      .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\[bfnrt]/g, " ")
      .replaceAll("\\", "")
    : text

const percents = /(?:%[0-9a-f]{2})+/gi

const fromPercents = (run: string): string => Buffer.from(run.replaceAll("%", ""), "hex").toString()

/** A form writes a space as `+`. */
const withoutSpaces = (text: string): string =>
  withoutMarks(text.trim().replace(/^(?:bearer|basic)(?=[\s+])/i, "").replace(/[\s\p{Cc}+]+/gu, ""))

/** Quotes, the end of a sentence, and the padding of base64. */
const withoutMarks = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && "\"'".includes(text.charAt(start))) start++
  while (end > start && "\"'.,;:=".includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const pem = /-----BEGIN [^-]{1,100}-----[^-]*(?:-----END [^-]{1,100}-----)?/g
const separators = /[\s,;&"'<>{}[\]()]+/

/** What a person may search for: a removed text as a whole, and the values in a list of cookies, an object or a URL. */
export class RemovedSecrets {
  readonly #wholes = new Set<string>()
  readonly #parts = new Set<string>()

  add(text: string): void {
    if (text.length < minSecretCharacters || this.#wholes.size >= maxSecrets) return
    // The mark of an earlier redaction is not a secret.
    const plain = decoded(text.slice(0, longest)).replaceAll(redacted, " ")
    addTo(this.#wholes, plain)
    const rest = plain.replace(/"[^"]*"\s*:/g, " ").replace(pem, (key) => {
      addTo(this.#wholes, key)
      return " "
    })
    for (const [, value = ""] of rest.matchAll(/"([^"]*)"/g)) addTo(this.#parts, value)
    for (const part of rest.split(separators)) {
      if (this.#parts.size >= maxSecrets) return
      const value = part.slice(part.search(/=[^=]/) + 1)
      addTo(this.#parts, value)
      const colon = value.indexOf(":")
      if (colon === -1) continue
      for (const half of [value.slice(0, colon), value.slice(colon + 1)]) addTo(this.#parts, half)
    }
  }

  /** At most `maxSecrets`. */
  get secrets(): ReadonlyArray<string> {
    return [...new Set([...this.#wholes, ...this.#parts])].slice(0, maxSecrets)
  }
}

const addTo = (secrets: Set<string>, text: string): void => {
  const secret = withoutSpaces(text)
  if (secret.length >= minSecretCharacters) secrets.add(secret)
}
