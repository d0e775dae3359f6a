import { Agent, type Dispatcher as Undici } from "@effect/platform-node/Undici"
import { Config, Context, Effect, Layer, Record, Schema } from "effect"
import { constants } from "node:buffer"
import type { HttpMethod } from "../Provider.ts"
import { makeDeadlines } from "./Deadlines.ts"
import { toTransportError, type TransportError } from "./UpstreamResponse.ts"
import type { UpstreamUrl } from "./UpstreamUrl.ts"

const MaxBytes = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 1, maximum: constants.MAX_STRING_LENGTH })
)

/** The longest body of an upstream that is read, in bytes, before and after decompression: `MAX_RESPONSE_BYTES`. */
export const maxResponseBytes = Config.schema(MaxBytes, "MAX_RESPONSE_BYTES").pipe(Config.withDefault(52_428_800))

export interface DispatchedRequest {
  readonly method: HttpMethod
  readonly url: UpstreamUrl
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly deadline: Deadline
}

/** When the exchange ends, in milliseconds since the epoch, and what then to say. */
export interface Deadline {
  readonly at: number
  readonly exceeded: () => TransportError
}

/** An answer as it came, compressed or not. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Uint8Array
}

/**
 * One HTTP exchange on pooled connections: straight on undici's dispatcher, for what lies between it and Effect's own
 * client (abort signals, streams, a request and a response object) costs a call more than everything else it does.
 * Follows no redirect.
 */
export class Dispatcher extends Context.Service<Dispatcher, {
  /** The deadline ends the exchange, as does interruption. */
  readonly dispatch: (request: DispatchedRequest) => Effect.Effect<RawAnswer, TransportError>
}>()("openaccounts/Providers/Dispatcher") {
  static readonly layer = Layer.effect(
    Dispatcher,
    Effect.gen(function*() {
      const agent = yield* Effect.acquireRelease(
        Effect.map(maxResponseBytes, (maxResponseSize) =>
          new Agent({
            maxResponseSize,
            connections: 256,
            // Well below the idle timeouts of the providers, so that no request meets a connection that is being closed.
            keepAliveTimeout: 10_000,
            keepAliveMaxTimeout: 60_000,
            connect: { timeout: 5_000 },
            // Whoever asks says how long it waits.
            headersTimeout: 0,
            bodyTimeout: 0,
            allowH2: false
          })),
        (agent) => Effect.promise(() => agent.destroy())
      )

      const deadlines = yield* makeDeadlines

      return Dispatcher.of({
        dispatch: ({ body, deadline, headers, method, url }) =>
          Effect.callback((resume) => {
            const end = (result: Effect.Effect<RawAnswer, TransportError>) => {
              unwatch()
              resume(result)
            }
            const fail = (cause: unknown) => end(Effect.fail(toTransportError(cause, url.host)))
            const exchange = new Exchange((answer) => end(Effect.succeed(answer)), fail)
            const unwatch = deadlines.watch(deadline.at, () => {
              end(Effect.fail(deadline.exceeded()))
              exchange.abort()
            })
            try {
              agent.dispatch({ origin: url.origin, path: url.path, method, headers, body }, exchange)
            } catch (cause) {
              fail(cause)
            }
            return Effect.sync(() => {
              unwatch()
              exchange.abort()
            })
          })
      })
    })
  )
}

type Headers = Readonly<Record<string, string | Array<string> | undefined>>

/** What undici tells of one exchange. */
class Exchange implements Undici.DispatchHandler {
  readonly #succeed: (answer: RawAnswer) => void
  readonly #fail: (cause: unknown) => void
  readonly #chunks: Array<Uint8Array> = []
  #controller: Undici.DispatchController | undefined
  #aborted = false
  #status = 0
  #headers: RawAnswer["headers"] = {}

  constructor(succeed: (answer: RawAnswer) => void, fail: (cause: unknown) => void) {
    this.#succeed = succeed
    this.#fail = fail
  }

  abort() {
    this.#aborted = true
    this.#controller?.abort(aborted)
  }

  onRequestStart(controller: Undici.DispatchController) {
    this.#controller = controller
    if (this.#aborted) controller.abort(aborted)
  }

  onResponseStart(_: Undici.DispatchController, status: number, headers: Headers) {
    // Not an answer yet, only the word that one comes.
    if (status < 200) return
    this.#status = status
    this.#headers = Record.map(headers, (value) => Array.isArray(value) ? value.join(", ") : value)
  }

  onResponseData(_: Undici.DispatchController, chunk: Uint8Array) {
    this.#chunks.push(chunk)
  }

  onResponseEnd() {
    const bytes = Buffer.concat(this.#chunks)
    // Everything that is made of a long answer is made before this returns.
    this.#chunks.length = 0
    this.#succeed({ status: this.#status, headers: this.#headers, bytes })
  }

  onResponseError(_: Undici.DispatchController, cause: Error) {
    this.#fail(cause)
  }
}

const aborted = new Error("Nobody waits for the answer any more")
