import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import type { ManageArea } from "../../src/Domain/Request/ManagementScope.ts"
import { type Feature, FeatureSend } from "../../src/Features/Feature.ts"
import { features } from "../../src/Features/Features.ts"
import { assertError, errorIn } from "../support/Answer.ts"
import { apiRoutes } from "../support/ApiRoutes.ts"
import { newGrant } from "../support/NewGrant.ts"
import { type SignedIn, signedIn } from "../support/SignedIn.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { clearRange, seededServer } from "./Fixture.ts"

const managed = apiRoutes.filter(({ path }) => path.startsWith("/admin/v1"))

const paths = {
  GET: "clients keys grants grants/:id connections connect-links datasets datasets/:id datasets/:id/days " +
    "datasets/:id/files datasets/:id/files/:name datasets/:id/files/:folder/:name",
  POST: "keys connections connections/:id/test connect connect-links datasets",
  PUT: "connections/:id/credentials",
  PATCH: "keys/:id grants/:id datasets/:id",
  DELETE: "keys/:id grants/:id connect-links/:id datasets/:id"
}
const ofMembers = Object.entries(paths).flatMap(([method, text]) =>
  text.split(" ").map((path) => `${method} /admin/v1/${path}`)
)

const areas = { "connections": "connections", "connect-links": "connect_links", "webhooks": "webhooks" } as const
const areaOf = (path: string): ManageArea | undefined =>
  Object.entries(areas).find(([segment]) => path.split("/")[3] === segment)?.[1]

let owners = 0

const keyOf = Effect.fnUntraced(function*(
  client_ids: ReadonlyArray<string> | null,
  ...manage: ReadonlyArray<ManageArea>
) {
  const { admin } = yield* TestServer
  const member = yield* admin.members.create({ payload: { email: `server-${++owners}@example.com`, client_ids } })
  return yield* admin.keys.create({ payload: { member_id: member.id, name: "server", manage } })
})

/** Not JSON, so that an accepted request changes nothing. */
const withoutEffect = (method: string) => method === "GET" || method === "DELETE" ? {} : { rawBody: "not JSON" }

