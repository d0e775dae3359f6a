import { type IncomingMessage, ServerResponse } from "node:http"

/** In bytes. */
const step = 131_072

/** Sends a long body in steps, so that the number of unread bytes is known. */
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
    if (!(body instanceof Uint8Array) || body.length <= step) return super.end(body, charset, done)
    // Covers a client that has gone: the response then emits neither `drain` nor `finish`.
    if (done !== undefined) this.once("close", done)
    this.#send(body)
    return this
  }

  #send(body: Uint8Array): void {
    if (body.length <= step) {
      super.end(body)
      return
    }
    const isRead = super.write(body.subarray(0, step))
    const next = () => this.#send(body.subarray(step))
    if (isRead) next()
    else this.once("drain", next)
  }
}
