import { Context, Effect, Layer, type Scope } from "effect"
import * as http from "node:http"
import { Origins } from "../../src/Providers/Origins.ts"

/** A request as it came over the wire. */
export interface Recorded {
  readonly method: string
  /** Path and query, byte for byte. */
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status?: number
  readonly headers?: http.OutgoingHttpHeaders
  /** Bytes and strings go out as they are, anything else as JSON. */
  readonly body?: unknown
}

/** A function writes the answer itself, or breaks it off, or never gives one. */
export type Handler = (request: Recorded) => Reply | ((response: http.ServerResponse) => void)

const notHandled: Handler = () => ({ status: 501 })

/** A stand-in for every provider: a real HTTP server on an ephemeral loopback port, which records what it is asked. */
export class LoopbackUpstream extends Context.Service<LoopbackUpstream, {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** Since `handle` was last called, in order. */
  readonly requests: ReadonlyArray<Recorded>
  /** Answers from now on, and forgets what was recorded. */
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
        const reply = handler(request)
        if (typeof reply === "function") return reply(response)
        const raw = typeof reply.body === "string" || reply.body instanceof Uint8Array
        response.writeHead(reply.status ?? 200, {
          ...(raw ? {} : { "content-type": "application/json; charset=UTF-8" }),
          ...reply.headers
        })
        response.end(raw || reply.body === undefined ? reply.body : JSON.stringify(reply.body))
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const address = server.address()
    if (address === null || typeof address === "string") return yield* Effect.die("The server has no port")
    return {
      url: `http://127.0.0.1:${address.port}`,
      requests,
      handle: (next) => {
        handler = next
        requests.length = 0
      }
    }
  })

  static readonly layer = Layer.effect(LoopbackUpstream, LoopbackUpstream.make)

  /** Every origin at the stand-in, each below a path of its own name, as in `/gsheets/v4/…`. */
  static readonly originsLayer = Layer.effect(
    Origins,
    Effect.map(LoopbackUpstream, ({ url }) => ({ id }) => `${url}/${id}`)
  )
}
