import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AuditEntry } from "../../src/Domain/Audit.ts"
import { assertError, issuePaths } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"
import { manage, sitesList, timestamp } from "./Fixture.ts"

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
  it.effect("has an entry for each change by the admin token, with its address", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const client = yield* admin.clients.create({ payload: { name: "Acme" } })
      const { cursor, entries: [entry] } = yield* page(`?subject=${client.id}`)
      assert.isNull(cursor)
      const { at, id, ...rest } = entry ?? assert.fail("no entry")
      assert.match(id, /^aud_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.match(at, timestamp)
      assert.deepStrictEqual(rest, {
        actor: { type: "token", member_id: null },
        action: "client.created",
        subject: { type: "client", id: client.id },
        address: "127.0.0.1",
        details: { name: "Acme" }
      })
    }))

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

      assert.deepStrictEqual(yield* historyOf(id), [
        ["member.created", { email: "audited@example.com", name: null, role: "member", client_ids: [], budget: null }],
        ["member.changed", { name: { from: null, to: "Ada" }, client_ids: { from: [], to: [client.id] } }],
        ["member.deleted", {
          email: "audited@example.com",
          name: "Ada",
          role: "member",
          client_ids: [client.id],
          budget: null
        }]
      ])
      const fields = {
        name: "CI",
        member_id: id,
        access: "read_only",
        expires_at: null,
        manage: [],
        resources: null,
        writes: "allow",
        undo: false,
        budget: null,
        hint: key.hint
      }
      assert.deepStrictEqual(yield* historyOf(key.id), [
        ["key.created", fields],
        ["key.revoked", fields]
      ])
    }))

  it.effect("has one entry for the revocation of a key or connection, and never a secret", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      ;(yield* LoopbackUpstream).handle(() => ({ body: {} }))
      const { client, connection, member } = yield* seed()
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

  it.effect("names the service for a connection that expires", () =>
    Effect.gen(function*() {
      const { connection, readOnly } = yield* seed()
      ;(yield* LoopbackUpstream).handle(({ url }) =>
        url.startsWith("/googleToken") ? { status: 400, body: { error: "invalid_grant" } } : { status: 401, body: {} }
      )
      const server = yield* TestServer
      assertError(yield* server.call(readOnly, sitesList), 401, "credentials_expired")
      const { entries: [entry] } = yield* page(`?subject=${connection.id}`)
      const { action, actor, address, details } = entry ?? assert.fail("no entry")
      assert.deepStrictEqual([action, details, actor, address], [
        "connection.expired",
        { reason: "refresh_refused" },
        { type: "system", member_id: null },
        null
      ])
    }))

  it.effect("names the admin token for a connection whose sign-in it started", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      ;(yield* LoopbackUpstream).handle(({ url }) =>
        url.startsWith("/googleToken")
          ? { body: { access_token: "ya29.new", expires_in: 3600, refresh_token: "1//new" } }
          : { body: { email: "owner@example.com" } }
      )
      const { authorize_url } = yield* server.admin.connect.start({ payload: { provider: "gsc", label: "audited" } })
      const state = new URL(authorize_url).searchParams.get("state")
      yield* server.request("GET", `/connect/callback?state=${state}&code=granted`)
      const { entries: [entry] } = yield* page("?action=connection.created&limit=1")
      assert.deepInclude(entry, { actor: { type: "token", member_id: null }, address: "127.0.0.1" })
      assert.deepInclude(entry?.details, { label: "audited", external_account: "owner@example.com" })
    }))

  it.effect("has refused admin tokens, but not their text or requests without one", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const refused = Effect.map(page("?action=admin_token.refused"), ({ entries }) => entries)
      yield* server.request("GET", "/admin/v1/members")
      const before = yield* refused
      yield* server.request("GET", "/admin/v1/members", { key: "not-the-token-but-long-enough-to-be-one" })
      const [newest, ...others] = yield* refused
      assert.deepStrictEqual(others, before)
      assert.deepInclude(newest, {
        actor: { type: "token", member_id: null },
        subject: { type: "admin_token", id: null },
        address: "127.0.0.1",
        details: {}
      })
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
      assert.lengthOf((yield* page("?actor=member&subject=client")).entries, 0)
      assert.lengthOf((yield* page("?actor=token&subject=client&limit=3")).entries, 3)

      for (
        const [query, path] of [
          ["action=key.revoke", "action"],
          ["since=yesterday", "since"],
          ["until=2026-13-01T00:00:00Z", "until"],
          ["since=2026-02-30T00:00:00Z", "since"],
          ["limit=0", "limit"],
          ["cursor=x", "cursor"],
          ["member=x", "member"]
        ] as const
      ) {
        assert.deepStrictEqual(issuePaths(yield* manage("GET", `/audit?${query}`)), [path], query)
      }
    }))
})
