import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { EventType } from "../../src/Declared/EventType.ts"
import { assertFails } from "../support/ApiClient.ts"
import { type Handler, LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { shared } from "../support/Shared.ts"
import { keyFor, seed, TestServer } from "../support/TestServer.ts"

export const baseUrl = "https://accounts.example.com"
export const price = 0.25
export const approvalHours = 2

/** A service behind a proxy, with a name, prices and times of its own. */
export const Hosted = shared(TestServer.make({
  BASE_URL: `${baseUrl}/`,
  APP_NAME: "Acme <Reports>",
  APP_PRIVACY_URL: "https://acme.example/privacy",
  CONNECT_REDIRECT_ORIGINS: "https://app.example.com, http://localhost:4000",
  CALL_PRICE_USD: `${price}`,
  RESULT_RETENTION: "20 minutes",
  APPROVAL_TTL: `${approvalHours} hours`,
  WEBHOOK_ALLOW_PRIVATE: "true",
  TRUSTED_PROXIES: "127.0.0.1"
}))

export const sitesList = { provider: "gsc", endpoint: "sites.list" }
export const noSites: Handler = () => ({ body: { siteEntry: [] } })
/** Google, where every token is dead. */
export const deadTokens: Handler = ({ url }) =>
  url.startsWith("/googleRevoke")
    ? { body: {} }
    : { status: url.startsWith("/googleToken") ? 400 : 401, body: { error: "invalid_grant" } }
export const site = "sc-domain:example.com"
export const sitesGet = { provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl: site } } }
export const clearRange = {
  provider: "gsheets",
  endpoint: "values.clear",
  input: { path: { spreadsheetId: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde", range: "A1:B2" } }
}

export const report = (dimensions: ReadonlyArray<string>) => ({
  provider: "gsc",
  endpoint: "searchanalytics.query",
  input: { path: { siteUrl: site }, body: { startDate: "2026-01-01", endDate: "2026-01-31", dimensions } }
})

export const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const latency = /^\d+(?:\.\d{1,3})?$/

export const logged = Effect.fnUntraced(function*(key: string, callId: string) {
  const server = yield* TestServer
  return yield* server.request("GET", `/v1/logs/${callId}`, { key })
})

export const loggedCall = Effect.fnUntraced(function*(key: string, callId: string) {
  const { api } = yield* TestServer
  return yield* api(key).logs.get({ params: { call_id: callId } })
})

export const assertNotLogged = Effect.fnUntraced(function*(key: string, callId: string) {
  const { api } = yield* TestServer
  return yield* assertFails(api(key).logs.get({ params: { call_id: callId } }), "call_not_found")
})

export const manage = Effect.fnUntraced(function*(method: string, path: string, body?: unknown) {
  const server = yield* TestServer
  return yield* server.request(method, `/admin/v1${path}`, { key: server.adminToken, body })
})

export const connectionsOf = Effect.fnUntraced(function*(client_id: string) {
  const { admin } = yield* TestServer
  return (yield* admin.managedConnections.list({ query: { client_id } })).connections
})

/** A webhook that no message reaches. */
export const webhookFor = Effect.fnUntraced(function*(...events: ReadonlyArray<EventType>) {
  const { admin } = yield* TestServer
  return yield* admin.webhooks.create({ payload: { url: "https://hooks.invalid/", events } })
})

/** A connection of the client that uses the credentials of the parent. */
export const deriveFor = Effect.fnUntraced(function*(client: { readonly id: string }, parent: { readonly id: string }) {
  const { admin } = yield* TestServer
  return yield* admin.managedConnections.create({
    payload: { parent_id: parent.id, client_id: client.id, label: "Derived" }
  })
})

/** The messages to a webhook, in order. */
export const messagesTo = Effect.fnUntraced(function*(webhookId: string) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* sql<{ readonly body: string }>`
    SELECT body FROM events JOIN deliveries ON event_id = events.id WHERE webhook_id = ${webhookId} ORDER BY events.id`
  return events.map(({ body }) => JSON.parse(body))
})

/** From now on `handler` answers for the providers. */
export const answering = (handler: Handler) =>
  Effect.tap(LoopbackUpstream, (upstream) => Effect.sync(() => upstream.handle(handler)))

/** The server, and a new client with its member, keys and connection. From now on `handler` answers for the providers. */
export const seededServer = Effect.fnUntraced(function*(handler?: Handler, connection?: Parameters<typeof seed>[0]) {
  const server = yield* TestServer
  const upstream = yield* LoopbackUpstream
  if (handler !== undefined) upstream.handle(handler)
  return { ...server, ...yield* seed(connection), server, upstream }
})

let members = 0

export const memberWith = Effect.fnUntraced(function*(client_ids: ReadonlyArray<string> | null) {
  const { admin, api } = yield* TestServer
  const member = yield* admin.members.create({ payload: { email: `limited-${++members}@example.com`, client_ids } })
  const readWrite = yield* keyFor(member, { access: "read_write" })
  const readOnly = yield* keyFor(member)
  return { member, readWrite, readOnly, writer: api(readWrite), reader: api(readOnly) }
})

/** Waits for the only call that the key made: a client that disconnects gets no response to wait for. */
export const firstLoggedCall = Effect.fnUntraced(function*(key: string) {
  const { api } = yield* TestServer
  const { calls } = yield* api(key).logs.list({ query: {} }).pipe(
    Effect.repeat({ until: ({ calls }) => calls.length > 0 })
  )
  assert.lengthOf(calls, 1)
  return calls[0] ?? assert.fail()
})
