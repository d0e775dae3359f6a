import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { ask, assertError, issuePaths, memberWith, sitesList } from "./World.ts"

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Every endpoint of the management API, with a body that it accepts. */
const endpoints: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
  ["POST", "/clients", { name: "x" }],
  ["GET", "/clients"],
  ["POST", "/members", { email: "a@b" }],
  ["GET", "/members"],
  ["PATCH", "/members/mem_x", {}],
  ["DELETE", "/members/mem_x"],
  ["POST", "/keys", { member_id: "mem_x", name: "x" }],
  ["GET", "/keys"],
  ["DELETE", "/keys/key_x"],
  ["POST", "/connections", { provider: "gsc", auth_type: "oauth", credentials: freshGrant("x"), label: "x" }],
  ["GET", "/connections"],
  ["PUT", "/connections/con_x/credentials", { credentials: freshGrant("x") }],
  ["DELETE", "/connections/con_x"],
  ["POST", "/connections/con_x/test"],
  ["POST", "/connect", { provider: "gsc", label: "x" }]
]

const createMember = (more: object) => ask("POST", "/members", { email: "a@b", ...more })

layer(TestServer.layer, { excludeTestServices: true })("The management API", (it) => {
  it.effect.each(endpoints)(
    "%s %s is for the operator only, told before anything else is",
    ([method, path]) =>
      Effect.gen(function*() {
        const server = yield* TestServer
        const { readWrite } = yield* seed()
        const wrong = [
          undefined,
          "",
          readWrite,
          `${server.adminToken}x`,
          server.adminToken.slice(1),
          "x".repeat(200_000)
        ]
        for (const key of wrong.slice(0, method === "GET" ? 6 : 5)) {
          const answer = yield* server.request(method, `/admin/v1${path}`, {
            key: key === undefined ? undefined : key.slice(0, 8000),
            ...method === "GET" || method === "DELETE" ? {} : { rawBody: "not JSON" }
          })
          assertError(answer, 401, "unauthenticated")
          assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
        }
      })
  )

  it.effect.each(endpoints.filter(([, , body]) => body !== undefined))(
    "%s %s takes JSON, whatever its Content-Type, and no other field",
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
        const withMore = JSON.stringify({ ...Object(body), nonsense: 1 })
        assert.include(issuePaths(yield* send(withMore)), "nonsense")
        assert.notStrictEqual((yield* send(`\ufeff${JSON.stringify(body)}`)).status, 400)
      })
  )

  it.effect("clients are created and listed, newest first", () =>
    Effect.gen(function*() {
      const created = yield* ask("POST", "/clients", { name: "Acme 💥" })
      assert.strictEqual(created.status, 201)
      assert.deepStrictEqual(Object.keys(created.json), ["id", "name", "created_at"])
      assert.match(created.json.id, /^cli_/)
      assert.match(created.json.created_at, timestamp)
      assert.strictEqual(created.json.name, "Acme 💥")
      const listed = yield* ask("GET", "/clients?limit=1")
      assert.strictEqual(listed.status, 200)
      assert.deepStrictEqual(listed.json.clients, [created.json])
      for (const name of ["", " ", "x".repeat(201), 1, null, "a\0b"]) {
        assert.deepStrictEqual(issuePaths(yield* ask("POST", "/clients", { name })), ["name"])
      }
    }))

  it.effect("members are created, listed, changed and deleted", () =>
    Effect.gen(function*() {
      const { json: client } = yield* ask("POST", "/clients", { name: "Acme" })
      const created = yield* ask("POST", "/members", { email: "jane@example.com" })
      assert.strictEqual(created.status, 201)
      const { created_at, id, ...rest } = created.json
      assert.match(id, /^mem_/)
      assert.match(created_at, timestamp)
      assert.deepStrictEqual(rest, { email: "jane@example.com", name: null, client_ids: null })
      assert.deepStrictEqual((yield* ask("GET", "/members?limit=1")).json.members, [created.json])

      const change = (body: unknown) => ask("PATCH", `/members/${id}`, body)
      const steps = [
        [{ name: "Jane" }, { name: "Jane" }],
        [{ client_ids: [client.id, client.id] }, { name: "Jane", client_ids: [client.id] }],
        [{}, { name: "Jane", client_ids: [client.id] }],
        [{ name: null, email: "j@example.com" }, { email: "j@example.com", client_ids: [client.id] }],
        [{ client_ids: [] }, { email: "j@example.com", client_ids: [] }],
        [{ client_ids: null }, { email: "j@example.com" }]
      ]
      for (const [body, expected] of steps) {
        const changed = yield* change(body)
        assert.strictEqual(changed.status, 200)
        assert.deepStrictEqual(changed.json, { ...created.json, ...expected })
      }

      const deleted = yield* ask("DELETE", `/members/${id}`)
      assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])
      assert.match(deleted.headers.get("x-call-id") ?? "", /^call_/)
      assertError(yield* ask("DELETE", `/members/${id}`), 404, "member_not_found")
      assertError(yield* change({ name: "x" }), 404, "member_not_found")
      assertError(yield* change({}), 404, "member_not_found")
    }))

  it.effect("members need an e-mail address and existing clients", () =>
    Effect.gen(function*() {
      for (const email of ["", "a", "a@", "@b", "a b@c", `${"a".repeat(320)}@b`, null, "a@\0"]) {
        assert.deepStrictEqual(new Set(issuePaths(yield* createMember({ email }))), new Set(["email"]))
      }
      assert.deepStrictEqual(issuePaths(yield* createMember({ client_ids: [1, null] })), [
        "client_ids.0",
        "client_ids.1"
      ])
      assert.deepStrictEqual(issuePaths(yield* createMember({ client_ids: "cli_x" })), ["client_ids"])
      for (const id of ["cli_x", "", "\0", "cli_00000000000000000000000000"]) {
        assertError(yield* createMember({ client_ids: [id] }), 404, "client_not_found")
      }
    }))

  it.effect("a key's secret is shown once, and never again", () =>
    Effect.gen(function*() {
      const { member } = yield* seed()
      const created = yield* ask("POST", "/keys", { member_id: member.id, name: "CI" })
      assert.strictEqual(created.status, 201)
      const { key, ...rest } = created.json
      assert.match(key, /^oa_[0-9A-Za-z]{38}$/)
      assert.deepStrictEqual({ ...rest, id: "", created_at: "" }, {
        id: "",
        member_id: member.id,
        name: "CI",
        access: "read_only",
        hint: key.slice(-4),
        last_used_at: null,
        created_at: "",
        revoked_at: null
      })
      assert.match(rest.id, /^key_/)
      const listed = yield* ask("GET", "/keys")
      assert.deepStrictEqual(listed.json.keys[0], rest)
      assert.notInclude(listed.text, key)
      const revoked = yield* ask("DELETE", `/keys/${rest.id}`)
      assert.notInclude(revoked.text, key)
      const second = yield* ask("POST", "/keys", { member_id: member.id, name: "CI", access: "read_write" })
      assert.strictEqual(second.json.access, "read_write")
      assert.notStrictEqual(second.json.key, key)
    }))

  it.effect("keys belong to an existing member, and have a name and an access that there is", () =>
    Effect.gen(function*() {
      const { member } = yield* seed()
      for (const member_id of ["mem_x", "", "\0", "mem_00000000000000000000000000"]) {
        assertError(yield* ask("POST", "/keys", { member_id, name: "x" }), 404, "member_not_found")
      }
      const create = (body: object) => ask("POST", "/keys", { member_id: member.id, ...body })
      assert.deepStrictEqual(issuePaths(yield* create({ name: "", access: "admin" })), ["name", "access"])
      assertError(yield* ask("DELETE", "/keys/key_x"), 404, "key_not_found")
      assertError(yield* ask("DELETE", "/keys/%00"), 404, "key_not_found")
    }))

  it.effect("a revoked key stops working at once, and stays revoked since then", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { member, readOnly } = yield* seed()
      const { json: key } = yield* ask("POST", "/keys", { member_id: member.id, name: "x" })
      const list = (secret: string) => server.request("GET", "/v1/providers", { key: secret })
      assert.strictEqual((yield* list(key.key)).status, 200)
      const revoked = yield* ask("DELETE", `/keys/${key.id}`)
      assert.strictEqual(revoked.status, 200)
      assert.match(revoked.json.revoked_at, timestamp)
      assert.match(revoked.json.last_used_at, timestamp)
      assertError(yield* list(key.key), 401, "unauthenticated")
      assertError(yield* server.call(key.key, sitesList), 401, "unauthenticated")
      assert.strictEqual((yield* list(readOnly)).status, 200)
      const again = yield* ask("DELETE", `/keys/${key.id}`)
      assert.deepStrictEqual([again.status, again.json], [200, revoked.json])
    }))

  it.effect("a deleted member's keys stop working at once", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const { key, member, readOnly } = yield* memberWith(null)
      for (const secret of [key, readOnly]) {
        assert.strictEqual((yield* server.request("GET", "/v1/logs", { key: secret })).status, 200)
      }
      yield* ask("DELETE", `/members/${member.id}`)
      for (const secret of [key, readOnly]) {
        assertError(yield* server.request("GET", "/v1/logs", { key: secret }), 401, "unauthenticated")
      }
      assertError(yield* ask("POST", "/keys", { member_id: member.id, name: "x" }), 404, "member_not_found")
    }))

  it.effect("other limits of a member hold for its keys at once", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { client, connection, member, readOnly } = yield* seed()
      const visible = Effect.map(
        server.request("GET", "/v1/connections", { key: readOnly }),
        ({ json }) => json.connections.map(({ id }: { readonly id: string }) => id)
      )
      assert.deepStrictEqual(yield* visible, [connection.id])
      yield* ask("PATCH", `/members/${member.id}`, { client_ids: [] })
      assert.deepStrictEqual(yield* visible, [])
      assertError(yield* server.call(readOnly, sitesList), 404, "connection_not_found")
      yield* ask("PATCH", `/members/${member.id}`, { client_ids: [client.id] })
      assert.deepStrictEqual(yield* visible, [connection.id])
    }))

  it.effect("lists are walked page by page", () =>
    Effect.gen(function*() {
      yield* Effect.forEach([1, 2, 3], (n) => ask("POST", "/clients", { name: `page ${n}` }))
      yield* memberWith(null)
      yield* memberWith(null)
      for (const what of ["clients", "members", "keys", "connections"]) {
        const whole = yield* ask("GET", `/${what}?limit=200`)
        assert.deepStrictEqual(Object.keys(whole.json), [what, "cursor"])
        const walked = []
        let cursor = ""
        do {
          const { json } = yield* ask("GET", `/${what}?limit=2${cursor}`)
          walked.push(...json[what])
          cursor = json.cursor === null ? "" : `&cursor=${json.cursor}`
        } while (cursor !== "")
        assert.deepStrictEqual(walked, whole.json[what])
        const refused: ReadonlyArray<readonly [string, string]> = [["limit=0", "limit"], ["limit=201", "limit"], [
          "cursor=x",
          "cursor"
        ], ["x=1", "x"]]
        for (const [query, path] of refused) {
          assert.deepStrictEqual(issuePaths(yield* ask("GET", `/${what}?${query}`)), [path])
        }
      }
    }))
})
