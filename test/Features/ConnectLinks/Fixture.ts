import { Effect } from "effect"
import { manage } from "../../Http/Fixture.ts"
import { TestServer } from "../../support/TestServer.ts"

let clients = 0

/** A link for a new client, or for a connection. */
export const makeLink = Effect.fnUntraced(function*(more: object = {}) {
  const { admin } = yield* TestServer
  const client = yield* admin.clients.create({ payload: { name: `Fernhill & Sons ${++clients}` } })
  const answer = yield* manage("POST", "/connect-links", {
    ...Object.hasOwn(more, "connection_id") ? {} : { client_id: client.id, providers: ["gsc"] },
    ...more
  })
  const { id, url } = Object(answer.json)
  return { client, id, url: String(url), path: new URL(url).pathname }
})

interface Ask {
  readonly form?: Record<string, string> | URLSearchParams
  readonly cookie?: string | undefined
  readonly headers?: Record<string, string>
}

/** As a browser asks for a page, or sends a form. */
export const ask = Effect.fnUntraced(function*(path: string, { cookie, form, headers }: Ask = {}) {
  const { request } = yield* TestServer
  const all = { accept: "text/html,*/*;q=0.8", ...cookie === undefined ? {} : { cookie }, ...headers }
  if (form === undefined) return yield* request("GET", path, { headers: all })
  return yield* request("POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded", ...all },
    rawBody: new URLSearchParams(form).toString()
  })
})

export const hiddenIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""
