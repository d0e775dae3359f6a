import { type IncomingMessage, ServerResponse } from "node:http"
import { LongResponse } from "../../../Calls/Response/LongResponse.ts"

const step = 131_072

/** Sends a long body in steps, so that the number of unread bytes is known. Accepts a `LongResponse` as a body. */
export class BackpressuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override end(done?: () => void): this
  override end(chunk: unknown, done?: () => void): this
  override end(chunk: unknown, encoding: BufferEncoding, done?: () => void): this
  override end(
    chunk?: unknown,
    encoding?: BufferEncoding | (() => void),
    done: (() => void) | undefined = typeof encoding === "function" ? encoding : undefined
  ): this {
    if (typeof chunk === "function") return super.end(chunk)
    const charset = typeof encoding === "string" ? encoding : "utf8"
    const body = typeof chunk === "string" && chunk.length > step ? Buffer.from(chunk, charset) : chunk
    if (body instanceof LongResponse) this.once("finish", () => body.sent())
    const parts = body instanceof LongResponse ? body.parts : isLong(body) ? [body] : undefined
    if (parts === undefined) return super.end(body, charset, done)
    // Covers a client that has gone: the response then emits neither `drain` nor `finish`.
    if (done !== undefined) this.once("close", done)
    this.#send(stepsOf(parts))
    return this
  }

  #send(steps: Iterator<Uint8Array>): void {
    let isRead = true
    while (isRead) {
      const { done, value } = steps.next()
      if (done === true) {
        super.end()
        return
      }
      isRead = super.write(value)
    }
    this.once("drain", () => this.#send(steps))
  }
}

const isLong = (body: unknown): body is Uint8Array => body instanceof Uint8Array && body.length > step

const stepsOf = function*(parts: ReadonlyArray<Uint8Array>) {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += step) yield part.subarray(at, at + step)
  }
}
