import { hash } from "node:crypto"

/** JSON that is passed on as text, so that no number loses a digit. */
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

  static trusted(text: string): JsonText {
    return new JsonText(text)
  }

  get value(): unknown {
    this.#value ??= { parsed: JSON.parse(this.text) }
    return this.#value.parsed
  }

  get hash(): string {
    return this.#hash ??= hash("sha256", this.text, "base64url")
  }
}

const maxDepth = 200

export const isTooDeep = (json: unknown): boolean => isDeeperThan(json, maxDepth)

const isDeeperThan = (json: unknown, levels: number): boolean =>
  typeof json === "object" && json !== null &&
  (levels === 0 || Object.values(json).some((value) => isDeeperThan(value, levels - 1)))

export const exceedsBytes = (text: string, limit: number): boolean =>
  3 * text.length > limit && (text.length > limit || Buffer.byteLength(text) > limit)