layer(TestServer.layer, { excludeTestServices: true })("Rights in the management API", (it) => {
  it("need the admin token or a session on every route", () => {
    assert.includeMembers(managed.map(({ name }) => name), ofMembers)
    for (const { name, path, schemes } of managed) {
      const expected = areaOf(path) === undefined ? ["adminToken", "session"] : ["adminToken", "apiKey", "session"]
      assert.deepStrictEqual(schemes, expected, name)
    }
  })

  it.effect("hold for every route and role", () =>
    Effect.gen(function*() {
      const { readWrite, server } = yield* seededServer()
      const admin = yield* signedIn({ role: "admin" })
      const { token } = yield* newGrant({ memberId: admin.member.id, access: "read_write" })
      const member = yield* signedIn()
      for (const { method, name, path } of managed) {
        const ask = (who: SignedIn) => who.request(method, path, withoutEffect(method))
        assert.notInclude([401, 403], (yield* ask(admin)).status, name)
        const answer = yield* ask(member)
        if (ofMembers.includes(name)) assert.notInclude([401, 403], answer.status, name)
        else assertError(answer, 403, "forbidden")
        for (const key of [undefined, readWrite, token]) {
          assertError(yield* server.request(method, path, { key, ...withoutEffect(method) }), 401, "unauthenticated")
        }
      }
    }))

  it.effect("of a key are exactly the paths that its `manage` lists", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      for (const area of Object.values(areas)) {
        const { key } = yield* keyOf(null, area)
        for (const { method, name, path } of managed) {
          const answer = yield* request(method, path, { key, ...withoutEffect(method) })
          if (areaOf(path) === area) assert.notInclude([401, 403], answer.status, name)
          else assertError(answer, 401, "unauthenticated")
        }
      }
    }))

  it.effect("of a key stay within its member's clients, and the audit has the key and its member", () =>
    Effect.gen(function*() {
      const { admin, client, connection, request } = yield* seededServer()
      const { connection: other } = yield* seed()
      const { id, key, member_id } = yield* keyOf([client.id], "connections", "connect_links")
      const ask = (method: string, path: string, body?: object) =>
        request(method, `/admin/v1${path}`, { key, ...(body && { body }) })

      const { text } = yield* ask("GET", "/connections?limit=200")
      assert.include(text, connection.id)
      assert.notInclude(text, other.id)
      const stored = { provider: "gsc", auth_type: "oauth", label: "x", credentials: freshGrant(`by-${id}`) }
      assert.strictEqual((yield* ask("POST", "/connections", { ...stored, client_id: client.id })).status, 201)
      const elsewhere = { ...stored, client_id: other.client_id }
      assertError(yield* ask("POST", "/connections", elsewhere), 404, "client_not_found")
      assertError(yield* ask("POST", "/connections", stored), 403, "forbidden")
      assertError(yield* ask("DELETE", `/connections/${other.id}`), 404, "connection_not_found")
      assert.strictEqual((yield* ask("POST", "/connect-links", { client_id: client.id })).status, 201)
      assertError(yield* ask("POST", "/connect-links", { client_id: other.client_id }), 404, "client_not_found")
      assert.strictEqual((yield* ask("DELETE", `/connections/${connection.id}`)).status, 200)

      const { entries } = yield* admin.audit.list({ query: { actor: id } })
      assert.deepStrictEqual(entries.map(({ action, actor }) => [action, actor]), [
        ["connection.revoked", { type: "key", member_id, key_id: id }],
        ["link.created", { type: "key", member_id, key_id: id }],
        ["connection.created", { type: "key", member_id, key_id: id }]
      ])
      yield* admin.members.change({ params: { id: member_id }, payload: { client_ids: [] } })
      assertError(yield* ask("DELETE", `/connections/${connection.id}`), 404, "connection_not_found")
    }))

  it.effect("that an admin or the member takes from a key, or a new limit of its member, end immediately", () =>
    Effect.gen(function*() {
      const { admin, request } = yield* TestServer
      const { id, key, member_id } = yield* keyOf(null, "webhooks", "connect_links")
      const list = (path: string) => request("GET", `/admin/v1/${path}`, { key })
      assert.strictEqual((yield* list("webhooks")).status, 200)
      yield* admin.members.change({ params: { id: member_id }, payload: { client_ids: [] } })
      assertError(yield* list("webhooks"), 401, "unauthenticated")
      assert.strictEqual((yield* list("connect-links")).status, 200)
      yield* admin.keys.change({ params: { id }, payload: { manage: [] } })
      assertError(yield* list("connect-links"), 401, "unauthenticated")
    }))

  it.effect("that a member gives its own key are those of the member", () =>
    Effect.gen(function*() {
      const { admin, client, connection, request } = yield* seededServer()
      const ada = yield* signedIn({ client_ids: [client.id] })
      const make = (manage: ReadonlyArray<string>) =>
        ada.request("POST", "/admin/v1/keys", { body: { member_id: ada.member.id, name: "mine", manage } })
      assertError(yield* make(["webhooks"]), 403, "forbidden")
      const { json } = yield* make(["connections"])
      const { id, key } = Object(json)
      const revoke = request("DELETE", `/admin/v1/connections/${connection.id}`, { key })
      assert.strictEqual((yield* request("GET", "/admin/v1/connections", { key })).status, 200)
      assertError(yield* revoke, 401, "unauthenticated")
      const change = (manage: ReadonlyArray<string>) =>
        ada.request("PATCH", `/admin/v1/keys/${id}`, { body: { name: "renamed", manage } })
      assertError(yield* change(["connections", "webhooks"]), 403, "forbidden")
      yield* admin.keys.change({ params: { id }, payload: { manage: ["connections"] } })
      // Saving what the key has leaves it as it was.
      assert.strictEqual((yield* change(["connections"])).status, 200)
      assert.strictEqual((yield* revoke).status, 200)
    }))

  it.effect("of an admin's key are those of a member when the admin becomes one", () =>
    Effect.gen(function*() {
      const { admin, connection, request } = yield* seededServer()
      yield* signedIn({ role: "admin" })
      const { member: { id: member_id } } = yield* signedIn({ role: "admin" })
      const manage = ["connections", "webhooks"] as const
      const { id, key } = yield* admin.keys.create({ payload: { member_id, name: "mine", manage } })
      const ask = (method: string, path: string) => request(method, `/admin/v1/${path}`, { key })
      assert.strictEqual((yield* ask("GET", "webhooks")).status, 200)
      yield* admin.members.change({ params: { id: member_id }, payload: { role: "member", client_ids: null } })
      assertError(yield* ask("GET", "webhooks"), 401, "unauthenticated")
      assertError(yield* ask("DELETE", `connections/${connection.id}`), 401, "unauthenticated")
      assert.strictEqual((yield* ask("GET", "connections")).status, 200)
      yield* admin.keys.change({ params: { id }, payload: { manage } })
      assert.strictEqual((yield* ask("GET", "webhooks")).status, 200)
    }))

  it.effect("a member makes, lists and revokes its own keys, and no others exist for it", () =>
    Effect.gen(function*() {
      const { admin, member: other } = yield* seededServer()
      const ada = yield* signedIn()
      const created = yield* ada.request("POST", "/admin/v1/keys", { body: { member_id: ada.member.id, name: "mine" } })
      assert.strictEqual(created.status, 201)
      const { id, key: _, ...mine } = Object(created.json)
      const theirs = yield* admin.keys.create({ payload: { member_id: other.id, name: "theirs" } })
      const { json } = yield* ada.request("GET", "/admin/v1/keys?limit=200")
      assert.deepStrictEqual(json, { keys: [{ id, ...mine }], cursor: null })

      assert.strictEqual((yield* ada.request("DELETE", `/admin/v1/keys/${id}`)).status, 200)
      for (const id of [theirs.id, "key_x"]) {
        assertError(yield* ada.request("DELETE", `/admin/v1/keys/${id}`), 404, "key_not_found")
      }
      for (const member_id of [other.id, "mem_x"]) {
        const refused = yield* ada.request("POST", "/admin/v1/keys", { body: { member_id, name: "x" } })
        assertError(refused, 404, "member_not_found")
      }
    }))

  it.effect("a member sees, tests, connects and reconnects connections of its clients alone", () =>
    Effect.gen(function*() {
      const { client, connection } = yield* seed()
      const { client: otherClient, connection: other } = yield* seed()
      const ada = yield* signedIn({ client_ids: [client.id] })
      for (const path of ["/clients?limit=200", "/connections?limit=200", `/connections?client_id=${otherClient.id}`]) {
        const { text } = yield* ada.request("GET", `/admin/v1${path}`)
        if (!path.includes("client_id")) assert.include(text, path.startsWith("/clients") ? client.id : connection.id)
        for (const hidden of [otherClient.id, other.id]) assert.notInclude(text, hidden)
      }

      const credentials = { credentials: freshGrant(connection.id) }
      const reconnect = (id: string) =>
        ada.request("PUT", `/admin/v1/connections/${id}/credentials`, { body: credentials })
      assert.strictEqual((yield* reconnect(connection.id)).status, 200)
      assertError(yield* reconnect(other.id), 404, "connection_not_found")
      assertError(yield* ada.request("POST", `/admin/v1/connections/${other.id}/test`), 404, "connection_not_found")

      const oauth = { provider: "gsc", label: "x" }
      const stored = { ...oauth, auth_type: "oauth", ...credentials }
      for (const [path, body, status] of [["/connect", oauth, 200], ["/connections", stored, 201]] as const) {
        const connect = (client_id: string | undefined) =>
          ada.request("POST", `/admin/v1${path}`, { body: { ...body, ...(client_id && { client_id }) } })
        assert.strictEqual((yield* connect(client.id)).status, status)
        assertError(yield* connect(otherClient.id), 404, "client_not_found")
        assertError(yield* connect("cli_x"), 404, "client_not_found")
        assertError(yield* connect(undefined), 403, "forbidden")
      }
      assertError(yield* ada.request("DELETE", `/admin/v1/connections/${connection.id}`), 403, "forbidden")
    }))
})

