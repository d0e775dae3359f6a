import { Duration, Effect } from "effect"
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  Server,
  ServerResponse,
  STATUS_CODES
} from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { ApiError } from "../../../Api/Errors.ts"
import { HeadersTooLarge, InvalidHttp, RequestTimeout, Unavailable } from "../../../Api/Errors/RequestErrors.ts"
import { CallId } from "../../../Domain/Ids.ts"
import { newId } from "../../../Domain/NewId.ts"
import { type AbortReason, abortRequest } from "../RequestBody.ts"
import { ClientConnection } from "./ClientConnection.ts"
import { discardRest } from "./DiscardRest.ts"

const maxHeaderBytes = 16_384

const headersTimeoutMillis = 20_000

/** Longer than the usual minute of load balancers, so that they close idle connections first. */
const keepAliveTimeoutMillis = 75_000

const checkIntervalMillis = 2000

/** Shorter bodies arrive in one or two chunks. */
const longBytes = 131_072

interface Limits {
  readonly requestTimeout: Duration.Duration
  readonly maxConnections: number
  readonly now?: () => number
}

/**
 * Node's HTTP server with limits for slow and silent clients. At `maxConnections`, a new connection replaces the one
 * that has waited longest for its client to send or read. While all are fresh, up to twice as many are open.
 *
 * `close` also ends keep-alive connections: idle ones immediately, others after their response. Node would keep serving
 * them. Requests before the application is attached or after `close` get 503.
 */
export class DrainingServer extends Server {
  readonly #connections = new Map<Socket, ClientConnection>()
  readonly #maxConnections: number
  readonly #now: () => number

