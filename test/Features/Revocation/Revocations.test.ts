import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import {
  connectionsOf,
  deriveFor,
  manage,
  messagesTo,
  seededServer,
  sitesList,
  webhookFor
} from "../../Http/Fixture.ts"
import { assertError, issuePaths } from "../../support/Answer.ts"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream, type Recorded, type Reply } from "../../support/LoopbackUpstream.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { keyFile } from "../../support/ServiceAccountFile.ts"
import { bySitesearchKey, expiredGrant, freshGrant, seed, TestServer } from "../../support/TestServer.ts"

/** Google, which refuses the tokens of a sign-in once it is revoked. `override` answers first. */
const playGoogle = Effect.fnUntraced(
  function*(override: (request: Recorded, name: string) => Reply | undefined = () => undefined) {
    const upstream = yield* LoopbackUpstream
    const revoked = new Set<string>()
    upstream.handle((request) => {
      const form = new URLSearchParams(request.body)
      const token = form.get("token") ?? form.get("refresh_token") ?? request.headers.authorization ?? ""
      const name = /(?:refresh|access)-(.*)-0123456789/.exec(token)?.[1] ?? ""
      const overridden = override(request, name)
      if (overridden !== undefined) return overridden
      if (request.url.startsWith("/googleRevoke")) {
        if (revoked.has(name)) return { status: 400, body: { error: "invalid_token" } }
        revoked.add(name)
        return { body: {} }
      }
      if (request.url.startsWith("/googleToken")) {
        return revoked.has(name)
          ? { status: 400, body: { error: "invalid_grant", error_description: "Token has been expired or revoked." } }
          : { body: { access_token: `ya29.access-${name}-0123456789`, expires_in: 3600 } }
      }
      return revoked.has(name)
        ? { status: 401, body: { error: { code: 401, message: "Invalid Credentials", status: "UNAUTHENTICATED" } } }
        : { body: { siteEntry: [] } }
    })
    return { revoked, requests: upstream.requests }
  }
)

const ended = (id: string) =>
  Effect.flatMap(
    TestServer,
    ({ admin }) =>
      eventually(Effect.orDie(admin.revocations.get({ params: { id } })), ({ status }) => status === "done")
  )

const start = (body: unknown) => manage("POST", "/revocations", body)

/** The revocation of these after its end. */
const revoke = Effect.fnUntraced(
  function*(payload: Parameters<TestServer["Service"]["admin"]["revocations"]["start"]>[0]["payload"]) {
    const { admin } = yield* TestServer
    return yield* ended((yield* admin.revocations.start({ payload })).id)
  }
)

const OnPostgres = Layer.unwrap(
  Effect.map(Effect.flatMap(RealPostgres, ({ createDatabase }) => createDatabase), (url) =>
    TestServer.make({
      DATABASE_URL: Redacted.value(url),
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
      ADMIN_TOKEN: randomBytes(32).toString("base64url")
    }))
).pipe(Layer.provide(RealPostgres.layer))

