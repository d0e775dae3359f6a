import { Context, Deferred, Effect, Layer, type Scope } from "effect"
import * as http from "node:http"
import { Origins } from "../../src/Providers/Origins.ts"
import { listening } from "./Listening.ts"

export interface Recorded {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status?: number
  readonly headers?: http.OutgoingHttpHeaders
  /** Bytes and strings are sent unchanged, anything else as JSON. */
  readonly body?: unknown
}

export type Handler = (request: Recorded) => Reply | ((response: http.ServerResponse) => void)

const notHandled: Handler = () => ({ status: 501 })

const send = (response: http.ServerResponse, reply: ReturnType<Handler>): void => {
  if (typeof reply === "function") return reply(response)
  const raw = typeof reply.body === "string" || reply.body instanceof Uint8Array
  response.writeHead(reply.status ?? 200, {
    ...(raw ? {} : { "content-type": "application/json; charset=UTF-8" }),
    ...reply.headers
  })
  response.end(raw || reply.body === undefined ? reply.body : JSON.stringify(reply.body))
}

/** Replies wait for `release`. `arrived` waits for the first request. */
export const holdReplies = Effect.fnUntraced(function*(handler: Handler) {
  const arrived = yield* Deferred.make<void>()
  const released = yield* Deferred.make<void>()
  const holding: Handler = (request) => (response) => {
    Deferred.doneUnsafe(arrived, Effect.void)
    void Effect.runPromise(Deferred.await(released)).then(() => send(response, handler(request)))
  }
  return { holding, arrived: Deferred.await(arrived), release: Deferred.succeed(released, undefined) }
})

/** Replaces every provider: an HTTP server on an ephemeral loopback port that records its requests. */
export class LoopbackUpstream extends Context.Service<LoopbackUpstream, {
  readonly url: string
  readonly requests: ReadonlyArray<Recorded>
  readonly handle: (handler: Handler) => void
}>()("openaccounts/test/LoopbackUpstream") {
  static readonly make: Effect.Effect<LoopbackUpstream["Service"], never, Scope.Scope> = Effect.gen(function*() {
    let handler: Handler = notHandled
    const requests: Array<Recorded> = []
    const server = http.createServer((incoming, response) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("end", () => {
        const { headers, method = "", url = "" } = incoming
        const request = { method, url, headers, body: Buffer.concat(chunks).toString() }
        requests.push(request)
        send(response, handler(request))
      })
    })
    // A write on a connection that is just being closed fails, and is not sent again.
    server.keepAliveTimeout = 0
    return {
      url: `http://127.0.0.1:${yield* listening(server)}`,
      requests,
      handle: (next) => {
        handler = next
        requests.length = 0
      }
    }
  })

  static readonly layer = Layer.effect(LoopbackUpstream, LoopbackUpstream.make)

  /** Each origin is a path of its name, as in `/gsheets/v4/…`. */
  static readonly originsLayer = Layer.effect(
    Origins,
    Effect.map(LoopbackUpstream, ({ url }) => ({ id }) => `${url}/${id}`)
  )
}
