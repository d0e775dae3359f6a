import { Duration } from "effect"
import { Server, type ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Unavailable } from "../Api/Errors.ts"
import { abortReasonOf, abortRequest } from "./AbortedRequest.ts"
import { sendError, serializeError } from "./RawErrorResponse.ts"

/** Bytes of a request line and its headers. */
const maxHeaderSize = 16_384

/** Milliseconds that a client has from one request, or from connecting, to the end of a request's headers. */
const headersTimeout = 20_000

/** Milliseconds that a connection is kept alive without a request: longer than load balancers do, which is a minute. */
const keepAliveTimeout = 75_000

/** Milliseconds in which a client must have taken some more of its answer. */
const stalledTimeout = 60_000

interface Limits {
  /** In which a request must have arrived, its body included. */
  readonly requestTimeout: Duration.Duration
  readonly maxConnections: number
}

/**
 * Node's HTTP server, bounded: a client that is slow, silent or talks nonsense costs a connection for a while, and where
 * there are too many connections the one that has been silent for longest makes room.
 *
 * Once it is told to close it keeps no connection alive: those that wait for an answer end with it, the others at once.
 * (Node itself waits for a client that has connected and asks nothing, and goes on to take requests from one that keeps
 * asking.) Before there is somebody to answer, and after, it answers 503.
 */
export class DrainingServer extends Server {
  /** The answer that each connection waits for; those that wait for none, the longest first. */
  readonly #open = new Map<Socket, ServerResponse | undefined>()
  readonly #maxConnections: number

  constructor({ maxConnections, ...limits }: Limits) {
    const requestTimeout = Duration.toMillis(limits.requestTimeout)
    super({
      maxHeaderSize,
      requestTimeout,
      headersTimeout: Math.min(headersTimeout, requestTimeout),
      connectionsCheckingInterval: Math.min(5000, Math.ceil(requestTimeout / 10)),
      keepAliveTimeout,
      shouldUpgradeCallback: () => false
    })
    this.#maxConnections = maxConnections
    this.on("connection", (socket) => this.#connected(socket))
    this.on("request", ({ socket }, response) => this.#requested(socket, response))
    this.on("checkExpectation", (request, response) => this.emit("request", request, response))
    this.on("clientError", (error, socket) => this.#failed(error, socket))
  }

  override close(done?: (error?: Error) => void): this {
    super.close(done)
    for (const [socket, response] of this.#open) {
      if (response === undefined) socket.destroySoon()
      else endWith(response, socket)
    }
    return this
  }

  #connected(socket: Socket) {
    if (this.#open.size >= this.#maxConnections && !this.#makeRoom()) {
      socket.end(serializeError(unavailable()))
      socket.destroySoon()
      return
    }
    this.#open.set(socket, undefined)
    socket.once("close", () => this.#open.delete(socket))
  }

  /** Whether there was a connection that could be spared: one that asks nothing, or else one that is still asking. */
  #makeRoom(): boolean {
    const spare = this.#first((response) => response === undefined) ??
      this.#first((response) => response?.req.complete === false)
    if (spare === undefined) return false
    this.#open.delete(spare)
    spare.destroy()
    return true
  }

  #first(matches: (response: ServerResponse | undefined) => boolean): Socket | undefined {
    for (const [socket, response] of this.#open) {
      if (matches(response)) return socket
    }
    return undefined
  }

  #requested(socket: Socket, response: ServerResponse) {
    if (!this.listening || this.listenerCount("request") === 1) return sendError(response, unavailable())
    this.#open.set(socket, response)
    const isLast = () => this.#open.get(socket) === response
    response
      .on("prefinish", () => {
        // Most answers are with the kernel by now.
        if (socket.writableLength > 0 && isLast()) socket.setTimeout(stalledTimeout)
      })
      .on("close", () => {
        if (!isLast()) return
        this.#open.delete(socket)
        this.#open.set(socket, undefined)
      })
  }

  /** A client was too slow, or what it sends is not HTTP. An answer that is due goes out all the same. */
  #failed(error: Error, socket: Duplex) {
    if (!(socket instanceof Socket)) return
    const why = abortReasonOf(error)
    const response = this.#open.get(socket)
    if (why === undefined || !socket.writable) {
      socket.destroy()
    } else if (response === undefined) {
      socket.end(serializeError(why))
      socket.destroySoon()
    } else {
      endWith(response, socket)
      if (!response.req.complete && why._tag !== "HeadersTooLarge") abortRequest(response.req, why)
    }
  }
}

/** The connection ends with this answer. */
const endWith = (response: ServerResponse, socket: Socket) => {
  if (response.writableFinished) socket.destroySoon()
  else if (response.headersSent) response.once("finish", () => socket.destroySoon())
  else response.setHeader("connection", "close")
}

const unavailable = () => new Unavailable({ retryAfter: "1" })
