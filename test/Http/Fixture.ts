import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Connection } from "../../src/Domain/Connection.ts"
import { assertFails } from "../support/ApiClient.ts"
import { TestServer } from "../support/TestServer.ts"

export const sitesList = { provider: "gsc", endpoint: "sites.list" }
export const site = "sc-domain:example.com"
export const sitesGet = { provider: "gsc", endpoint: "sites.get", input: { path: { siteUrl: site } } }
export const clearRange = {
  provider: "gsheets",
  endpoint: "values.clear",
  input: { path: { spreadsheetId: "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde", range: "A1:B2" } }
}

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

let members = 0

export const memberWith = Effect.fnUntraced(function*(client_ids: ReadonlyArray<string> | null) {
  const { admin, api } = yield* TestServer
  const member = yield* admin.members.create({ payload: { email: `member-${++members}@example.com`, client_ids } })
  const createKey = (access: "read_only" | "read_write") =>
    Effect.map(admin.keys.create({ payload: { member_id: member.id, name: access, access } }), ({ key }) => key)
  const readWrite = yield* createKey("read_write")
  const readOnly = yield* createKey("read_only")
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

export const connectionChoice = ({ external_account, id, label }: Connection) => ({
  id,
  label,
  external_account,
  last_error: null
})
