import { hash } from "node:crypto"

/**
 * A JSON document as the provider wrote it. It travels from the socket to the answer, the cache and the log as text, so
 * that no number loses a digit and nothing is serialised twice; `value` parses it once, when somebody looks inside.
 */
export class JsonText {
  readonly text: string
  #value: { readonly parsed: unknown } | undefined
  #hash: string | undefined

  private constructor(text: string, value?: { readonly parsed: unknown }) {
    this.text = text
    this.#value = value
  }

  static stringify(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value), { parsed: value })
  }

  /** For text that is known to be JSON. */
  static trusted(text: string): JsonText {
    return new JsonText(text)
  }

  get value(): unknown {
    this.#value ??= { parsed: JSON.parse(this.text) }
    return this.#value.parsed
  }

  /** SHA-256 of the text, in base64url: who has the hash knows the text. */
  get hash(): string {
    return this.#hash ??= hash("sha256", this.text, "base64url")
  }
}
