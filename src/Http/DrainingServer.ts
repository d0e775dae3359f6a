import { Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * Node's HTTP server, which keeps no connection alive once it is told to close: those that wait for an answer end with
 * it, the others at once. (Node itself waits for a client that has connected and asks nothing, and goes on to take
 * requests from one that keeps asking.) Before there is somebody to answer, and after, it answers 503.
 */
export class DrainingServer extends Server {
  readonly #open = new Map<Socket, ServerResponse | undefined>()

  constructor() {
    super()
    this.on("connection", (socket) => {
      this.#open.set(socket, undefined)
      socket.once("close", () => this.#open.delete(socket))
    })
    this.on("request", ({ socket }, response) => {
      if (!this.listening || this.listenerCount("request") === 1) {
        response.writeHead(503, { connection: "close", "retry-after": "1" }).end()
        return
      }
      this.#open.set(socket, response)
      const answered = () => {
        if (this.#open.get(socket) === response) this.#open.set(socket, undefined)
      }
      response.once("finish", answered).once("close", answered)
    })
  }

  override close(done?: (error?: Error) => void): this {
    super.close(done)
    for (const [socket, response] of this.#open) {
      if (response === undefined) socket.destroySoon()
      else if (response.headersSent) response.once("finish", () => socket.destroySoon())
      else response.setHeader("connection", "close")
    }
    return this
  }
}
