import { Agent, type Dispatcher } from "@effect/platform-node/Undici"
import { Context, Effect, Layer, type Scope } from "effect"
import { Headers, HttpClient, HttpClientError, type HttpClientRequest } from "effect/http"
import {
  arrivingBytes,
  type ByteKind,
  maxResponseBytes,
  type RateLimited,
  reserve,
  smallBytes
} from "../Capacity/Capacity.ts"
import { BufferedResponse } from "./BufferedResponse.ts"

type Request = HttpClientRequest.HttpClientRequest

type SendError = HttpClientError.HttpClientError | RateLimited

const splitUrl = (url: string) => {
  const path = url.indexOf("/", "https://".length)
  return { origin: url.slice(0, path), path: url.slice(path) }
}

/** Reads every response whole, follows no redirect and starts no span. */
const make = Effect.gen(function*() {
  const maxBytes = yield* maxResponseBytes
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() =>
      new Agent({
        maxResponseSize: maxBytes,
        // `Capacity` limits calls fairly. Undici's own queue is first come, first served.
        connections: null,
        // Shorter than the idle timeouts of the providers, so that no request goes out on a closing connection.
        keepAliveTimeout: 10_000,
        keepAliveMaxTimeout: 60_000,
        connect: { timeout: 5_000 },
        headersTimeout: 0,
        bodyTimeout: 0,
        allowH2: false
      })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )

  const send = (request: Request): Effect.Effect<BufferedResponse, SendError, Scope.Scope> =>
    Effect.suspend(() => {
      const exchange = new Exchange(request, maxBytes)
      const { body, headers, method, url } = request
      const dispatch = () => {
        if (body._tag !== "Empty" && body._tag !== "Uint8Array") throw new Error(`The body is a ${body._tag}`)
        agent.dispatch({ ...splitUrl(url), method, headers, body: body._tag === "Empty" ? null : body.body }, exchange)
      }
      return Effect.flatMapEager(
        exchange.run(dispatch),
        (response) => response === undefined ? receive(exchange) : Effect.succeed(response)
      )
    })

  return HttpClient.makeWith<never, never, SendError, Scope.Scope>(
    (request) => Effect.flatMapEager(request, send),
    (request) => Effect.succeed(request)
  )
})

/** Sends requests to providers. The memory in which a large response arrives is reserved until the scope closes. */
export class ProviderHttp extends Context.Service<ProviderHttp, HttpClient.HttpClient.With<SendError, Scope.Scope>>()(
  "openaccounts/Outbound/ProviderHttp"
) {
  static readonly layer = Layer.effect(ProviderHttp, make)
}

const receive = (exchange: Exchange) => {
  const rest: Effect.Effect<BufferedResponse, SendError, Scope.Scope> = Effect.gen(function*() {
    const { bytes, kind } = exchange.next
    yield* reserve(kind, bytes, yield* Effect.scope)
    // Undici has one parser for all connections. It may have freed this room while parsing, and must return before it
    // parses more.
    yield* Effect.yieldNow
    return (yield* exchange.run(() => exchange.receiveUpTo(bytes))) ?? (yield* rest)
  })
  return Effect.onError(rest, () => Effect.sync(() => exchange.abort()))
}

type Error = HttpClientError.HttpClientError

class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: Request
  readonly #maxBytes: number
  readonly #chunks: Array<Uint8Array> = []
  /** Collects long bodies of known length, so that chunks are garbage immediately. */
  #body: Buffer<ArrayBuffer> | undefined
  #resume: (result: Effect.Effect<BufferedResponse | undefined, Error>) => void = () => {}
  #controller: Dispatcher.DispatchController | undefined
  #aborted = false
  #status = 0
  #headers = Headers.empty
  #received = 0
  #failure: Effect.Effect<never, Error> | undefined
  #limit = smallBytes

  constructor(request: Request, maxBytes: number) {
    this.#request = request
    this.#maxBytes = maxBytes
  }

  /** The room for the next bytes. Undici ends a response that exceeds its declared length or `maxBytes`. */
  get next(): { readonly kind: ByteKind; readonly bytes: number } {
    const declared = Number(this.#headers["content-length"])
    if (declared > this.#limit) return { kind: "download", bytes: Math.min(declared, this.#maxBytes) }
    return this.#limit < arrivingBytes
      ? { kind: "arriving", bytes: arrivingBytes }
      : { kind: "download", bytes: this.#maxBytes }
  }

  run(begin: () => void): Effect.Effect<BufferedResponse | undefined, Error> {
    return Effect.callback((resume) => {
      this.#resume = resume
      if (this.#failure !== undefined) return resume(this.#failure)
      try {
        begin()
      } catch (cause) {
        resume(Effect.fail(this.error(cause)))
      }
      return Effect.sync(() => this.abort())
    })
  }

  receiveUpTo(bytes: number) {
    this.#limit = bytes
    if (bytes === Number(this.#headers["content-length"])) {
      this.#body = Buffer.allocUnsafeSlow(bytes)
      fill(this.#body, this.#chunks)
      this.#chunks.length = 0
    }
    this.#controller?.resume()
  }

  error(cause: unknown): Error {
    const reason = new HttpClientError.TransportError({ request: this.#request, cause })
    return new HttpClientError.HttpClientError({ reason })
  }

  abort() {
    this.#aborted = true
    this.#controller?.abort(interrupted)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller
    if (this.#aborted) controller.abort(interrupted)
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | Array<string> | undefined>>
  ) {
    if (status < 200) return
    this.#status = status
    this.#headers = Headers.fromInput(headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array) {
    if (this.#body === undefined) this.#chunks.push(chunk)
    else this.#body.set(chunk, this.#received)
    this.#received += chunk.length
    if (this.#received <= this.#limit || controller.paused) return
    controller.pause()
    this.#resume(Effect.succeed(undefined))
  }

  onResponseEnd() {
    const bytes = this.#body ?? concat(this.#chunks)
    this.#chunks.length = 0
    this.#resume(Effect.succeed(new BufferedResponse(this.#request, this.#status, this.#headers, bytes)))
  }

  onResponseError(_: Dispatcher.DispatchController, cause: globalThis.Error) {
    this.#failure = Effect.fail(this.error(cause))
    this.#resume(this.#failure)
  }
}

type Bytes = Uint8Array<ArrayBuffer>

/** Unlike `Buffer.concat`, several chunks get an `ArrayBuffer` of their own, which can be freed. */
const concat = (chunks: ReadonlyArray<Uint8Array>): Bytes => {
  const [first] = chunks
  if (chunks.length === 1 && first !== undefined && isBytes(first)) return first
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((length, chunk) => length + chunk.length, 0))
  fill(bytes, chunks)
  return bytes
}

const isBytes = (chunk: Uint8Array): chunk is Bytes => chunk.buffer instanceof ArrayBuffer

const fill = (bytes: Uint8Array, chunks: ReadonlyArray<Uint8Array>) => {
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
}

const interrupted = new Error("The request was interrupted")