/** Holds the requests of calls, as a quota does. */
const gate = { reached: Deferred.makeUnsafe<void>(), opened: Deferred.makeUnsafe<void>() }
const waiting: Feature = {
  name: "waiting",
  layer: Layer.empty,
  send: Layer.succeed(FeatureSend, {
    name: "waiting",
    of: "calls",
    wrap: ({ recheck }, next) => (request) =>
      Effect.suspend(() => Effect.andThen(Deferred.succeed(gate.reached, undefined), Deferred.await(gate.opened))).pipe(
        Effect.andThen(recheck),
        Effect.andThen(next(request))
      )
  })
}

const Waiting = TestServer.make({}, { features: [...features, waiting] })

layer(Waiting, { excludeTestServices: true })("A write that waited for its turn at the provider", (it) => {
  it.effect.each([
    { change: "only reads", code: "read_only", path: "grants", body: { access: "read_only" } },
    { change: "is bound to other files", code: "resource_not_found", path: "grants", body: { resources: [] } },
    { change: "has ended", code: "unauthenticated", path: "grants" },
    { change: "has lost the connection", code: "connection_inactive", path: "connections" }
  ])("is not sent where its agent meanwhile $change", ({ body, code, path }) =>
    Effect.gen(function*() {
      const { adminToken: key, call, connection, member, request, upstream } = yield* seededServer(
        () => ({ body: {} }),
        { provider: "gsheets" }
      )
      const { grant, token } = yield* newGrant({ memberId: member.id, access: "read_write" })
      Object.assign(gate, { reached: Deferred.makeUnsafe<void>(), opened: Deferred.makeUnsafe<void>() })
      const id = path === "grants" ? grant.id : connection.id
      const [answer] = yield* Effect.all([
        call(token, { ...clearRange, connection_id: connection.id }),
        Effect.gen(function*() {
          yield* Deferred.await(gate.reached)
          const options = { key, ...body && { body } }
          const changed = yield* request(body === undefined ? "DELETE" : "PATCH", `/admin/v1/${path}/${id}`, options)
          assert.strictEqual(changed.status, 200, changed.text)
          yield* Deferred.succeed(gate.opened, undefined)
        })
      ], { concurrency: "unbounded" })
      assert.strictEqual(errorIn(answer).code, code)
      assert.isFalse(upstream.requests.some(({ url }) => url.includes("values")))
    }))
})
