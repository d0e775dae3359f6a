import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"

type Reply = (response: ServerResponse, key: string) => void

/** The provider of `NotesProvider.ts`. Its port stays the same while it is closed. */
export const makeNotesApi = Effect.gen(function*() {
  const requests: Array<string> = []
  let reply = twoNotes
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    reply(response, String(request.headers["x-notes-key"]))
  })
  const listen = (port: number) => Effect.promise(() => once(server.listen(port, "127.0.0.1"), "listening"))
  const close = Effect.callback<void>((resume) => {
    server.closeAllConnections()
    server.close(() => resume(Effect.void))
  })
  yield* Effect.acquireRelease(listen(0), () => close)
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0

  /** `other` is the reply to requests during the effect. */
  const replying = <A, E, R>(other: Reply, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const before = reply
      reply = other
      return Effect.ensuring(effect, Effect.sync(() => reply = before))
    })

  const whileClosed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(close, () => effect, () => listen(port))

  return { url: `http://127.0.0.1:${port}`, requests, replying, whileClosed }
})

const twoNotes: Reply = (response) => json(response, { notes: ["Buy milk", "Call Ada"] })

export const json = (response: ServerResponse, body: object): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
}
