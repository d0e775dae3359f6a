import type { JsonText } from "../Domain/JsonText.ts"
import { afterData, appendData, beforeData } from "./ResponseText.ts"

export type CallResponse = string | LongResponse

/** A response whose long data stays in the provider's bytes. */
export class LongResponse {
  /** UTF-8. */
  readonly parts: ReadonlyArray<Buffer>
  /** In bytes. */
  readonly length: number

  constructor(envelope: string, data: Buffer) {
    this.parts = [Buffer.from(beforeData(envelope)), data, Buffer.from(afterData)]
    this.length = this.parts.reduce((length, part) => length + part.length, 0)
  }

  get text(): string {
    return this.parts.map(String).join("")
  }

  /** The beginning of the text, with at least this many characters if it has them. */
  start(characters: number): string {
    // A UTF-16 unit takes at most three bytes, and the last character may be cut.
    return this.parts.map((part) => part.toString("utf8", 0, 3 * (characters + 1))).join("")
  }
}

export const withData = (envelope: string, data: JsonText): CallResponse =>
  data.bytes === undefined ? appendData(envelope, data.text) : new LongResponse(envelope, data.bytes)

export const textOf = (response: CallResponse): string => typeof response === "string" ? response : response.text
