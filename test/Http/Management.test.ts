import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuditEntry } from "../../src/Declared/Audit.ts"
import { ApiKey, CreatedApiKey } from "../../src/Domain/Access/ApiKey.ts"
import { Client } from "../../src/Domain/Client.ts"
import { Member } from "../../src/Domain/Member.ts"
import { type Answer, assertError, issuePaths } from "../support/Answer.ts"
import { assertFails } from "../support/ApiClient.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { connectionsOf, manage, seededServer, sitesList, timestamp } from "./Fixture.ts"

const bodies: ReadonlyArray<readonly [method: string, path: string, body: object]> = [
  ["PATCH", "/clients/cli_x", {}],
  ["POST", "/members", { email: "body@example.com" }],
  ["POST", "/connections", { provider: "gsc", auth_type: "oauth", credentials: freshGrant("x"), label: "x" }],
  ["PUT", "/connections/con_x/credentials", { credentials: freshGrant("x") }]
]

const decoder = <S extends Schema.Top>(schema: S) => {
  const decode = Schema.decodeUnknownSync(Schema.toEncoded(schema), { onExcessProperty: "error" })
  return ({ json }: Answer) => decode(json)
}
const clientIn = decoder(Client)
const memberIn = decoder(Member)
const keyIn = decoder(ApiKey)
const createdKeyIn = decoder(CreatedApiKey)
const EncodedEntries = Schema.Struct({ entries: Schema.Array(Schema.toEncoded(AuditEntry)) })
const EncodedKeys = Schema.Struct({ keys: Schema.Array(Schema.toEncoded(ApiKey)) })

const createKey = (more: object) => manage("POST", "/keys", { name: "for a client", ...more })

const createMember = (more: object) => manage("POST", "/members", { email: "manage@example.com", ...more })

