import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AuditEntry } from "../../src/Declared/Audit.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { freshGrant, TestServer } from "../support/TestServer.ts"
import { Hosted, manage, seededServer, timestamp } from "./Fixture.ts"

const decodePage = Schema.decodeUnknownSync(
  Schema.Struct({ entries: Schema.Array(Schema.toEncoded(AuditEntry)), cursor: Schema.NullOr(Schema.String) }),
  { onExcessProperty: "error" }
)

const page = (query = "") => Effect.map(manage("GET", `/audit${query}`), ({ json }) => decodePage(json))

const historyOf = (subject: string) =>
  Effect.map(
    page(`?subject=${subject}`),
    ({ entries }) => entries.map(({ action, details }) => [action, details]).toReversed()
  )

layer(TestServer.layer, { excludeTestServices: true })("The audit", (it) => {
  it.effect("has the changed fields of a member, and no entry for a change that failed or changed nothing", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme" } })
      const { id } = yield* admin.members.create({ payload: { email: "audited@example.com" } })
      const change = (body: unknown) => manage("PATCH", `/members/${id}`, body)
      yield* change({ name: "Ada", client_ids: [client.id] })
      yield* change({ name: "Ada" })
      yield* change({})
      assertError(yield* change({ name: "Bea", client_ids: ["cli_x"] }), 404, "client_not_found")
      const key = yield* admin.keys.create({ payload: { member_id: id, name: "CI" } })
      yield* manage("DELETE", `/members/${id}`)
      assertError(yield* manage("DELETE", `/members/${id}`), 404, "member_not_found")

      const { at, id: entryId, ...created } = (yield* page(`?subject=${id}`)).entries.at(-1) ?? assert.fail("no entry")
      assert.match(entryId, /^aud_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.match(at, timestamp)
      assert.deepStrictEqual(created, {
        actor: { type: "token", member_id: null },
        action: "member.created",
        subject: { type: "member", id },
        address: "127.0.0.1",
        details: { email: "audited@example.com", name: null, role: "member", client_ids: [], budget: null }
      })
      assert.deepStrictEqual((yield* historyOf(id)).slice(1), [
        ["member.changed", { name: { from: null, to: "Ada" }, client_ids: { from: [], to: [client.id] } }],
        ["member.deleted", { ...created.details, name: "Ada", client_ids: [client.id] }]
      ])
      const fields = {
        name: "CI",
        member_id: id,
        client_id: null,
        access: "read_only",
        expires_at: null,
        manage: [],
        resources: null,
        writes: "allow",
        undo: false,
        budget: null,
        hint: key.hint
      }
      assert.deepStrictEqual(yield* historyOf(key.id), [["key.created", fields], ["key.revoked", fields]])
    }))

  it.effect("has one entry for the revocation of a key or connection, and never a secret", () =>
    Effect.gen(function*() {
      const { admin, client, connection, member } = yield* seededServer(() => ({ body: {} }))
      const key = yield* admin.keys.create({ payload: { member_id: member.id, name: "CI" } })
      yield* manage("DELETE", `/keys/${key.id}`)
      yield* manage("DELETE", `/keys/${key.id}`)
      assert.deepStrictEqual((yield* historyOf(key.id)).map(([action]) => action), ["key.created", "key.revoked"])

      const grant = freshGrant("audited")
      yield* manage("PUT", `/connections/${connection.id}/credentials`, { credentials: grant })
      yield* manage("DELETE", `/connections/${connection.id}`)
      yield* manage("DELETE", `/connections/${connection.id}`)
      const { auth_type, external_account, label, provider, resources, scopes } = connection
      assert.deepStrictEqual(yield* historyOf(connection.id), [
        ["connection.created", {
          provider,
          auth_type,
          client_id: client.id,
          label,
          external_account,
          parent_id: null,
          resources,
          scopes
        }],
        ["connection.credentials_replaced", { auth_type, external_account }],
        ["connection.revoked", {}]
      ])
      const { text } = yield* manage("GET", "/audit?limit=200")
      for (const secret of [key.key, ...Object.values(grant).map(String)]) assert.notInclude(text, secret)
    }))

  it.effect("is filtered and paged, and refuses an unknown action, a bad time and unknown filters", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const created = yield* Effect.forEach([1, 2, 3], (n) => admin.clients.create({ payload: { name: `audit ${n}` } }))
      const ids = created.map(({ id }) => id).toReversed()
      const first = yield* page("?action=client.created&limit=2")
      const rest = yield* page(`?action=client.created&limit=1&cursor=${first.cursor}`)
      assert.deepStrictEqual([...first.entries, ...rest.entries].map(({ subject }) => subject.id), ids)

      const [newest] = first.entries
      const since = encodeURIComponent(newest?.at ?? "")
      assert.include((yield* page(`?since=${since}`)).entries.map(({ id }) => id), newest?.id ?? "")
      assert.notInclude((yield* page(`?until=${since}&limit=200`)).entries.map(({ id }) => id), newest?.id ?? "")
      assert.lengthOf((yield* page("?since=2999-01-01T00:00:00Z")).entries, 0)
      assert.lengthOf((yield* page("?actor=mem_x")).entries, 0)
      for (const [actor, count] of [["member", 0], ["token", 1]] as const) {
        assert.lengthOf((yield* page(`?actor=${actor}&subject=${ids[0]}`)).entries, count)
      }
      assert.lengthOf((yield* page("?actor=token&subject=client&limit=3")).entries, 3)

      const invalid = ["action=key.revoke", "since=2026-02-30T00:00:00Z", "until=x", "limit=0", "cursor=x", "member=x"]
      for (const query of invalid) {
        assert.strictEqual(issuePaths(yield* manage("GET", `/audit?${query}`)).join(), query.split("=")[0])
      }
    }))
})

layer(Hosted, { excludeTestServices: true })("A refused admin token", (it) => {
  it.effect("is in the audit with its address, but without its text, and a request without one is not", () =>
    Effect.gen(function*() {
      const { request } = yield* TestServer
      // Ten of an address are recorded in an hour.
      const ask = (address: string, key?: string) =>
        request("GET", "/admin/v1/members", { key, headers: { "x-forwarded-for": address } })
      yield* ask("203.0.113.7", "not-the-token-but-long-enough-to-be-one")
      yield* ask("203.0.113.8")
      const { id: _, at: __, ...newest } = (yield* page("?action=admin_token.refused&limit=1")).entries[0] ??
        assert.fail()
      assert.deepStrictEqual(newest, {
        actor: { type: "token", member_id: null },
        action: "admin_token.refused",
        subject: { type: "admin_token", id: null },
        address: "203.0.113.7",
        details: {}
      })
    }))
})
