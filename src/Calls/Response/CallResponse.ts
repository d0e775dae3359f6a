import type { JsonText } from "../../Domain/Json/JsonText.ts"

/** The response to a call: its fields, then the data as the provider sent it. */
export class CallResponse {
  readonly data: JsonText
  readonly #head: string
  readonly #isLastUse: boolean
  #text: string | undefined

  /** @param isLastUse true where nothing reads the data after this response is sent */
  constructor(fields: object, data: JsonText, isLastUse = false) {
    this.#head = `${JSON.stringify(fields).slice(0, -1)}${field}`
    this.data = data
    this.#isLastUse = isLastUse
  }

  /** Short responses are put together once, for the log and the caller. */
  get text(): string {
    if (this.data.bytes !== undefined) return `${this.#head}${this.data.text}}`
    return this.#text ??= `${this.#head}${this.data.text}}`
  }

  /** UTF-8, with long data as the bytes that the provider sent. */
  get parts(): ReadonlyArray<Uint8Array> {
    return [Buffer.from(this.#head), this.data.utf8, Buffer.from("}")]
  }

  get byteLength(): number {
    return this.parts.reduce((length, part) => length + part.length, 0)
  }

  /** The beginning of the text, with at least this many characters if it has them. */
  start(characters: number): string {
    // A UTF-16 unit takes at most three bytes, and the last character may be cut.
    const { bytes } = this.data
    return bytes === undefined ? this.text : `${this.#head}${bytes.toString("utf8", 0, 3 * (characters + 1))}`
  }

  /**
   * Frees the bytes at their last use. Full garbage collections, which they would wait for, take 20 % of the CPU of
   * 10 MB reads (`npm run bench -- --only large`). Call it only when the operating system has all bytes.
   */
  sent(): void {
    if (this.#isLastUse) this.data.bytes?.buffer.transfer(0)
  }
}

const field = ",\"data\":"

/**
 * The logged `response` with the data of an earlier one, for rows of versions that stored equal data once a day. Without
 * data where the earlier one was truncated.
 */
export const withEarlierData = (response: string | null, earlier: string | null | undefined): string | null => {
  // No text before `data` comes from a caller or provider, so the first match is the field.
  const start = earlier?.indexOf(field) ?? -1
  return response === null || start < 0 ? response : `${response.slice(0, -1)}${earlier?.slice(start)}`
}