layer(TestServer.layer, { excludeTestServices: true })("The management API", (it) => {
  it.effect("answers only to the operator's whole token, which it checks before the body", () =>
    Effect.gen(function*() {
      const { adminToken, request } = yield* TestServer
      for (const key of ["", `${adminToken}x`, adminToken.slice(1), "x".repeat(8000)]) {
        const answer = yield* request("POST", "/admin/v1/clients", { key, rawBody: "not JSON" })
        assertError(answer, 401, "unauthenticated")
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      }
    }))

  it.effect.each(bodies)(
    "accepts JSON at %s %s under any Content-Type, and no unknown field",
    ([method, path, body]) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const send = (rawBody: string) =>
          server.request(method, `/admin/v1${path}`, {
            key: server.adminToken,
            rawBody,
            headers: { "content-type": "text/plain" }
          })
        for (const rawBody of ["", "{", "\u0000"]) assertError(yield* send(rawBody), 400, "invalid_json")
        for (const rawBody of ["[]", "null", "1"]) assert.deepStrictEqual(issuePaths(yield* send(rawBody)), [""])
        const withMore = JSON.stringify({ ...body, nonsense: 1 })
        assert.include(issuePaths(yield* send(withMore)), "nonsense")
        assert.notStrictEqual((yield* send(`\ufeff${JSON.stringify(body)}`)).status, 400)
      })
  )

  it.effect("creates clients and lists them", () =>
    Effect.gen(function*() {
      const created = yield* manage("POST", "/clients", { name: "Acme 💥" })
      assert.strictEqual(created.status, 201)
      assert.deepStrictEqual(Object.keys(Object(created.json)), ["id", "name", "created_at"])
      const { created_at, id, name } = clientIn(created)
      assert.match(id, /^cli_/)
      assert.match(created_at, timestamp)
      assert.strictEqual(name, "Acme 💥")
      const listed = yield* manage("GET", "/clients?limit=1")
      assert.strictEqual(listed.status, 200)
      assert.deepInclude(listed.json, { clients: [created.json] })
      for (const name of ["", " ", "x".repeat(201), 1, null, "a\0b", "a\ud800b"]) {
        assert.deepStrictEqual(issuePaths(yield* manage("POST", "/clients", { name })), ["name"])
      }
    }))

  it.effect("renames a client, and refuses to delete it while active connections belong to it", () =>
    Effect.gen(function*() {
      const { admin, client, connection, member } = yield* seededServer()
      yield* admin.connectLinks.create({ payload: { client_id: client.id, providers: ["sitesearch"] } })
      const renamed = yield* manage("PATCH", `/clients/${client.id}`, { name: "Acme Ltd" })
      assert.deepStrictEqual([renamed.status, clientIn(renamed).name], [200, "Acme Ltd"])
      assert.deepStrictEqual(
        yield* manage("PATCH", `/clients/${client.id}`, {}).pipe(Effect.map(clientIn)),
        renamed.json
      )
      assertError(yield* manage("PATCH", "/clients/cli_x", { name: "x" }), 404, "client_not_found")

      const remove = (query = "") => manage("DELETE", `/clients/${client.id}${query}`)
      const inUse = { connections: 1, links: 1, members: 1 }
      for (const query of ["", "?revoke=false"]) assertError(yield* remove(query), 409, "client_in_use", inUse)
      assert.deepStrictEqual(issuePaths(yield* remove("?revoke=yes")), ["revoke"])
      const deleted = yield* remove("?revoke=true")
      assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])
      for (const query of ["", "?revoke=true"]) assertError(yield* remove(query), 404, "client_not_found")
      const after = yield* connectionsOf(client.id)
      assert.deepStrictEqual(after.map(({ id, status }) => [id, status]), [[connection.id, "revoked"]])
      const { connect_links: [ended] } = yield* admin.connectLinks.list({ query: { limit: 1 } })
      assert.strictEqual(ended?.status, "ended")
      const { members } = yield* admin.members.list({ query: { limit: 200 } })
      assert.deepStrictEqual(members.find(({ id }) => id === member.id)?.client_ids, [])
      const { entries } = yield* admin.audit.list({ query: { subject: client.id } })
      assert.deepStrictEqual(entries.map(({ action }) => action.slice(7)), ["deleted", "changed", "created"])

      const again = { params: { id: connection.id }, payload: { credentials: freshGrant(`again-${connection.id}`) } }
      yield* assertFails(admin.managedConnections.reconnect(again), "client_not_found")
      yield* assertFails(admin.connectLinks.create({ payload: { connection_id: connection.id } }), "client_not_found")
      const { client: other } = yield* seed()
      yield* admin.managedConnections.change({ params: again.params, payload: { client_id: other.id } })
      assert.strictEqual((yield* admin.managedConnections.reconnect(again)).status, "active")
    }))

  it.effect("deletes a client whose connections are not active, with their credentials", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { client, connection } = yield* seed()
      yield* sql`UPDATE connections SET status = 'expired' WHERE id = ${connection.id}`
      assert.strictEqual((yield* manage("DELETE", `/clients/${client.id}`)).status, 204)
      const stored = yield* sql`SELECT credentials FROM connections WHERE id = ${connection.id}`
      assert.deepStrictEqual(stored, [{ credentials: null }])
      assert.strictEqual((yield* connectionsOf(client.id))[0]?.status, "revoked")
    }))

  it.effect("creates, lists, changes and deletes members", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme" } })
      const other = yield* admin.clients.create({ payload: { name: "Other" } })
      const created = yield* manage("POST", "/members", { email: "jane-managed@example.com" })
      assert.strictEqual(created.status, 201)
      const member = memberIn(created)
      const { created_at, id, ...rest } = member
      assert.match(id, /^mem_/)
      assert.match(created_at, timestamp)
      assert.deepStrictEqual(rest, {
        email: "jane-managed@example.com",
        name: null,
        role: "member",
        client_ids: [],
        budget: null
      })
      assert.deepInclude((yield* manage("GET", "/members?limit=1")).json, { members: [created.json] })

      const change = (body: unknown) => manage("PATCH", `/members/${id}`, body)
      let expected = member
      const steps = [
        { name: "Jane" },
        { client_ids: [client.id] },
        { client_ids: [other.id, client.id] },
        {},
        { name: null, email: "j-managed@example.com" },
        { client_ids: [] },
        { client_ids: null }
      ]
      for (const body of steps) {
        expected = { ...expected, ...body }
        const changed = yield* change(body)
        assert.deepStrictEqual([changed.status, changed.json], [200, expected])
      }
      assert.deepStrictEqual(memberIn(yield* change({ client_ids: [client.id, client.id] })).client_ids, [client.id])

      const unlimited = [{ email: "all@example.com", client_ids: null }, {
        email: "root-made@example.com",
        role: "admin"
      }]
      for (const more of unlimited) assert.isNull(memberIn(yield* createMember(more)).client_ids)
      const withLimits = { email: "limited-root@example.com", role: "admin", client_ids: [] }
      assert.deepStrictEqual(issuePaths(yield* createMember(withLimits)), ["client_ids"])

      const deleted = yield* manage("DELETE", `/members/${id}`)
      assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])
      assert.match(deleted.callId, /^call_/)
      const gone = [yield* manage("DELETE", `/members/${id}`), yield* change({ name: "x" }), yield* change({})]
      for (const answer of gone) assertError(answer, 404, "member_not_found")
    }))

  it.effect("refuses an e-mail address that another member has, in upper or lower case", () =>
    Effect.gen(function*() {
      const email = "Taken.By@Example.com"
      const created = memberIn(yield* createMember({ email }))
      const other = memberIn(yield* createMember({ email: "not.taken@example.com" }))
      for (const same of [email, email.toLowerCase(), email.toUpperCase()]) {
        assertError(yield* createMember({ email: same }), 409, "email_taken")
        assertError(yield* manage("PATCH", `/members/${other.id}`, { name: "x", email: same }), 409, "email_taken")
      }
      const own = yield* manage("PATCH", `/members/${created.id}`, { email: email.toLowerCase() })
      assert.deepStrictEqual(own.json, { ...created, email: email.toLowerCase() })
      const unchanged = yield* manage("PATCH", `/members/${other.id}`, {})
      assert.deepStrictEqual(unchanged.json, other)
      yield* manage("DELETE", `/members/${created.id}`)
      assert.strictEqual((yield* createMember({ email })).status, 201)
    }))

  it.effect("rejects a member without an e-mail address or with unknown clients", () =>
    Effect.gen(function*() {
      for (const email of ["", "a", "a@", "@b", "a b@c", `${"a".repeat(320)}@b`, null, "a@\0", "a@\ud800"]) {
        assert.deepStrictEqual(new Set(issuePaths(yield* createMember({ email }))), new Set(["email"]))
      }
      assert.deepStrictEqual(issuePaths(yield* createMember({ client_ids: [1, null] })), [
        "client_ids.0",
        "client_ids.1"
      ])
      assert.deepStrictEqual(issuePaths(yield* createMember({ client_ids: "cli_x" })), ["client_ids"])
      const limitedAdmin = { email: "a", role: "admin", client_ids: [] }
      assert.deepStrictEqual(new Set(issuePaths(yield* createMember(limitedAdmin))), new Set(["email", "client_ids"]))
      for (const id of ["cli_x", "", "\0", "cli_00000000000000000000000000"]) {
        assertError(yield* createMember({ client_ids: [id] }), 404, "client_not_found")
      }
    }))

  it.effect("shows the secret of a key once, and revokes it immediately and for good", () =>
    Effect.gen(function*() {
      const { member } = yield* seed()
      const created = yield* manage("POST", "/keys", { member_id: member.id, name: "CI" })
      assert.strictEqual(created.status, 201)
      const { key, ...rest } = createdKeyIn(created)
      assert.match(key, /^oa_[0-9A-Za-z]{38}$/)
      assert.deepStrictEqual({ ...rest, id: "", created_at: "" }, {
        id: "",
        member_id: member.id,
        client_id: null,
        name: "CI",
        access: "read_only",
        hint: key.slice(-4),
        expires_at: null,
        manage: [],
        resources: null,
        writes: "allow",
        undo: false,
        budget: null,
        last_used_at: null,
        created_at: "",
        revoked_at: null
      })
      assert.match(rest.id, /^key_/)
      const listed = yield* manage("GET", "/keys")
      const { keys: [newest] } = Schema.decodeUnknownSync(EncodedKeys)(listed.json)
      assert.deepStrictEqual(newest, rest)
      assert.notInclude(listed.text, key)
      const holder = (yield* TestServer).api(key)
      yield* holder.providers.list()
      const revoked = yield* manage("DELETE", `/keys/${rest.id}`)
      assert.notInclude(revoked.text, key)
      const { last_used_at, revoked_at } = keyIn(revoked)
      for (const time of [last_used_at, revoked_at]) assert.match(time ?? "", timestamp)
      yield* assertFails(holder.providers.list(), "unauthenticated")
      yield* assertFails(holder.call.call({ payload: sitesList }), "unauthenticated")
      const again = yield* manage("DELETE", `/keys/${rest.id}`)
      assert.deepStrictEqual([again.status, again.json], [200, revoked.json])
    }))

  it.effect("rejects a key of an unknown member, without a name or with an unknown access", () =>
    Effect.gen(function*() {
      const { member } = yield* seed()
      for (const member_id of ["mem_x", "", "\0", "mem_00000000000000000000000000"]) {
        assertError(yield* manage("POST", "/keys", { member_id, name: "x" }), 404, "member_not_found")
      }
      const create = (body: object) => manage("POST", "/keys", { member_id: member.id, ...body })
      assert.deepStrictEqual(issuePaths(yield* create({ name: "", access: "admin" })), ["name", "access"])
      const past = { name: "", expires_at: "2020-01-01", resources: ["x"] }
      const paths = ["name", "expires_at", "resources.0"]
      assert.deepStrictEqual(issuePaths(yield* manage("POST", "/keys", past)), ["name", "member_id", ...paths.slice(1)])
      assert.deepStrictEqual(issuePaths(yield* manage("PATCH", "/keys/key_x", past)), paths)
      assertError(yield* manage("DELETE", "/keys/key_x"), 404, "key_not_found")
      assertError(yield* manage("DELETE", "/keys/%00"), 404, "key_not_found")
    }))

  it.effect("makes keys for a client, with a member that is in no list and ends with the client", () =>
    Effect.gen(function*() {
      const server = yield* seededServer(() => ({ body: { siteEntry: [] } }))
      const { admin, client, connection } = server
      yield* seed()
      const [one, other] = [
        createdKeyIn(yield* createKey({ client_id: client.id })),
        createdKeyIn(yield* createKey({ client_id: client.id, manage: ["connect_links"] }))
      ]
      assert.strictEqual(one.client_id, client.id)
      assert.strictEqual(one.member_id, other.member_id)
      const { connections } = yield* server.api(one.key).connections.list({ query: {} })
      assert.deepStrictEqual(connections.map(({ id }) => id), [connection.id])
      assert.strictEqual((yield* server.api(one.key).call.call({ payload: sitesList })).cached, false)

      const id = one.member_id
      const { members } = yield* admin.members.list({ query: { limit: 200 } })
      assert.notInclude(members.map((member) => member.id), id)
      for (const [method, path] of [["PATCH", ""], ["DELETE", ""], ["POST", "/links"]] as const) {
        assertError(yield* manage(method, `/members/${id}${path}`, {}), 404, "member_not_found")
      }
      for (const body of [{}, { client_id: client.id, member_id: id }]) {
        assert.deepStrictEqual(issuePaths(yield* createKey(body)), ["member_id"])
      }
      assert.deepStrictEqual(issuePaths(yield* createKey({ client_id: client.id, manage: ["webhooks"] })), ["manage"])
      assertError(yield* createKey({ client_id: "cli_x" }), 404, "client_not_found")
      assertError(yield* createKey({ member_id: one.member_id }), 404, "member_not_found")

      assert.strictEqual((yield* manage("DELETE", `/clients/${client.id}?revoke=true`)).status, 204)
      yield* assertFails(server.api(one.key).providers.list(), "unauthenticated")
      const { keys } = yield* admin.keys.list({ query: { limit: 200 } })
      const revoked = keys.filter(({ client_id, revoked_at }) => client_id === client.id && revoked_at !== null)
      assert.deepStrictEqual(revoked.map((key) => key.id), [other.id, one.id])
    }))

  it.effect("changes the name, the expiry and the rights of a key, and of a revoked one nothing", () =>
    Effect.gen(function*() {
      const { member } = yield* seed()
      const expires_at = "2100-02-28T00:00:00.000Z"
      const { key: _, ...made } = createdKeyIn(
        yield* manage("POST", "/keys", {
          member_id: member.id,
          name: "x",
          expires_at: "2100-02-28",
          manage: ["connections", "connections"]
        })
      )
      assert.deepInclude(made, { expires_at, manage: ["connections"] })
      const change = (body: object) => manage("PATCH", `/keys/${made.id}`, body)
      let expected: object = made
      const rights = { expires_at: null, manage: ["connect_links"] }
      for (const body of [{}, { name: "renamed" }, rights, { manage: [], expires_at }]) {
        expected = { ...expected, ...body }
        const changed = yield* change(body)
        assert.deepStrictEqual([changed.status, changed.json], [200, expected])
      }
      for (const expires_at of ["2020-01-01", "2100-02-30", "2100-02-28T24:30:00Z", "soon", 4107542400, ""]) {
        assert.deepStrictEqual(issuePaths(yield* change({ expires_at })), ["expires_at"], String(expires_at))
        const body = { member_id: member.id, name: "x", expires_at }
        assert.deepStrictEqual(issuePaths(yield* manage("POST", "/keys", body)), ["expires_at"])
      }
      assert.deepStrictEqual(issuePaths(yield* change({ name: " ", manage: ["keys"] })), ["name", "manage.0"])
      // The member is limited to a client, and webhooks tell of all of them.
      assert.deepStrictEqual(issuePaths(yield* change({ manage: ["webhooks"] })), ["manage"])
      assertError(yield* manage("PATCH", "/keys/key_x", { name: "x" }), 404, "key_not_found")

      const { json } = yield* manage("GET", `/audit?subject=${made.id}&action=key.changed`)
      const { entries } = Schema.decodeUnknownSync(EncodedEntries)(json)
      assert.deepStrictEqual(entries.map(({ details }) => details).at(-1), { name: { from: "x", to: "renamed" } })
      assert.lengthOf(entries, 3)
      yield* manage("DELETE", `/keys/${made.id}`)
      assert.deepStrictEqual(issuePaths(yield* change({ name: "y" })), ["id"])
    }))

  it.effect.each(["clients", "members", "keys", "connections"])(
    "has every entry of %s on exactly one page",
    (name) =>
      Effect.gen(function*() {
        yield* Effect.replicateEffect(seed(), 3)
        const decodePage = Schema.decodeUnknownSync(
          Schema.Struct({ [name]: Schema.Array(Schema.Unknown), cursor: Schema.NullOr(Schema.String) })
        )
        const whole = yield* manage("GET", `/${name}?limit=200`)
        assert.deepStrictEqual(Object.keys(Object(whole.json)), [name, "cursor"])
        const all = decodePage(whole.json)[name] ?? []
        const walked: Array<unknown> = []
        for (let cursor = ""; walked.length < Math.min(all.length, 10);) {
          const page = decodePage((yield* manage("GET", `/${name}?limit=2${cursor}`)).json)
          walked.push(...page[name] ?? [])
          cursor = `&cursor=${page.cursor}`
        }
        assert.deepStrictEqual(walked, all.slice(0, walked.length))
        for (const query of ["limit=0", "limit=201", "cursor=x", "cursor=ses_01m7z789t9e688gezg8zqgswzs", "x=1"]) {
          assert.strictEqual(issuePaths(yield* manage("GET", `/${name}?${query}`)).join(), query.split("=")[0])
        }
      })
  )
})
