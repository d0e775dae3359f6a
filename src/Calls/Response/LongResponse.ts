import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { afterData, appendData, beforeData } from "./ResponseText.ts"

export type CallResponse = string | LongResponse

/** A response whose long data stays in the provider's bytes. */
export class LongResponse {
  readonly parts: ReadonlyArray<Buffer>
  readonly byteLength: number
  readonly #data: Buffer<ArrayBuffer>
  readonly #isLastUse: boolean

  constructor(envelope: string, data: Buffer<ArrayBuffer>, isLastUse: boolean) {
    this.parts = [Buffer.from(beforeData(envelope)), data, Buffer.from(afterData)]
    this.byteLength = this.parts.reduce((length, part) => length + part.length, 0)
    this.#data = data
    this.#isLastUse = isLastUse
  }

  get text(): string {
    return this.parts.map(String).join("")
  }

  /** The beginning of the text, with at least this many characters if it has them. */
  start(characters: number): string {
    // A UTF-16 unit takes at most three bytes, and the last character may be cut.
    return this.parts.map((part) => part.toString("utf8", 0, 3 * (characters + 1))).join("")
  }

  /**
   * Frees the data at its last use. Otherwise it waits for a full garbage collection, and these take 14 % of the CPU
   * of large reads. Call it only when the operating system has all bytes: writes under way do not keep them.
   */
  sent(): void {
    if (this.#isLastUse) this.#data.buffer.transfer(0)
  }
}

/** @param isLastUse true where nothing reads the data after this response is sent */
export const withData = (envelope: string, data: JsonText, isLastUse: boolean): CallResponse =>
  data.bytes === undefined ? appendData(envelope, data.text) : new LongResponse(envelope, data.bytes, isLastUse)

export const textOf = (response: CallResponse): string => typeof response === "string" ? response : response.text
