import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CreateConnection } from "../../src/Domain/Connection.ts"
import { assertError } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { originOf } from "../support/SignedIn.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { clearRange, memberWith, sitesList } from "./Fixture.ts"

const readRange = { ...clearRange, endpoint: "values.get", max_age: 600 }

const setUp = Effect.fnUntraced(function*(connection?: Partial<CreateConnection>) {
  const { admin } = yield* TestServer
  const owner = yield* seed(connection)
  const client = yield* admin.clients.create({ payload: { name: "Shared with" } })
  const derived = yield* admin.managedConnections.create({
    payload: { parent_id: owner.connection.id, client_id: client.id, label: "Derived" }
  })
  return { owner, derived, guest: yield* memberWith([client.id]) }
})

layer(TestServer.layer, { excludeTestServices: true })("A derived connection", (it) => {
  it.effect("and its parent read anew after a write of either", () =>
    Effect.gen(function*() {
      const { call } = yield* TestServer
      let count = 0
      ;(yield* LoopbackUpstream).handle(() => ({ body: { answer: ++count } }))
      const { guest, owner } = yield* setUp({ provider: "gsheets" })
      const isCached = (key: string) => Effect.map(call(key, readRange), ({ json }) => Object(json).cached)
      const both = Effect.all([isCached(owner.readOnly), isCached(guest.readOnly)])
      assert.deepStrictEqual(yield* both, [false, false])
      assert.deepStrictEqual(yield* both, [true, true])
      for (const writer of [guest.readWrite, owner.readWrite]) {
        assert.strictEqual((yield* call(writer, clearRange)).status, 200)
        assert.deepStrictEqual(yield* both, [false, false])
        assert.deepStrictEqual(yield* both, [true, true])
      }
    }))

  it.effect("expires with its parent, which is the one to reconnect", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ status: 400, body: { error: "invalid_grant" } }))
      const { id } = yield* server.admin.webhooks.create({
        payload: { url: "https://hooks.invalid/", events: ["connection.expired"] }
      })
      const { derived, guest, owner } = yield* setUp({ credentials: expiredGrant("shared") })
      assertError(yield* server.call(guest.readOnly, sitesList), 401, "credentials_expired")
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql<{ readonly body: string }>`
        SELECT body FROM events JOIN deliveries ON event_id = events.id WHERE webhook_id = ${id} ORDER BY events.id`
      assert.deepStrictEqual(
        events.map(({ body }) => JSON.parse(body).data).map(({ connection, connect_url }) => [
          connection.id,
          connection.status,
          connect_url === null
        ]),
        [[owner.connection.id, "expired", false], [derived.id, "expired", true]]
      )

      const named = { ...sitesList, connection_id: derived.id }
      const detailsOf = (key: string) => Effect.map(server.call(key, named), ({ json }) => Object(json).error.details)
      assert.deepStrictEqual(yield* detailsOf(guest.readOnly), { provider: "gsc", reason: "expired" })
      const everyClient = yield* memberWith(null)
      assert.strictEqual(
        (yield* detailsOf(everyClient.readOnly)).connect_url,
        `${originOf(server)}/dashboard/connections/${owner.connection.id}/reconnect`
      )
    }))
})
