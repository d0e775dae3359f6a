import { assert, layer, type Vitest } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { StoredResponse } from "../../../src/Calls/CallResult.ts"
import { SecretHashes } from "../../../src/Calls/Log/SecretHashes.ts"
import { ConnectionRepo } from "../../../src/Connections/ConnectionRepo.ts"
import { CallId, type ClientId, MemberId } from "../../../src/Domain/Ids.ts"
import { newId } from "../../../src/Domain/NewId.ts"
import type { PageRequest } from "../../../src/Domain/Page.ts"
import { pendingData } from "../../../src/Features/ConnectLinks/Visits/PendingConnections.ts"
import { Idempotency, type KeyUse } from "../../../src/Features/Idempotency/Idempotency.ts"
import { hashBody } from "../../../src/Features/Idempotency/IdempotentWrite.ts"
import type { RotatedBatch } from "../../../src/Features/Rotation/Contract.ts"
import { Vault } from "../../../src/Secrets/Vault.ts"
import type { Database } from "../../../src/Sql/Database.ts"
import type { DataDir } from "../../../src/Sql/DataDir.ts"
import { Invalidation } from "../../../src/Sql/Notify/Invalidation.ts"
import { connectionStore } from "../../Sql/OtherInstance.ts"
import { errorIn } from "../../support/Answer.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { freshGrant, seed, TestServer } from "../../support/TestServer.ts"

const [k1, k2, k3] = ["k1", "k2", "k3"].map((id, i) => `${id}:${Buffer.alloc(32, i).toString("base64")}`)

const withKeys = (keys: string | undefined) =>
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ENCRYPTION_KEYS: keys })))

/** `vault` overrides methods of the instance's vault. */
const instance = (
  keys: string | undefined,
  vault: (vault: Vault["Service"]) => Partial<Vault["Service"]> = () => ({})
) =>
  ConnectionRepo.layer.pipe(
    Layer.provide(Layer.effect(Vault, Effect.map(Vault, (real) => Vault.of({ ...real, ...vault(real) })))),
    Layer.provide([Vault.layer, Invalidation.layerLocal]),
    withKeys(keys),
    Layer.fresh,
    Layer.build,
    Effect.flatMap((services) => Effect.provide(connectionStore, services))
  )

const withVault =
  <A, R, E, RIn>(service: Context.Key<A, R>, layer: Layer.Layer<A, E, RIn>) => (keys: string | undefined) =>
    Layer.fresh(layer).pipe(
      Layer.provide(Vault.layer),
      withKeys(keys),
      Layer.fresh,
      Layer.build,
      Effect.map((services) => Context.get(services, service))
    )

const idempotencyWith = withVault(Idempotency, Idempotency.layer)
const hashesWith = withVault(SecretHashes, SecretHashes.layer)
const vaultWith = withVault(Vault, Vault.layer)

const responseTo = ({ callId, key }: KeyUse) =>
  new StoredResponse({ callId, status: 200, retryAfter: undefined, body: `{"data":"${key}"}`, connectionId: null })

type Instance = Effect.Success<ReturnType<typeof instance>>

const store = (connections: Instance, name: string, clientId: ClientId | null = null) =>
  connections.create({
    provider: "gsc",
    authType: "oauth",
    credentials: Redacted.make(JSON.stringify(freshGrant(name))),
    clientId,
    label: name,
    externalAccount: null,
    scopes: []
  })

const refreshTokenWith = Effect.fnUntraced(function*(keys: string | undefined, { id }: { readonly id: string }) {
  const connections = yield* instance(keys)
  const connection = Option.getOrThrow(yield* connections.find(id))
  const { credentials } = Option.getOrThrow(yield* connections.credentials(connection.id))
  return credentials.type === "oauth" ? Redacted.value(credentials.oauth.refresh_token) : undefined
})

const rotateOverHttp = Effect.fnUntraced(function*(limit: number) {
  const { admin } = yield* TestServer
  const batches: Array<RotatedBatch> = []
  let query: PageRequest | undefined = { limit }
  while (query !== undefined) {
    const batch: RotatedBatch = yield* admin.encryption.rotate({ query })
    batches.push(batch)
    query = batch.cursor === null ? undefined : { limit, cursor: batch.cursor }
  }
  return batches
})

