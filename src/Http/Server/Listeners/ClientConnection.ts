import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

const minBytesPerSecond = 16_384

const graceMillis = 30_000

/** Even on a busy machine, a request that is sent in one piece arrives within this time. */
const freshMillis = 1000

export class ClientConnection {
  readonly #socket: Pick<Socket, "bytesRead" | "bytesWritten" | "writableLength">
  response: ServerResponse | undefined
  /** On the clock of `performance.now`. */
  movedAt: number
  #hasBegun = false
  #received = 0
  #sent = 0
  #waiting: { readonly since: number; readonly sent: number } | undefined

  constructor(socket: Pick<Socket, "bytesRead" | "bytesWritten" | "writableLength">, now: number) {
    this.#socket = socket
    this.movedAt = now
  }

  get waitsForClient(): boolean {
    return this.response === undefined || !this.response.req.complete || this.#socket.writableLength > 0
  }

  /**
   * True for a second after the client connected or sent a part of a request. The rest of the request, or the response,
   * is then on its way.
   */
  isFresh(now: number): boolean {
    if (this.response === undefined ? this.#hasBegun : this.#socket.writableLength > 0) return false
    if (this.response?.req.complete === false && this.#hasReceived()) this.movedAt = now
    return now - this.movedAt < freshMillis
  }

  begin(response: ServerResponse, now: number): void {
    this.#hasBegun = true
    this.response = response
    this.movedAt = now
    this.#hasReceived()
  }

  end(now: number): void {
    this.response = undefined
    this.movedAt = now
  }

  check(now: number): boolean {
    const { bytesWritten, writableLength } = this.#socket
    const sent = bytesWritten - writableLength
    if (this.#hasReceived() || sent !== this.#sent) {
      this.movedAt = now
      this.#sent = sent
    }
    if (writableLength === 0) {
      this.#waiting = undefined
      return false
    }
    this.#waiting ??= { since: now, sent }
    const seconds = (now - this.#waiting.since - graceMillis) / 1000
    return seconds > 0 && sent - this.#waiting.sent < seconds * minBytesPerSecond
  }

  #hasReceived(): boolean {
    const before = this.#received
    this.#received = this.#socket.bytesRead
    return this.#received !== before
  }
}
