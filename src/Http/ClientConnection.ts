import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** In bytes per second, on average after the grace period. */
const minRate = 16_384

const graceMillis = 30_000

/** In milliseconds. Even on a busy machine, a request that is sent at once arrives within it. */
const youngFor = 1000

export class ClientConnection {
  readonly #socket: Pick<Socket, "bytesRead" | "bytesWritten" | "writableLength">
  response: ServerResponse | undefined
  /** When the client last sent or read bytes, in milliseconds of `performance.now`. */
  movedAt = performance.now()
  #hasBegun = false
  #received = 0
  #sent = 0
  #waiting: { readonly since: number; readonly sent: number } | undefined

  constructor(socket: Pick<Socket, "bytesRead" | "bytesWritten" | "writableLength">) {
    this.#socket = socket
  }

  get waitsForClient(): boolean {
    return this.response === undefined || !this.response.req.complete || this.#socket.writableLength > 0
  }

  /** True before the first request for a short time: its bytes may wait to be read. */
  isYoung(now: number): boolean {
    return !this.#hasBegun && now - this.movedAt < youngFor
  }

  begin(response: ServerResponse): void {
    this.#hasBegun = true
    this.response = response
    this.movedAt = performance.now()
  }

  end(): void {
    this.response = undefined
    this.movedAt = performance.now()
  }

  check(now: number): boolean {
    const { bytesRead, bytesWritten, writableLength } = this.#socket
    const sent = bytesWritten - writableLength
    if (bytesRead !== this.#received || sent !== this.#sent) {
      this.movedAt = now
      this.#received = bytesRead
      this.#sent = sent
    }
    if (writableLength === 0) {
      this.#waiting = undefined
      return false
    }
    this.#waiting ??= { since: now, sent }
    const seconds = (now - this.#waiting.since - graceMillis) / 1000
    return seconds > 0 && sent - this.#waiting.sent < seconds * minRate
  }
}
