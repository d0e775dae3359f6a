import { Agent, type Dispatcher } from "@effect/platform-node/Undici"
import { Config, Effect, Layer, Schema } from "effect"
import { Headers, HttpClient, HttpClientError, type HttpClientRequest } from "effect/http"
import { constants } from "node:buffer"
import { arrivingBytes, type ByteKind, holdBytes, smallBytes } from "../CallBytes.ts"
import { BufferedResponse } from "./BufferedResponse.ts"

const MaxBytes = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: constants.MAX_STRING_LENGTH })
)

/** `MAX_RESPONSE_BYTES`: the limit of a response body in bytes, before and after decompression. */
export const maxResponseBytes = Config.schema(MaxBytes, "MAX_RESPONSE_BYTES").pipe(Config.withDefault(52_428_800))

type Request = HttpClientRequest.HttpClientRequest

const splitUrl = (url: string) => {
  const path = url.indexOf("/", "https://".length)
  return { origin: url.slice(0, path), path: url.slice(path) }
}

/** An `HttpClient` on undici's dispatcher. It reads every response whole, follows no redirect and starts no span. */
const make = Effect.gen(function*() {
  const maxBytes = yield* maxResponseBytes
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() =>
      new Agent({
        maxResponseSize: maxBytes,
        // `FairShares` limits the calls before, fairly between members. Undici's own queue is first come, first
        // served.
        connections: null,
        // Shorter than the idle timeouts of the providers: no request goes out on a connection that is closing.
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

  const send = (request: Request): Effect.Effect<BufferedResponse, HttpClientError.HttpClientError> =>
    Effect.suspend(() => {
      const exchange = new Exchange(request)
      const { body, headers, method, url } = request
      const dispatch = () => {
        if (body._tag !== "Empty" && body._tag !== "Uint8Array") throw new Error(`The body is a ${body._tag}`)
        agent.dispatch({ ...splitUrl(url), method, headers, body: body._tag === "Empty" ? null : body.body }, exchange)
      }
      return Effect.flatMapEager(
        exchange.run(dispatch),
        (response) => response === undefined ? receive(exchange, maxBytes) : Effect.succeed(response)
      )
    })

  return HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
    (request) => Effect.flatMapEager(request, send),
    (request) => Effect.succeed(request)
  )
})

export const layer = Layer.effect(HttpClient.HttpClient, make)

const receive = Effect.fnUntraced(function*(exchange: Exchange, maxBytes: number) {
  const hold = (kind: ByteKind, bytes: number) =>
    // Undici's parser must have returned from the paused exchange before it resumes.
    Effect.andThen(Effect.yieldNow, Effect.mapError(holdBytes(kind, bytes), (cause) => exchange.error(cause)))
  const rest = Effect.gen(function*() {
    yield* hold("arriving", arrivingBytes)
    const response = yield* exchange.run(() => exchange.receiveUpTo(arrivingBytes))
    if (response !== undefined) return response
    yield* hold("download", maxBytes)
    return yield* exchange.run(() => exchange.receiveUpTo(maxBytes))
  })
  const response = yield* Effect.onError(rest, () => Effect.sync(() => exchange.abort()))
  return response ?? (yield* Effect.die(`A response is longer than ${maxBytes} bytes`))
})

type Error = HttpClientError.HttpClientError

class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: Request
  readonly #chunks: Array<Uint8Array> = []
  #resume: (result: Effect.Effect<BufferedResponse | undefined, Error>) => void = () => {}
  #controller: Dispatcher.DispatchController | undefined
  #aborted = false
  #status = 0
  #headers = Headers.empty
  #received = 0
  #failure: Effect.Effect<never, Error> | undefined
  #limit = smallBytes

  constructor(request: Request) {
    this.#request = request
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
    this.#chunks.push(chunk)
    this.#received += chunk.length
    if (this.#received <= this.#limit || controller.paused) return
    controller.pause()
    this.#resume(Effect.succeed(undefined))
  }

  onResponseEnd() {
    const bytes = concat(this.#chunks)
    this.#chunks.length = 0
    this.#resume(Effect.succeed(new BufferedResponse(this.#request, this.#status, this.#headers, bytes)))
  }

  onResponseError(_: Dispatcher.DispatchController, cause: globalThis.Error) {
    this.#failure = Effect.fail(this.error(cause))
    this.#resume(this.#failure)
  }
}

/** Unlike `Buffer.concat`, which can return a part of a shared `ArrayBuffer`. */
const concat = (chunks: ReadonlyArray<Uint8Array>): Buffer<ArrayBuffer> => {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

const interrupted = new Error("The request was interrupted")