  constructor({ maxConnections, now = () => performance.now(), ...limits }: Limits) {
    const requestTimeout = Duration.toMillis(limits.requestTimeout)
    super({
      maxHeaderSize: maxHeaderBytes,
      requestTimeout,
      headersTimeout: Math.min(headersTimeoutMillis, requestTimeout),
      connectionsCheckingInterval: Math.min(5000, Math.ceil(requestTimeout / 10)),
      keepAliveTimeout: keepAliveTimeoutMillis,
      shouldUpgradeCallback: () => false,
      // Node's refusal has no body. The application refuses with one.
      requireHostHeader: false,
      ServerResponse: SecuredResponse
    })
    this.#maxConnections = maxConnections
    this.#now = now
    this.on("connection", (socket) => this.#onConnection(socket))
    this.on("request", ({ socket }, response) => this.#onRequest(socket, response))
    this.on("checkExpectation", (request, response) => this.emit("request", request, response))
    this.on("clientError", (error, socket) => this.#onClientError(error, socket))
    const checks = setInterval(() => this.#check(), checkIntervalMillis).unref()
    this.on("close", () => clearInterval(checks))
  }

  override close(done?: (error?: Error) => void): this {
    super.close(done)
    for (const [socket, { response }] of this.#connections) {
      // Also closes a socket whose `destroySoon` was replaced to discard the rest.
      if (response === undefined) Socket.prototype.destroySoon.call(socket)
      else closeAfter(response, socket)
    }
    return this
  }

  #onConnection(socket: Socket) {
    if (this.#connections.size >= this.#maxConnections && !this.#makeRoom()) {
      socket.end(serializeError(unavailable()))
      socket.destroySoon()
      return
    }
    this.#connections.set(socket, new ClientConnection(socket, this.#now()))
    socket.once("close", () => this.#connections.delete(socket))
  }

  #check() {
    const now = this.#now()
    for (const [socket, connection] of this.#connections) {
      if (connection.check(now)) socket.destroy()
    }
  }

  #makeRoom(): boolean {
    const now = this.#now()
    const isDouble = this.#connections.size >= 2 * this.#maxConnections
    const longest: { stalled?: Socket; fresh?: Socket } = {}
    const since = { stalled: Infinity, fresh: Infinity }
    let hasFresh = false
    for (const [socket, connection] of this.#connections) {
      const isFresh = connection.isFresh(now)
      hasFresh ||= isFresh
      if (!connection.waitsForClient) continue
      const kind = isFresh ? "fresh" : "stalled"
      if (connection.movedAt >= since[kind]) continue
      longest[kind] = socket
      since[kind] = connection.movedAt
    }
    const closed = longest.stalled ?? (isDouble ? longest.fresh : undefined)
    if (closed === undefined) return hasFresh && !isDouble
    this.#connections.delete(closed)
    closed.destroy()
    return true
  }

  #onRequest(socket: Socket, response: ServerResponse) {
    if (!this.listening || this.listenerCount("request") === 1) return sendError(response, unavailable())
    const connection = this.#connections.get(socket)
    connection?.begin(response, this.#now())
    if (isLong(response.req) || !response.shouldKeepAlive) {
      response.prependOnceListener("finish", () => discardRest(response.req))
    }
    response.on("close", () => {
      if (connection?.response === response) connection.end(this.#now())
    })
  }

  #onClientError(error: Error, socket: Duplex) {
    if (!(socket instanceof Socket)) return
    const reason = classifyClientError(error)
    const response = this.#connections.get(socket)?.response
    if (reason === undefined || !socket.writable) {
      socket.destroy()
    } else if (response === undefined) {
      socket.end(serializeError(reason))
      socket.destroySoon()
    } else {
      closeAfter(response, socket)
      if (!response.req.complete && reason._tag !== "HeadersTooLarge") abortRequest(response.req, reason)
    }
  }
}

const isLong = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > longBytes

const closeAfter = (response: ServerResponse, socket: Socket) => {
  if (response.writableFinished) socket.destroySoon()
  else if (response.headersSent) response.once("finish", () => socket.destroySoon())
  else response.setHeader("connection", "close")
}

const unavailable = () => new Unavailable({ retryAfter: "1", details: { retry_after_seconds: 1 } })

const classifyClientError = (error: Error): AbortReason | HeadersTooLarge | undefined => {
  const code = "code" in error ? String(error.code) : ""
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeout()
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLarge()
  return code.startsWith("HPE_") ? new InvalidHttp() : undefined
}

const sendError = (response: ServerResponse, error: ApiError): void => {
  const { body, headers, status } = rawErrorResponse(error)
  response.writeHead(status, headers).end(body)
}

const serializeError = (error: ApiError): string => {
  const { body, headers, status } = rawErrorResponse(error)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n")
}

const rawErrorResponse = (error: ApiError) => {
  const callId = CallId.make(Effect.runSync(newId("call")))
  const body = JSON.stringify(error.body(callId))
  const headers = {
    ...defaultSecurityHeaders,
    "content-type": "application/json",
    "content-length": `${Buffer.byteLength(body)}`,
    "x-call-id": callId,
    connection: "close",
    ...(error.retryAfter === undefined ? {} : { "retry-after": error.retryAfter })
  }
  return { status: error.status, headers, body }
}

const defaultSecurityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

type Headers = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/** Adds the security headers when the headers are written, which costs less than a middleware. */
class SecuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override writeHead(status: number, message?: string, headers?: Headers): this
  override writeHead(status: number, headers?: Headers): this
  override writeHead(status: number, message?: string | Headers, headers?: Headers): this {
    const ownHeaders = typeof message === "object" ? message : headers
    const all = { ...defaultSecurityHeaders, ...(Array.isArray(ownHeaders) ? toObject(ownHeaders) : ownHeaders) }
    return typeof message === "string" ? super.writeHead(status, message, all) : super.writeHead(status, all)
  }
}

const toObject = (headers: ReadonlyArray<OutgoingHttpHeader>): OutgoingHttpHeaders =>
  Object.fromEntries(
    headers.flatMap((name, index) => index % 2 === 0 ? [[String(name).toLowerCase(), headers[index + 1]]] : [])
  )
