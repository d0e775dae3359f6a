import { assert, describe, type Vitest } from "@effect/vitest"
import { Clock, Duration, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ConnectionStore } from "../../../src/Connections/ConnectionRepo.ts"
import type { NewConnection } from "../../../src/Domain/Connection.ts"
import { ClientId, ConnectionId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import { connect as connectOne } from "../NewConnection.ts"
import { connectionStore, OtherInstance } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const grant = (refresh_token: string) => Redacted.make(JSON.stringify({ refresh_token, access_token: "ya29.first" }))

const connect = Effect.fnUntraced(function*(more: Partial<NewConnection> = {}) {
  return yield* connectOne({
    clientId: ClientId.make(yield* newId("cli")),
    externalAccount: "ada@example.com",
    scopes: ["https://www.googleapis.com/auth/webmasters.readonly"],
    ...more
  })
})

const secretOf = Effect.fnUntraced(function*(id: ConnectionId) {
  const stored = Option.getOrUndefined(yield* (yield* connectionStore).credentials(id))
  switch (stored?.credentials.type) {
    case "oauth":
      return [Redacted.value(stored.credentials.oauth.refresh_token), stored.version]
    case "api_key":
      return [Redacted.value(stored.credentials.apiKey), stored.version]
    default:
      return undefined
  }
})

const found = Effect.fnUntraced(function*(id: ConnectionId) {
  return Option.getOrThrow(yield* (yield* connectionStore).find(id))
})

const leaseDuration = Duration.seconds(45)

export const connectionRepo = (it: Vitest.MethodsNonLive<ConnectionStore | OtherInstance>) =>
  describe("connections", () => {
    it.effect("a connection is found as it was created, and its credentials open", () =>
      Effect.gen(function*() {
        const created = yield* connect()
        assert.deepStrictEqual(created, {
          id: created.id,
          provider: "gsc",
          auth_type: "oauth",
          label: "Acme",
          client_id: created.client_id,
          external_account: "ada@example.com",
          scopes: ["https://www.googleapis.com/auth/webmasters.readonly"],
          status: "active",
          last_error: null,
          health: { state: "ok", reasons: [] },
          resources: null,
          parent_id: null,
          parent_resources: null,
          last_used_at: null,
          created_at: new Date(yield* Clock.currentTimeMillis)
        })
        assert.deepStrictEqual(yield* found(created.id), created)
        assert.deepStrictEqual(yield* secretOf(created.id), ["1//first", 1])

        const bare = yield* connect({ clientId: null, externalAccount: null, scopes: [] })
        assert.deepStrictEqual([bare.client_id, bare.external_account, bare.scopes], [null, null, []])
      }))

    it.effect("an unknown or malformed id finds nothing", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        for (const id of [yield* newId("con"), "con_", "", "con_\ud800", "x".repeat(100_000)]) {
          assert.isTrue(Option.isNone(yield* repo.find(id)), JSON.stringify(id.slice(0, 20)))
        }
        const unknown = ConnectionId.make(yield* newId("con"))
        assert.isUndefined(yield* secretOf(unknown))
        assert.deepStrictEqual(yield* repo.revoke([unknown]), [])
        assert.isTrue(Option.isNone(yield* repo.reconnect(unknown, { authType: "oauth", credentials: grant("1//x") })))
      }))

    it.effect("a limited list holds the clients' connections, newest first, and none without a client", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const [first, second] = [yield* connect(), yield* connect()]
        const again = yield* connect({ clientId: first.client_id, provider: "gsheets" })
        const bare = yield* connect({ clientId: null })
        const limits = [first.client_id, second.client_id].filter((id) => id !== null)

        const list = (...args: Parameters<typeof repo.list>) =>
          Effect.map(repo.list(...args), (connections) => connections.map(({ id }) => id))
        assert.deepStrictEqual(yield* list(limits, {}), [again.id, second.id, first.id])
        assert.deepStrictEqual(yield* list(limits, { provider: "gsc" }), [second.id, first.id])
        assert.deepStrictEqual(yield* list(limits, { provider: "gsc", client_id: `${first.client_id}` }), [first.id])
        assert.deepStrictEqual(yield* list(limits, { provider: "nobody's" }), [])
        assert.deepStrictEqual(yield* list([], {}), [])
        assert.includeMembers([...yield* list(null, {})], [bare.id, again.id, second.id, first.id])

        yield* repo.revoke([second.id])
        assert.deepStrictEqual(yield* list(limits, { status: "revoked" }), [second.id])
        assert.deepStrictEqual(yield* list(limits, { status: "active" }), [again.id, first.id])
        assert.deepStrictEqual(yield* list(limits, {}), [again.id, second.id, first.id])
      }))

    it.effect("pages do not overlap when connections are created between them", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const client = ClientId.make(yield* newId("cli"))
        const ids: Array<string> = []
        for (let i = 0; i < 5; i++) ids.unshift((yield* connect({ clientId: client })).id)

        const first = yield* repo.page(null, { client_id: client }, { limit: 2 })
        yield* connect({ clientId: client })
        const second = yield* repo.page(null, { client_id: client }, { limit: 2, cursor: `${first.cursor}` })
        const third = yield* repo.page(null, { client_id: client }, { limit: 2, cursor: `${second.cursor}` })
        assert.deepStrictEqual([first, second, third].flatMap(({ items }) => items.map(({ id }) => id)), ids)
        assert.isNull(third.cursor)
      }))

    it.effect("a reconnected connection keeps its scopes, or gets those that were granted", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const { id, scopes } = yield* connect()
        const replacement = { authType: "oauth", credentials: grant("1//second") } as const
        yield* repo.reconnect(id, replacement)
        assert.deepStrictEqual((yield* found(id)).scopes, scopes)
        yield* repo.reconnect(id, { ...replacement, scopes: ["one", "two"] })
        assert.deepStrictEqual((yield* found(id)).scopes, ["one", "two"])
      }))

    it.effect("the account of a sign-in stays with its credentials, and ends with them", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const signedInAs = (id: ConnectionId) =>
          Effect.map(repo.credentials(id), (stored) => Option.getOrThrow(stored).signedInAs)
        const { id } = yield* connect({ signedInAs: "jane@example.com" })
        yield* repo.saveTokens(id, 1, grant("1//refreshed"))
        assert.strictEqual(yield* signedInAs(id), "jane@example.com")
        const given = {
          authType: "oauth",
          credentials: grant("1//second"),
          externalAccount: "joe@example.com"
        } as const
        yield* repo.reconnect(id, given)
        assert.isNull(yield* signedInAs(id))
        yield* repo.reconnect(id, { ...given, signedInAs: "joe@example.com" })
        assert.strictEqual(yield* signedInAs(id), "joe@example.com")
      }))

    it.effect("a connection keeps its credentials, also those of a refresh in progress, under another name and client", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const before = yield* connect()
        const clientId = ClientId.make(yield* newId("cli"))
        yield* repo.change(before.id, { label: "renamed" })
        const moved = yield* repo.change(before.id, { clientId })
        assert.deepStrictEqual(Option.getOrThrow(moved), { ...before, label: "renamed", client_id: clientId })
        assert.deepStrictEqual(yield* secretOf(before.id), ["1//first", 1])
        yield* repo.saveTokens(before.id, 1, grant("1//refreshed"))
        assert.deepStrictEqual(yield* secretOf(before.id), ["1//refreshed", 2])

        yield* repo.revoke([before.id])
        yield* repo.change(before.id, { clientId: null })
        assert.isNull((yield* found(before.id)).client_id)
        assert.isTrue(Option.isNone(yield* repo.change(ConnectionId.make(yield* newId("con")), { label: "x" })))
      }))

    it.effect("changes for an older version of the credentials are ignored", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const { id } = yield* connect()
        yield* repo.reconnect(id, { authType: "oauth", credentials: grant("1//second") })

        yield* repo.expire(id, 1)
        yield* repo.saveTokens(id, 1, grant("1//stale"))
        assert.isFalse(yield* (yield* connectionStore).refreshLease.claim(id, 1, leaseDuration))
        assert.strictEqual((yield* found(id)).status, "active")
        assert.deepStrictEqual(yield* secretOf(id), ["1//second", 2])
      }))

    it.effect("a derived connection shows its parent's state, and is revoked with it for good", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const parent = yield* connect()
        const deriveFrom = (parentId: ConnectionId, resources: ReadonlyArray<string> | null) =>
          repo.derive({ parentId, clientId: null, label: "Derived", resources })
        const derived = Option.getOrThrow(yield* deriveFrom(parent.id, ["gsc:sc-domain:acme.com"]))
        const { created_at, id } = derived
        assert.deepStrictEqual(derived, {
          ...parent,
          id,
          client_id: null,
          label: "Derived",
          resources: ["gsc:sc-domain:acme.com"],
          parent_id: parent.id,
          created_at
        })
        assert.deepStrictEqual(yield* deriveFrom(id, null), Option.none())
        assert.isUndefined(yield* secretOf(id))
        yield* repo.change(parent.id, { resources: ["gsc:sc-domain:other.com"] })
        assert.deepStrictEqual((yield* found(id)).parent_resources, ["gsc:sc-domain:other.com"])

        yield* repo.expire(parent.id, 1)
        assert.strictEqual((yield* found(id)).status, "expired")
        const active = yield* repo.list(null, { status: "active" })
        assert.isFalse(active.some((one) => one.id === id || one.id === parent.id))
        yield* repo.reconnect(parent.id, { authType: "oauth", credentials: grant("1//second") })
        assert.strictEqual((yield* found(id)).status, "active")

        const other = Option.getOrThrow(yield* deriveFrom(parent.id, null))
        assert.deepStrictEqual((yield* repo.revoke([other.id])).map(({ connection }) => connection.id), [other.id])
        assert.strictEqual((yield* found(parent.id)).status, "active")
        assert.deepStrictEqual((yield* repo.revoke([parent.id])).map(({ connection }) => connection.id), [
          parent.id,
          id
        ])
        assert.deepStrictEqual(yield* deriveFrom(parent.id, null), Option.none())
        yield* repo.reconnect(parent.id, { authType: "oauth", credentials: grant("1//third") })
        assert.deepStrictEqual([(yield* found(parent.id)).status, (yield* found(id)).status], ["active", "revoked"])
      }))

    it.effect("a stopped connection is revoked with those derived from it, and keeps its credentials until then", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const [parent, other] = [yield* connect(), yield* connect()]
        const derived = Option.getOrThrow(
          yield* repo.derive({ parentId: parent.id, clientId: null, label: "Derived", resources: null })
        )
        yield* repo.stop([parent.id])
        const statuses = () =>
          Effect.forEach([parent.id, derived.id, other.id], (id) => Effect.map(found(id), ({ status }) => status))
        assert.deepStrictEqual(yield* statuses(), ["revoked", "revoked", "active"])
        yield* repo.saveTokens(parent.id, 1, grant("1//refreshed"))

        const revoked = yield* repo.revoke([parent.id])
        assert.deepStrictEqual(revoked.map(({ connection }) => connection.id), [parent.id, derived.id])
        const texts = yield* Effect.forEach(revoked, ({ credentials }) => credentials)
        assert.deepStrictEqual(texts.map(Option.map(Redacted.value)), [
          Option.some(Redacted.value(grant("1//refreshed"))),
          Option.none()
        ])
        assert.isUndefined(yield* secretOf(parent.id))
        yield* repo.stop([parent.id])
        assert.deepStrictEqual(yield* repo.revoke([parent.id, derived.id]), [])
      }))

    it.effect("revoking deletes the credentials, and only reconnecting makes the connection active again", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const { refreshLease } = yield* connectionStore
        const { id } = yield* connect()
        assert.isTrue(yield* refreshLease.claim(id, 1, leaseDuration))
        assert.deepStrictEqual((yield* repo.revoke([id])).map(({ connection }) => connection.status), ["revoked"])
        assert.isUndefined(yield* secretOf(id))

        yield* repo.saveTokens(id, 1, grant("1//late"))
        yield* repo.expire(id, 1)
        assert.isUndefined(yield* secretOf(id))
        yield* repo.expire(id, 2)
        assert.strictEqual((yield* found(id)).status, "revoked")

        yield* repo.reconnect(id, { authType: "oauth", credentials: grant("1//new") })
        assert.strictEqual((yield* found(id)).status, "active")
        assert.isTrue(yield* refreshLease.claim(id, 3, leaseDuration))
      }))

    it.effect("a refresh token is in use until the last active connection that has it is revoked, expired or refreshed", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const token = `1//${yield* newId("con")}`
        const inUse = Effect.map(
          repo.withToken(Redacted.make(token)),
          (holders) => holders.some(({ status }) => status === "active")
        )
        const [first, second, third, fourth] = [
          yield* connect({ credentials: grant(token) }),
          yield* connect({ credentials: grant(token), provider: "ga4" }),
          yield* connect(),
          yield* connect({ credentials: grant(token) })
        ]
        yield* repo.reconnect(third.id, { authType: "oauth", credentials: grant(token) })
        yield* repo.revoke([first.id])
        yield* repo.expire(second.id, 1)
        yield* repo.saveTokens(fourth.id, 1, grant("1//rotated"))
        assert.isTrue(yield* inUse)
        yield* repo.reconnect(third.id, {
          authType: "api_key",
          credentials: Redacted.make(JSON.stringify({ api_key: token }))
        })
        assert.isFalse(yield* inUse)
      }))

    it.effect("connections that have the same refresh token know of each other until one is revoked", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const credentials = grant(`1//${yield* newId("con")}`)
        const [first, second] = [yield* connect({ credentials }), yield* connect({ credentials, provider: "ga4" })]
        const other = yield* connect({ credentials: grant(`1//${yield* newId("con")}`) })
        const pair = (one: typeof first, two: typeof first) => ({
          id: one.id,
          sharedWith: two.id,
          clientId: two.client_id
        })
        const ids = [first.id, second.id, other.id]
        assert.deepStrictEqual(yield* repo.sharing(ids), [pair(first, second), pair(second, first)])
        yield* repo.stop([first.id])
        assert.deepStrictEqual(yield* repo.sharing([first.id]), [pair(first, second)])
        yield* repo.revoke([second.id])
        assert.deepStrictEqual(yield* repo.sharing(ids), [])
      }))

    it.effect("last_used_at is written at most every ten seconds, whichever instance is used", () =>
      Effect.gen(function*() {
        const [here, there] = [yield* connectionStore, (yield* OtherInstance).repo]
        const { created_at, id } = yield* connect()
        for (const [after, written] of [[0, 0], [9000, 0], [1000, 10_000]] as const) {
          yield* TestClock.adjust(after)
          yield* there.touch(id)
          yield* here.touch(id)
          assert.strictEqual((yield* found(id)).last_used_at?.getTime(), created_at.getTime() + written)
        }
      }))

    it.effect("one caller at a time holds the refresh lease, until its release, new tokens or its end", () =>
      Effect.gen(function*() {
        const repo = yield* connectionStore
        const [here, there] = [(yield* connectionStore).refreshLease, (yield* OtherInstance).repo.refreshLease]
        const { id } = yield* connect()
        const claims = (version: number) =>
          Effect.forEach(
            Array.from({ length: 20 }, (_, i) => i % 2 === 0 ? here : there),
            ({ claim }) => claim(id, version, leaseDuration),
            { concurrency: "unbounded" }
          ).pipe(Effect.map((claims) => claims.filter((claimed) => claimed).length))
        assert.strictEqual(yield* claims(1), 1)
        yield* TestClock.adjust("44 seconds")
        assert.strictEqual(yield* claims(1), 0)

        yield* TestClock.adjust("2 seconds")
        assert.strictEqual(yield* claims(1), 1)

        yield* here.release(id, 1)
        assert.strictEqual(yield* claims(1), 1)

        yield* repo.saveTokens(id, 1, grant("1//second"))
        assert.deepStrictEqual(yield* secretOf(id), ["1//second", 2])
        assert.strictEqual(yield* claims(2), 1)
      }))
  })

export const storedConnections: StorageTests = (it) =>
  describe("stored connections", () => {
    it.effect("text with NUL and lone surrogates is stored, and deleted from the database when it is revoked", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* connect({ label: "a \ud800", credentials: grant("1//\0\ud800") })
        assert.strictEqual((yield* found(id)).label, "a \ufffd")
        assert.deepStrictEqual(yield* secretOf(id), ["1//\0\ud800", 1])
        yield* (yield* connectionStore).revoke([id])
        assert.deepStrictEqual(yield* sql`SELECT credentials FROM connections WHERE id = ${id}`, [{
          credentials: null
        }])
      }))
  })
