import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { generateKeyPairSync } from "node:crypto"
import {
  type ConnectionChange,
  type ConnectionFilter,
  ManagedConnection,
  type NewCredentials
} from "../../src/Domain/Connection.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { assertFails } from "../support/ApiClient.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { keyFile, pem, publicKey } from "../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { answering, manage, noSites, seededServer, sitesList, timestamp } from "./Fixture.ts"

const decodeConnection = Schema.decodeUnknownSync(Schema.toEncoded(ManagedConnection), { onExcessProperty: "error" })

const newConnection = { provider: "gsc", auth_type: "oauth", credentials: freshGrant("new"), label: "Acme" } as const

const create = (more: object) => manage("POST", "/connections", { ...newConnection, ...more })

layer(TestServer.layer, { excludeTestServices: true })("The management API", (it) => {
  it.effect("creates connections and lists them by provider, client and status, without credentials", () =>
    Effect.gen(function*() {
      yield* answering(() => ({ body: {} }))
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme" } })
      const scopes = ["https://www.googleapis.com/auth/webmasters.readonly"]
      const created = yield* manage("POST", "/connections", {
        ...newConnection,
        client_id: client.id,
        external_account: "jane@example.com",
        scopes
      })
      assert.strictEqual(created.status, 201)
      const { created_at, id, ...rest } = decodeConnection(created.json)
      assert.match(id, /^con_/)
      assert.match(created_at, timestamp)
      assert.deepStrictEqual(rest, {
        provider: "gsc",
        auth_type: "oauth",
        label: "Acme",
        client_id: client.id,
        external_account: "jane@example.com",
        scopes,
        status: "active",
        last_error: null,
        health: { state: "ok", reasons: [] },
        resources: null,
        parent_id: null,
        last_used_at: null
      })
      const revoked = yield* admin.managedConnections.create({ payload: { ...newConnection, client_id: client.id } })
      yield* admin.managedConnections.revoke({ params: { id: revoked.id } })
      const list = Effect.fnUntraced(function*(filter: ConnectionFilter) {
        const [{ connections }, response] = yield* admin.managedConnections.list({
          query: { client_id: client.id, ...filter },
          responseMode: "decoded-and-response"
        })
        assert.notMatch(yield* response.text, /ya29|1\/\/|credentials/)
        return connections.map((connection): string => connection.id)
      })
      assert.deepStrictEqual(yield* list({}), [revoked.id, id])
      assert.deepStrictEqual(yield* list({ status: "active" }), [id])
      assert.deepStrictEqual(yield* list({ status: "revoked", provider: "gsc" }), [revoked.id])
      for (const filter of [{ provider: "ga4" }, { provider: "\0" }, { client_id: "x" }]) {
        assert.deepStrictEqual(yield* list(filter), [])
      }
      assert.deepStrictEqual(issuePaths(yield* manage("GET", "/connections?status=gone")), ["status"])
    }))

  it.effect("rejects a connection with an unknown provider or client, or with credentials of another form", () =>
    Effect.gen(function*() {
      assertError(yield* create({ provider: "x" }), 404, "provider_not_found")
      assertError(yield* create({ client_id: "cli_x" }), 404, "client_not_found")
      const refused: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [{ auth_type: "basic" }, ["auth_type"]],
        [{ auth_type: "api_key", credentials: { api_key: "x" } }, ["auth_type"]],
        [{ provider: "sitesearch", auth_type: "service_account", credentials: keyFile }, ["auth_type"]],
        [{ label: " " }, ["label"]],
        [{ scopes: ["a b", ""] }, ["scopes.0", "scopes.1"]],
        [{ credentials: "x" }, ["credentials"]],
        [{ credentials: {} }, ["credentials.refresh_token"]],
        [{ credentials: { refresh_token: "" } }, ["credentials.refresh_token"]],
        [{ credentials: { ...freshGrant("x"), expires_at: "soon", token: "x" } }, [
          "credentials.token",
          "credentials.expires_at"
        ]],
        [{ credentials: { ...freshGrant("x"), expires_at: "2026-02-30T00:00:00Z" } }, ["credentials.expires_at"]],
        [{ auth_type: "service_account", credentials: { type: "authorized_user" } }, [
          "credentials.type",
          "credentials.client_email",
          "credentials.private_key"
        ]],
        [{ provider: "sitesearch", auth_type: "api_key", credentials: { api_key: "" } }, ["credentials.api_key"]]
      ]
      for (const [more, paths] of refused) {
        const answer = yield* create(more)
        assert.deepStrictEqual(new Set(issuePaths(answer)), new Set(paths), JSON.stringify(more))
      }
      const secret = yield* create({ credentials: { refresh_token: ["1//canary-0123456789"] } })
      assert.notInclude(secret.text, "canary")
    }))

  it.effect("lists every mistake of a new connection", () =>
    Effect.gen(function*() {
      const missing = ["provider", "auth_type", "credentials"]
      assert.deepStrictEqual(issuePaths(yield* manage("POST", "/connections", {})), ["label", ...missing])
      assert.deepStrictEqual(
        issuePaths(yield* create({ label: "", credentials: {}, resources: ["ga4:properties/1"] })),
        ["label", "credentials.refresh_token", "resources.0"]
      )
      const derived = { parent_id: "con_x", provider: "gsc", test: true }
      assert.deepStrictEqual(issuePaths(yield* manage("POST", "/connections", derived)), ["label", "provider", "test"])
      const signIn = yield* manage("POST", "/connect", { scopes: [] })
      assert.deepStrictEqual(issuePaths(signIn), ["scopes", "provider", "label"])
    }))

  it.effect("keeps an expired connection inactive until new credentials reactivate it under the same id", () =>
    Effect.gen(function*() {
      const { admin, connection, reader, upstream } = yield* seededServer(
        () => ({ status: 400, body: { error: "invalid_grant" } }),
        { credentials: expiredGrant("lost") }
      )
      yield* assertFails(reader.call.call({ payload: sitesList }), "credentials_expired")
      const named = { ...sitesList, connection_id: connection.id }
      yield* assertFails(reader.call.call({ payload: named }), "connection_inactive")
      const { connections: [listed] } = yield* reader.connections.list({ query: {} })
      assert.strictEqual(listed?.last_error?.code, "credentials_expired")
      const { entries: [expired] } = yield* admin.audit.list({ query: { subject: connection.id } })
      assert.deepInclude(expired, { action: "connection.expired", actor: { type: "system", member_id: null } })
      const put = (body: unknown) => manage("PUT", `/connections/${connection.id}/credentials`, body)
      assert.deepStrictEqual(issuePaths(yield* put({ credentials: {} })), ["credentials.refresh_token"])
      assert.deepStrictEqual(issuePaths(yield* put({ credentials: {}, auth_type: "api_key" })), ["auth_type"])
      const params = { id: connection.id }
      const payload = { credentials: freshGrant("found") }
      const reconnected = yield* admin.managedConnections.reconnect({ params, payload })
      assert.deepStrictEqual({ ...reconnected, last_used_at: null }, connection)
      upstream.handle(() => ({ body: {} }))
      assert.strictEqual((yield* reader.call.call({ payload: sitesList })).connection_id, connection.id)
      assert.strictEqual(upstream.requests[0]?.headers.authorization, "Bearer ya29.access-found-0123456789")
      yield* assertFails(
        admin.managedConnections.reconnect({ params: { id: "con_x" }, payload }),
        "connection_not_found"
      )
    }))

  it.effect("shows the account of the new credentials, where they or the operator name it", () =>
    Effect.gen(function*() {
      const { admin, connection: { id } } = yield* seededServer(undefined, { external_account: "first@example.com" })
      const accountAfter = (payload: NewCredentials) =>
        Effect.map(
          admin.managedConnections.reconnect({ params: { id }, payload }),
          ({ external_account }) => external_account
        )
      const credentials = freshGrant("again")
      const robot = { ...keyFile, client_email: "other@a-project.iam.gserviceaccount.com" }
      const accounts: ReadonlyArray<readonly [NewCredentials, string | null]> = [
        [{ credentials }, null],
        [{ credentials, external_account: "second@example.com" }, "second@example.com"],
        [{ credentials: robot, auth_type: "service_account" }, robot.client_email],
        [{ credentials: keyFile }, keyFile.client_email],
        [{ credentials, auth_type: "oauth" }, null]
      ]
      for (const [payload, account] of accounts) assert.strictEqual(yield* accountAfter(payload), account)
    }))

  it.effect("gives a connection another name and another client, whose members use it from then on", () =>
    Effect.gen(function*() {
      const { admin, call, client: before, connection: { id, ...made }, readOnly: old } = yield* seededServer(noSites)
      const { client, readOnly } = yield* seed()
      const params = { id }
      const link = yield* admin.connectLinks.create({ payload: { connection_id: id } })
      const request = { ...sitesList, connection_id: id }
      assert.strictEqual((yield* call(old, request)).status, 200)

      const change = (payload: ConnectionChange) => admin.managedConnections.change({ params, payload })
      const renamed = yield* change({ label: "renamed" })
      assert.deepStrictEqual(renamed, { ...renamed, ...made, label: "renamed", last_used_at: renamed.last_used_at })
      const linkStatus = Effect.map(
        admin.connectLinks.list({ query: {} }),
        ({ connect_links }) => connect_links.find(({ id }) => id === link.id)?.status
      )
      assert.strictEqual(yield* linkStatus, "open")

      assert.strictEqual((yield* change({ client_id: client.id })).client_id, client.id)
      assert.strictEqual((yield* call(readOnly, request)).status, 200)
      assertError(yield* call(old, request), 404, "connection_not_found")
      assert.strictEqual(yield* linkStatus, "ended")
      assert.deepInclude(yield* change({ client_id: null, label: "ours" }), { client_id: null, label: "ours" })
      yield* assertFails(change({ client_id: "cli_x" }), "client_not_found")
      yield* assertFails(
        admin.managedConnections.change({ params: { id: "con_x" }, payload: {} }),
        "connection_not_found"
      )

      const { entries } = yield* admin.audit.list({ query: { subject: id, action: "connection.changed" } })
      assert.deepStrictEqual(entries.map(({ details }) => details), [
        { label: { from: "renamed", to: "ours" }, client_id: { from: client.id, to: null } },
        { client_id: { from: before.id, to: client.id } },
        { label: { from: made.label, to: "renamed" } }
      ])
    }))

  it.effect.each([
    ["text that is no key", "-----BEGIN PRIVATE KEY-----\nnot a key\n-----END PRIVATE KEY-----\n"],
    ["a public key", publicKey.export({ type: "spki", format: "pem" }).toString()],
    ["a key of another kind", pem(generateKeyPairSync("ed25519"))],
    ["a key that is too short", pem(generateKeyPairSync("rsa", { modulusLength: 1024 }))]
  ])("refuses a service account file with %s as private_key", ([, private_key = ""]) =>
    Effect.gen(function*() {
      const { connection } = yield* seed()
      const credentials = { ...keyFile, private_key }
      const robot = { auth_type: "service_account", credentials }
      const answers = [yield* create(robot), yield* manage("PUT", `/connections/${connection.id}/credentials`, robot)]
      for (const answer of answers) {
        assert.deepStrictEqual(issuePaths(answer), ["credentials.private_key"])
        assert.notInclude(answer.text, "BEGIN")
      }
    }))

  it.effect("revokes a connection also at the provider, whatever the provider answers", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const replies = [{ body: {} }, { status: 503, body: {} }, { status: 400, body: { error: "invalid_token" } }]
      for (const reply of replies) {
        const { connection, name, reader } = yield* seed()
        const params = { id: connection.id }
        upstream.handle(() => reply)
        const revoked = yield* admin.managedConnections.revoke({ params })
        assert.deepStrictEqual(revoked, { ...connection, status: "revoked" })
        assert.deepStrictEqual(upstream.requests.map(({ body, method, url }) => ({ body, method, url })), [{
          method: "POST",
          url: "/googleRevoke",
          body: new URLSearchParams({ token: freshGrant(name).refresh_token }).toString()
        }])
        yield* assertFails(reader.call.call({ payload: sitesList }), "connection_not_found")
        assert.strictEqual((yield* admin.managedConnections.revoke({ params })).status, "revoked")
        assert.strictEqual(upstream.requests.length, 1)
        yield* admin.managedConnections.reconnect({ params, payload: { credentials: freshGrant(name) } })
        upstream.handle(() => ({ body: {} }))
        yield* reader.call.call({ payload: sitesList })
      }
      yield* assertFails(admin.managedConnections.revoke({ params: { id: "con_x" } }), "connection_not_found")
    }))
})
