import { Agent, type Dispatcher } from "@effect/platform-node/Undici"
import { Config, Effect, Layer, Schema } from "effect"
import { Headers, HttpClient, HttpClientError, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import { constants } from "node:buffer"
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
  const agent = yield* Effect.acquireRelease(
    Effect.map(maxResponseBytes, (maxResponseSize) =>
      new Agent({
        maxResponseSize,
        // The calls under way are limited before, fairly between members; undici's own queue is first come, first served.
        connections: null,
        // Shorter than the idle timeouts of the providers: no request goes out on a connection that is closing.
        keepAliveTimeout: 10_000,
        keepAliveMaxTimeout: 60_000,
        connect: { timeout: 5_000 },
        headersTimeout: 0,
        bodyTimeout: 0,
        allowH2: false
      })),
    (agent) => Effect.promise(() => agent.destroy())
  )

  const send = (
    request: Request
  ): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> =>
    Effect.callback((resume) => {
      const exchange = new Exchange(request, resume)
      const { body, headers, method, url } = request
      try {
        if (body._tag !== "Empty" && body._tag !== "Uint8Array") throw new Error(`The body is a ${body._tag}`)
        agent.dispatch({ ...splitUrl(url), method, headers, body: body._tag === "Empty" ? null : body.body }, exchange)
      } catch (cause) {
        exchange.fail(cause)
      }
      return Effect.sync(() => exchange.abort())
    })

  return HttpClient.makeWith<never, never, HttpClientError.HttpClientError, never>(
    (request) => Effect.flatMapEager(request, send),
    (request) => Effect.succeed(request)
  )
})

export const layer = Layer.effect(HttpClient.HttpClient, make)

type Result = Effect.Effect<BufferedResponse, HttpClientError.HttpClientError>

class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: Request
  readonly #resume: (result: Result) => void
  readonly #chunks: Array<Uint8Array> = []
  #controller: Dispatcher.DispatchController | undefined
  #aborted = false
  #status = 0
  #headers = Headers.empty

  constructor(request: Request, resume: (result: Result) => void) {
    this.#request = request
    this.#resume = resume
  }

  fail(cause: unknown) {
    const reason = new HttpClientError.TransportError({ request: this.#request, cause })
    this.#resume(Effect.fail(new HttpClientError.HttpClientError({ reason })))
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
    // Interim responses such as `100 Continue`.
    if (status < 200) return
    this.#status = status
    this.#headers = Headers.fromInput(headers)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array) {
    this.#chunks.push(chunk)
  }

  onResponseEnd() {
    const bytes = concat(this.#chunks)
    // Frees the chunks before the fiber goes on with a long body.
    this.#chunks.length = 0
    this.#resume(Effect.succeed(new BufferedResponse(this.#request, this.#status, this.#headers, bytes)))
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error) {
    this.fail(cause)
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
