/** JSON that is passed on as text, or as UTF-8 where it is long, so that no number loses a digit. */
export class JsonText {
  /**
   * UTF-8, where the JSON is long. As text, 10 MB reads take 77 % more CPU and half more memory
   * (`npm run bench -- --only large`).
   */
  readonly bytes: Buffer<ArrayBuffer> | undefined
  readonly #text: string
  #value: { readonly parsed: unknown } | undefined

  private constructor(text: string, bytes?: Buffer<ArrayBuffer>, value?: { readonly parsed: unknown }) {
    this.#text = text
    this.bytes = bytes
    this.#value = value
  }

  static stringify(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value), undefined, { parsed: value })
  }

  static trusted(text: string): JsonText {
    return new JsonText(text)
  }

  /** @param bytes UTF-8 without a byte-order mark */
  static trustedBytes({ buffer, byteLength, byteOffset }: Uint8Array<ArrayBuffer>): JsonText {
    return new JsonText("", Buffer.from(buffer, byteOffset, byteLength))
  }

  /** Decodes long JSON each time, so that memory does not hold both its text and its bytes. */
  get text(): string {
    return this.bytes === undefined ? this.#text : this.bytes.toString()
  }

  get utf8(): Buffer<ArrayBuffer> {
    return this.bytes ?? Buffer.from(this.#text)
  }

  /** The length in bytes where there are `bytes`, otherwise in characters. */
  get length(): number {
    return this.bytes === undefined ? this.#text.length : this.bytes.length
  }

  get value(): unknown {
    this.#value ??= { parsed: JSON.parse(this.text) }
    return this.#value.parsed
  }

  /** Returns `value`, and no longer keeps it in memory. */
  takeValue(): unknown {
    const { value } = this
    this.#value = undefined
    return value
  }

  includes(part: string): boolean {
    return this.bytes === undefined ? this.#text.includes(part) : this.bytes.includes(part)
  }

  exceedsBytes(limit: number): boolean {
    return this.bytes === undefined ? exceedsBytes(this.#text, limit) : this.bytes.length > limit
  }
}

const maxDepth = 200

export const isTooDeep = (json: unknown): boolean => isDeeperThan(json, maxDepth)

const isDeeperThan = (json: unknown, levels: number): boolean =>
  typeof json === "object" && json !== null &&
  (levels === 0 || Object.values(json).some((value) => isDeeperThan(value, levels - 1)))

export const exceedsBytes = (text: string, limit: number): boolean =>
  3 * text.length > limit && (text.length > limit || Buffer.byteLength(text) > limit)