const emptied = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM connections`
  yield* sql`DELETE FROM authorizations`
  return { ...yield* TestServer, sql, upstream: yield* LoopbackUpstream }
})

const settings = { ENCRYPTION_KEYS: `${k2},${k1}` }

const OnServer = Layer.unwrap(Effect.gen(function*() {
  const { createDatabase } = yield* RealPostgres
  const url = Redacted.value(yield* createDatabase)
  return TestServer.make({ ...settings, DATABASE_URL: url, ADMIN_TOKEN: "the-operator".repeat(4) })
})).pipe(Layer.provide(RealPostgres.layer))

const rotating = (
  it: Vitest.MethodsNonLive<TestServer | LoopbackUpstream | SqlClient.SqlClient | Database | DataDir>
) => {
  it.effect("re-encrypts in batches, after which nothing opens with the old key", () =>
    Effect.gen(function*() {
      const { admin, upstream } = yield* emptied
      upstream.handle(() => ({}))
      const before = yield* instance(k1)
      const stored = yield* Effect.forEach(["a", "b", "c", "d", "e"], (name) => store(before, name))
      yield* admin.managedConnections.revoke({ params: { id: (yield* store(before, "revoked")).id } })
      const { key_id, others } = yield* admin.encryption.read()
      assert.strictEqual(key_id, "k2")
      assert.deepInclude(others.find((other) => other.key_id === "k1"), { configured: true, connections: 5 })

      const batches = yield* rotateOverHttp(2)
      assert.deepStrictEqual(batches.map(({ rotated }) => rotated), [2, 2, 1])
      assert.deepStrictEqual(batches.map(({ remaining }) => remaining), [3, 1, 0])
      assert.deepInclude(batches.at(-1), { key_id: "k2", failed: [], cursor: null })
      assert.deepStrictEqual((yield* admin.encryption.read()).others, [
        { key_id: "k1", configured: true, connections: 0, other_data: 0 }
      ])
      for (const connection of stored) {
        assert.strictEqual(yield* refreshTokenWith(k2, connection), freshGrant(connection.label).refresh_token)
        const withOld = yield* Effect.exit(refreshTokenWith(k1, connection))
        assert.include(String(withOld), `${connection.id} is encrypted with key`)
      }
    }))

  it.effect.each([
    ["id", "con_00000000000000000000000000"],
    ["provider", "gsheets"],
    ["client_id", "cli_00000000000000000000000000"],
    ["auth_type", "api_key"]
  ])("credentials do not open in a row with another %s", ([column, value]) =>
    Effect.gen(function*() {
      const { sql } = yield* emptied
      const { id } = yield* store(yield* instance(k2), "moved")
      yield* sql`UPDATE connections SET ${sql(column ?? "")} = ${value} WHERE id = ${id}`
      const moved = { id: column === "id" ? `${value}` : id }
      assert.include(String(yield* Effect.exit(refreshTokenWith(k2, moved))), "cannot be decrypted")
    }))

  it.effect("loses no tokens that are refreshed between its read and its write, or during it", () =>
    Effect.gen(function*() {
      yield* emptied
      const before = yield* instance(k1)
      const raced = yield* store(before, "raced")
      // An instance with the old key saves it, so only the version shows the change.
      const refresh = before.saveTokens(
        raced.id,
        1,
        Redacted.make(JSON.stringify({ refresh_token: "1//of-the-refresh" }))
      )
      const connections = yield* instance(
        `${k2},${k1}`,
        ({ decrypt }) => ({ decrypt: (...args) => Effect.andThen(refresh, decrypt(...args)) })
      )
      assert.deepInclude(yield* connections.reEncryption.reEncrypt({}), { rotated: 0, failed: [] })
      assert.deepStrictEqual([...yield* connections.reEncryption.remaining], [["k1", 1]])
      assert.strictEqual(yield* refreshTokenWith(k1, raced), "1//of-the-refresh")
      assert.deepStrictEqual((yield* rotateOverHttp(10)).map(({ rotated }) => rotated), [1])
      assert.strictEqual(yield* refreshTokenWith(k2, raced), "1//of-the-refresh")

      // A refresh that began before the rotation saves its tokens after it.
      const refreshing = yield* store(before, "refreshing")
      yield* rotateOverHttp(10)
      yield* before.saveTokens(refreshing.id, 1, Redacted.make(JSON.stringify({ refresh_token: "1//later" })))
      assert.strictEqual(yield* refreshTokenWith(k1, refreshing), "1//later")
    }))

  it.effect("reports connections that do not open, with their key, and continues", () =>
    Effect.gen(function*() {
      const { sql } = yield* emptied
      const before = yield* instance(k1)
      const good = yield* store(before, "good")
      const lost = yield* store(yield* instance(k3), "lost")
      const damaged = yield* store(before, "damaged")
      yield* sql`UPDATE connections SET credentials = ${Buffer.alloc(40)} WHERE id = ${damaged.id}`

      const batches = yield* rotateOverHttp(1)
      assert.deepStrictEqual(batches.flatMap(({ failed }) => failed), [
        {
          connection_id: damaged.id,
          encryption_key_id: "k1",
          reason: `${damaged.id} cannot be decrypted with its key "k1"`
        },
        {
          connection_id: lost.id,
          encryption_key_id: "k3",
          reason: `${lost.id} is encrypted with key "k3", which is not in ENCRYPTION_KEYS`
        }
      ])
      assert.deepInclude(batches.at(-1), { rotated: 1, remaining: 2 })
      assert.strictEqual(yield* refreshTokenWith(k2, good), freshGrant("good").refresh_token)
    }))

  it.effect("without the key of a connection, a call says so, and revoking it works", () =>
    Effect.gen(function*() {
      const { admin, call, upstream } = yield* emptied
      upstream.handle(() => ({ body: { siteEntry: [] } }))
      const { client, readOnly } = yield* seed()
      const { id } = yield* store(yield* instance(k3), "lost", client.id)
      for (const more of [{}, { max_age: 60 }]) {
        const response = yield* call(readOnly, { provider: "gsc", endpoint: "sites.list", connection_id: id, ...more })
        assert.strictEqual(response.status, 500)
        assert.deepInclude(errorIn(response), {
          code: "internal_error",
          message: "The service lacks the connection's encryption key. Retrying does not help. Ask its operator to " +
            "restore the key, or reconnect the connection."
        })
      }
      assert.deepStrictEqual(upstream.requests, [])
      yield* admin.managedConnections.revoke({ params: { id } })
    }))

  it.effect("re-encrypts pending sign-ins and deletes expired ones", () =>
    Effect.gen(function*() {
      const { admin, request, sql, upstream } = yield* emptied
      upstream.handle(({ url }) =>
        url.startsWith("/googleToken")
          ? { body: { access_token: "ya29.signed-in", expires_in: 3600, refresh_token: "1//signed-in" } }
          : { body: { email: "owner@example.com" } }
      )
      const { authorize_url } = yield* admin.connect.start({ payload: { provider: "gsc", label: "signing in" } })
      const { bytes } = (yield* vaultWith(k1)).encrypt("gsc", Redacted.make("the code verifier"))
      yield* sql`UPDATE authorizations SET code_verifier = ${bytes}, encryption_key_id = 'k1'`
      yield* sql`
        INSERT INTO authorizations
          (state_hash, provider, label, scopes, code_verifier, encryption_key_id, created_at, actor_type)
        VALUES ('\\x00', 'gsc', 'late', '{}', ${bytes}, 'k9', now() - interval '11 minutes', 'token')`

      assert.deepInclude((yield* rotateOverHttp(10))[0], { rotated: 1, remaining: 0, failed: [] })
      const rows = yield* sql`SELECT encryption_key_id FROM authorizations`
      assert.deepStrictEqual(rows, [{ encryption_key_id: "k2" }])

      const state = new URL(authorize_url).searchParams.get("state")
      const finished = yield* request("GET", `/connect/callback?state=${state}&code=granted`)
      assert.strictEqual(finished.status, 200)
      const exchange = upstream.requests.find(({ url }) => url.startsWith("/googleToken"))
      assert.strictEqual(new URLSearchParams(exchange?.body).get("code_verifier"), "the code verifier")
    }))

  it.effect("re-encrypts stored responses, and drops cached responses of the old key", () =>
    Effect.gen(function*() {
      const { sql } = yield* emptied
      const [before, after] = [yield* idempotencyWith(k1), yield* idempotencyWith(k2)]
      const memberId = MemberId.make(yield* newId("mem"))
      const uses = yield* Effect.forEach(["a", "b", "c", "d", "e"], (key) =>
        Effect.map(newId("call"), (id) => ({ memberId, key, bodyHash: hashBody(key), callId: CallId.make(id) })))
      for (const use of uses) {
        yield* before.claim(use)
        yield* before.keep(use, responseTo(use))
      }
      const repeat = (use: KeyUse) =>
        Effect.result(after.claim({ ...use, callId: CallId.make(`call_${"0".repeat(26)}`) }))
      const [first = assert.fail()] = uses
      const lost = yield* repeat(first)
      assert.deepStrictEqual(Result.isFailure(lost) && lost.failure.code, "outcome_unknown")
      yield* sql`
        INSERT INTO responses (connection_id, request_hash, encrypted_body, encryption_key_id, body_hash, created_at)
        VALUES ('con_a', '\\x00', '\\x00', 'k1', 'x', now()), ('con_b', '\\x00', '\\x00', 'k2', 'x', now())`

      yield* store(yield* instance(k1), "of a connection")
      const batches = yield* rotateOverHttp(2)
      assert.deepStrictEqual(
        batches.map(({ rotated }) =>
          rotated
        ),
        [3, 2, 1]
      )
      assert.deepStrictEqual(batches.map(({ remaining }) => remaining), [3, 1, 0])
      for (const use of uses) {
        assert.deepStrictEqual(yield* repeat(use), Result.succeed(Option.some(responseTo(use))))
      }
      const left = yield* sql`SELECT connection_id FROM responses WHERE connection_id IN ('con_a', 'con_b')`
      assert.deepStrictEqual(left, [{ connection_id: "con_b" }])
    }))

  it.effect("leaves calls to be found by a leaked secret, with the new key and with no other one", () =>
    Effect.gen(function*() {
      const { sql } = yield* emptied
      yield* sql`DELETE FROM log_keys WHERE day IS NULL`
      const stored = (yield* hashesWith(k1)).ofRemoved(["canary-0123456789"])
      const search = (keys: string | undefined) =>
        Effect.flatMap(hashesWith(keys), ({ ofSearched }) => ofSearched(" canary-0123456789\n"))
      assert.deepStrictEqual<unknown>(yield* search(`${k2},${k1}`), [stored])
      assert.deepStrictEqual((yield* rotateOverHttp(200)).map(({ rotated }) => rotated), [1])
      assert.deepStrictEqual<unknown>(yield* search(k2), [stored])
      assert.notInclude(yield* search(k3), `${stored}`)
      yield* sql`DELETE FROM log_keys WHERE encryption_key_id = 'k3'`
      assert.deepStrictEqual<unknown>(yield* search(k2), [stored])
    }))

  it.effect("re-encrypts what people confirm at links, tokens to revoke, secrets of webhooks and events, in batches", () =>
    Effect.gen(function*() {
      const { sql } = yield* emptied
      yield* sql`DELETE FROM pending_connections`
      const [before, after] = [yield* vaultWith(k1), yield* vaultWith(k2)]
      const link = { linkId: "lnk_x", provider: "gsc" }
      const dataOf = (id: string) => id.startsWith("pen_") ? pendingData({ id, ...link }) : undefined
      const insert = (id: string, bytes: Uint8Array) => {
        switch (id.slice(0, 3)) {
          case "pen":
            return sql`INSERT INTO pending_connections
              (id, link_id, browser_hash, provider, auth_type, scopes, credentials, encryption_key_id, created_at)
              VALUES (${id}, ${link.linkId}, '\\x00', ${link.provider}, 'oauth', '{}', ${bytes}, 'k1', now())`
          case "rvc":
            return sql`INSERT INTO revocation_connections
              (id, revocation_id, connection_id, provider, credentials, encryption_key_id, announced, due_at)
              VALUES (${id}, 'rev_1', 'con_' || substr(${id}, 5), 'gsc', ${bytes}, 'k1', true, now() + interval '1 h')`
          case "whk":
            return sql`INSERT INTO webhooks (id, url, events, enabled, secret, encryption_key_id, created_at)
              VALUES (${id}, 'https://hooks.invalid/', '{}', true, ${bytes}, 'k1', now())`
          default:
            return sql`INSERT INTO events (id, type, body, sealed_body, encryption_key_id)
              VALUES (${id}, 'connection.expired', '{}', ${bytes}, 'k1')`
        }
      }
      const prefixes = ["evt", "evt", "evt", "pen", "rvc", "rvc", "rvc", "whk", "whk"] as const
      const ids = (yield* Effect.forEach(prefixes, newId)).toSorted()
      for (const id of ids) {
        yield* insert(id, before.encrypt(id, Redacted.make(`secret of ${id}`), dataOf(id)).bytes)
      }
      const batches = yield* rotateOverHttp(2)
      assert.deepStrictEqual(batches.map(({ remaining, rotated }) => [rotated, remaining]), [[3, 6], [5, 1], [1, 0]])
      const stored = yield* sql<{ readonly id: string; readonly bytes: Uint8Array; readonly encryptionKeyId: string }>`
        SELECT id, credentials AS bytes, encryption_key_id AS "encryptionKeyId" FROM pending_connections
        UNION ALL SELECT id, credentials, encryption_key_id FROM revocation_connections
        UNION ALL SELECT id, secret, encryption_key_id FROM webhooks
        UNION ALL SELECT id, sealed_body, encryption_key_id FROM events ORDER BY id`
      assert.deepStrictEqual(
        stored.map(({ encryptionKeyId, id }) => [id, encryptionKeyId]),
        ids.map((id) => [id, "k2"])
      )
      for (const { id, ...encrypted } of stored) {
        const secret = yield* after.decrypt(id, encrypted, dataOf(id))
        assert.strictEqual(Redacted.value(secret), `secret of ${id}`)
      }
      yield* sql`DELETE FROM revocation_connections`
    }))
}

const live = { excludeTestServices: true }
layer(TestServer.make(settings), live)("rotating the encryption key, on the embedded database", rotating)
layer(OnServer, live)("rotating the encryption key, on a Postgres server", rotating)