layer(OnPostgres, { excludeTestServices: true })("A mass revocation", (it) => {
  it.effect("of a client stops its calls and keys, and proves that each token is dead", () =>
    Effect.gen(function*() {
      const { admin, call } = yield* TestServer
      const google = yield* playGoogle()
      const acme = yield* seed()
      const other = yield* seed()
      const expired = yield* acme.connect({ credentials: expiredGrant("expired") })
      const robot = yield* acme.connect({ auth_type: "service_account", credentials: keyFile })
      const apiKey = yield* acme.connect(bySitesearchKey)
      const derived = yield* deriveFor(other.client, acme.connection)
      const both = yield* admin.members.create({
        payload: { email: "both@example.com", client_ids: [acme.client.id, other.client.id] }
      })
      const kept = yield* admin.keys.create({ payload: { member_id: both.id, name: "kept" } })
      const ofOther = { ...sitesList, connection_id: other.connection.id }
      const webhook = yield* webhookFor("connection.revoked", "key.revoked")
      assert.strictEqual((yield* call(other.readOnly, ofOther)).status, 200)

      const started = yield* start({ client_id: acme.client.id, keys: true })
      assert.strictEqual(started.status, 202, started.text)
      const { id, keys_revoked }: { id: string; keys_revoked: number } = JSON.parse(started.text)
      assert.match(id, /^rev_/)
      assert.strictEqual(keys_revoked, 2)
      assertError(yield* call(acme.readOnly, sitesList), 401, "unauthenticated")
      const stopped = yield* call(kept.key, { ...sitesList, connection_id: acme.connection.id })
      assertError(stopped, 409, "connection_inactive")

      const revocation = yield* ended(id)
      const lines = new Map(revocation.connections.map(({ id, ...line }) => [id, line]))
      const dead = { at_provider: "revoked", verified: true, error: null, token_shared_with: [] } as const
      const untried = { at_provider: "unsupported", verified: null, error: null, token_shared_with: [] } as const
      for (const { id } of [acme.connection, expired]) assert.deepStrictEqual(lines.get(id), dead)
      for (const { id } of [robot, apiKey]) assert.deepStrictEqual(lines.get(id), untried)
      assert.deepStrictEqual(lines.get(derived.id), { ...untried, at_provider: null })
      assert.deepStrictEqual(revocation.counts, {
        connections: 5,
        pending: 0,
        revoked: 2,
        failed: 0,
        unsupported: 2,
        verified: 2
      })
      assert.deepStrictEqual(google.revoked, new Set([acme.name, "expired"]))
      assert.strictEqual((yield* call(other.readOnly, ofOther)).status, 200)
      const { keys } = yield* admin.keys.list({ query: { limit: 200 } })
      assert.isNull(keys.find(({ id }) => id === kept.id)?.revoked_at)

      const { entries } = yield* admin.audit.list({ query: { action: "connection.revoked", limit: 200 } })
      for (const id of lines.keys()) {
        const revocations = entries.filter(({ subject }) => subject.id === id)
        assert.deepStrictEqual(revocations.map(({ actor }) => actor.type), ["token"])
      }
      const [begun] = (yield* admin.audit.list({ query: { subject: id } })).entries
      assert.deepStrictEqual(begun?.details, { client_id: acme.client.id, connections: 5, keys_revoked: 2 })
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        (yield* messagesTo(webhook.id)).map(({ type }) => type).toSorted(),
        [...Array<string>(5).fill("connection.revoked"), ...Array<string>(2).fill("key.revoked")]
      )
      const stored = yield* sql`
        SELECT 1 FROM revocation_connections WHERE credentials IS NOT NULL OR encryption_key_id IS NOT NULL`
      assert.deepStrictEqual(stored, [])
      yield* admin.webhooks.delete({ params: { id: webhook.id } })
    }))

  it.effect("tries again, and says what failed in the end and which token still works", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const attempts = new Map<string, number>()
      const owner = yield* seed()
      const connect = (name: string) => owner.connect({ credentials: freshGrant(name) })
      const [flaky, down, alive] = yield* Effect.all([connect("flaky"), connect("down"), connect("alive")])
      yield* playGoogle((request, name) => {
        if (!request.url.startsWith("/googleRevoke")) return undefined
        const count = (attempts.get(name) ?? 0) + 1
        attempts.set(name, count)
        if (name === "alive") return { body: {} }
        return name === "down" || (name === "flaky" && count === 1)
          ? { status: 500, body: { error: "internal_failure" } }
          : undefined
      })
      const ids = [flaky.id, down.id, alive.id]
      const { id } = yield* admin.revocations.start({ payload: { connection_ids: ids } })
      const tried = yield* eventually(
        Effect.orDie(admin.revocations.get({ params: { id } })),
        ({ connections }) => connections.every(({ error }) => error !== null)
      )
      assert.deepStrictEqual([tried.status, tried.counts.pending, tried.counts.failed], ["running", 3, 0])
      // The attempts with longer pauses.
      yield* (yield* SqlClient.SqlClient)`
        UPDATE revocation_connections SET attempts = 4 WHERE revocation_id = ${id} AND connection_id <> ${flaky.id}`
      const { connections, counts } = yield* ended(id)
      const lineOf = (id: string) => connections.find((line) => line.id === id)
      assert.deepStrictEqual(lineOf(flaky.id), {
        id: flaky.id,
        at_provider: "revoked",
        verified: true,
        error: null,
        token_shared_with: []
      })
      const outcomes = [down.id, alive.id].map(lineOf)
      assert.deepStrictEqual(outcomes.map((line) => [line?.at_provider, line?.verified, line?.error?.code]), [
        ["failed", false, "upstream_error"],
        ["revoked", false, "token_accepted"]
      ])
      assert.deepStrictEqual([counts.revoked, counts.failed, counts.verified], [2, 1, 1])
    }))

  it.effect("keeps a token that another connection uses, until that one is revoked too", () =>
    Effect.gen(function*() {
      const google = yield* playGoogle()
      const owner = yield* seed()
      const shared = { credentials: freshGrant("shared") }
      const [first, second, third] = yield* Effect.all([
        owner.connect(shared),
        owner.connect({ ...shared, provider: "ga4" }),
        owner.connect({ ...shared, provider: "gsheets" })
      ])
      const { connections: [line] } = yield* revoke({ connection_ids: [first.id] })
      assert.deepStrictEqual([line?.at_provider, line?.verified, line?.error?.code], [null, null, "token_in_use"])
      assert.deepStrictEqual(google.revoked, new Set())

      const { connections } = yield* revoke({ connection_ids: [first.id, second.id, third.id] })
      const dead = { at_provider: "revoked", verified: true, error: null } as const
      assert.sameDeepMembers([...connections], [
        { id: first.id, at_provider: null, verified: null, error: null, token_shared_with: [] },
        { id: second.id, ...dead, token_shared_with: [third.id] },
        { id: third.id, ...dead, token_shared_with: [second.id] }
      ])
    }))

  it.effect("says that a token could not be revoked when its encryption key is missing", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      yield* playGoogle()
      const { connection } = yield* seed()
      yield* (yield* SqlClient.SqlClient)`
        UPDATE connections SET encryption_key_id = 'gone' WHERE id = ${connection.id}`
      const { id } = yield* admin.revocations.start({ payload: { connection_ids: [connection.id] } })
      const [line] = (yield* ended(id)).connections
      assert.deepStrictEqual([line?.at_provider, line?.error?.code], ["failed", "internal_error"])
    }))

  it.effect("has the tokens of connections that a revocation stopped before it failed, and no others again", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const google = yield* playGoogle()
      const owner = yield* seed()
      const revoked = yield* owner.connect({ credentials: freshGrant("before") })
      yield* admin.managedConnections.revoke({ params: { id: revoked.id } })
      yield* (yield* SqlClient.SqlClient)`
        UPDATE connections SET status = 'revoked' WHERE id = ${owner.connection.id}`
      const ofClient = revoke({ client_id: owner.client.id })
      assert.deepStrictEqual((yield* ofClient).connections, [
        { id: owner.connection.id, at_provider: "revoked", verified: true, error: null, token_shared_with: [] }
      ])
      assert.isTrue(google.revoked.has(owner.name))
      assert.deepStrictEqual((yield* ofClient).connections, [])
    }))

  it.effect("needs exactly one selector that exists, and revokes nothing otherwise", () =>
    Effect.gen(function*() {
      const { client, connection, readWrite: key, request } = yield* seededServer()
      const invalid = [
        [{}, ["client_id", "provider", "connection_ids", "all"]],
        [{ provider: "gsc", all: true }, ["provider", "all"]],
        [{ all: false }, ["all"]],
        [{ connection_ids: [] }, ["connection_ids"]],
        [{ provider: "gsc", keys: true }, ["keys"]]
      ] as const
      for (const [body, paths] of invalid) assert.deepStrictEqual(issuePaths(yield* start(body)), paths)
      assertError(yield* start({ client_id: "cli_none" }), 404, "client_not_found")
      assertError(yield* start({ provider: "none" }), 404, "provider_not_found")
      assertError(yield* start({ connection_ids: [connection.id, "con_none"] }), 404, "connection_not_found")
      assertError(yield* manage("GET", "/revocations/rev_none"), 404, "revocation_not_found")
      const refused = yield* request("POST", "/admin/v1/revocations", { key, body: { all: true } })
      assertError(refused, 401, "unauthenticated")
      assert.deepStrictEqual((yield* connectionsOf(client.id)).map(({ status }) => status), ["active"])
    }))

  it.effect("of all revokes every connection and key", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      yield* playGoogle()
      yield* seed()
      const { counts } = yield* revoke({ all: true, keys: true })
      assert.strictEqual(counts.revoked + counts.unsupported, counts.connections)
      const { connections } = yield* admin.managedConnections.list({ query: { status: "active" } })
      assert.deepStrictEqual(connections, [])
      const { keys } = yield* admin.keys.list({ query: { limit: 200 } })
      assert.isNotEmpty(keys)
      assert.deepStrictEqual(keys.filter(({ revoked_at }) => revoked_at === null), [])
    }))
})
