import { assert, describe, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Feature } from "../../src/Features/Feature.ts"
import { features } from "../../src/Features/Features.ts"
import { configuredFeatures, without } from "../../src/Features/FeaturesOff.ts"
import { runOa, runOaOnServer } from "../Cli/RunCli.ts"
import { sitesList } from "../Http/Fixture.ts"
import { at } from "../Service/SandboxServer.ts"
import { assertError } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { newGrant } from "../support/NewGrant.ts"
import { withSession } from "../support/SignedIn.ts"
import { keyFor, seed, TestServer } from "../support/TestServer.ts"
import { callTool, listTools, rpc } from "./Mcp/McpFixture.ts"
import { specification } from "./Specification.ts"

const Document = Schema.Struct({ paths: Schema.Record(Schema.String, Schema.Unknown) })

const pathsOf = Effect.gen(function*() {
  const { request } = yield* TestServer
  const { json } = yield* request("GET", "/openapi.json")
  return Object.keys(Schema.decodeUnknownSync(Document)(json).paths)
})

const routes: Readonly<Record<string, string>> = {
  approvals: "/v1/approvals",
  undo: "/v1/calls",
  results: "/v1/results",
  bulk_calls: "/v1/bulk-calls",
  sign_in: "/auth/session",
  quotas: "/v1/quotas",
  stats: "/v1/stats",
  revocation: "/admin/v1/revocations",
  webhooks: "/admin/v1/webhooks",
  alerts: "/admin/v1/mail-deliveries",
  agent_access: "/admin/v1/grants",
  mcp: "/mcp",
  rotation: "/admin/v1/encryption/rotate",
  backup: "/admin/v1/snapshots",
  connect_links: "/admin/v1/connect-links",
  datasets: "/admin/v1/datasets",
  google_setup: "/admin/v1/google/check"
}

const tools: Readonly<Record<string, string>> = {
  undo: "undo",
  approvals: "get_approval",
  results: "query_result",
  bulk_calls: "ask_all",
  connect_links: "request_connection"
}

const create = {
  provider: "gsheets",
  endpoint: "spreadsheets.create",
  input: { body: { properties: { title: "Plan" } } }
}

/** What a key that asks before each write gets instead of one. */
const refusals: Readonly<Record<string, readonly [fields: object, status: number, path: string, value: unknown]>> = {
  preview: [{ dry_run: true }, 400, "error.details.0.path.0", "dry_run"],
  approvals: [{}, 403, "error.code", "forbidden"],
  undo: [{ dry_run: true }, 200, "data.undoable_reason", "not_kept"]
}

/** Features that need this one are left out with it. */
const withoutAll = (name: string): ReadonlyArray<string> => [
  name,
  ...features.filter(({ needs }) => needs?.includes(name)).flatMap((each) => withoutAll(each.name))
]

for (const { name } of features) {
  const left = without(features, ...withoutAll(name))
  layer(TestServer.make({}, { features: left }), { excludeTestServices: true })(`A server without ${name}`, (it) => {
    it.effect("has none of its routes, and says so", () =>
      Effect.gen(function*() {
        const { admin, adminToken, request } = yield* TestServer
        assert.strictEqual((yield* admin.status.read()).features[name], false)
        const page = yield* request("GET", "/dashboard")
        assert.match(page.text, new RegExp(`<meta name="features-off" content="[^"]*\\b${name}\\b`))
        const path = routes[name]
        if (path === undefined) return
        const response = yield* request("GET", path, { key: adminToken })
        assert.strictEqual(response.status, 404)
        assert.nestedPropertyVal(response.json, "error.code", "route_not_found")
        assert.deepStrictEqual((yield* pathsOf).filter((each) => each.startsWith(path)), [])
      }))

    specification(it)

    const refusal = refusals[name]
    if (refusal === undefined) return
    it.effect("writes nothing for a key that asks first", () =>
      Effect.gen(function*() {
        const { call } = yield* TestServer
        const { requests } = yield* LoopbackUpstream
        const { member } = yield* seed({ provider: "gsheets" })
        const before = requests.length
        const key = yield* keyFor(member, { access: "read_write", writes: "ask", undo: true })
        const [fields, status, path, value] = refusal
        const response = yield* call(key, { ...create, ...fields })
        assert.strictEqual(response.status, status, response.text)
        assert.strictEqual(at(response.json, path), value)
        assert.strictEqual(requests.length, before)
      }))
  })
}

layer(TestServer.make({}, { features: [] }), { excludeTestServices: true })("A server without features", specification)

layer(
  TestServer.make({
    CLICKHOUSE_URL: "http://u:p@127.0.0.1:1/openaccounts",
    FEATURES_OFF: "clickhouse, webhooks, alerts"
  })
)(
  "A server that leaves out what has worked before",
  (it) => {
    it.effect("keeps the log in Postgres, and stores no events", () =>
      Effect.gen(function*() {
        const { request } = yield* TestServer
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE call_copies SET copied_until = now()`
        yield* sql`INSERT INTO webhooks (id, url, events, enabled, secret, encryption_key_id, created_at)
          VALUES ('whk_left', 'https://hooks.invalid/', '{key.created}', true, '', 'lost', now())`
        const { readOnly: key } = yield* seed()
        assert.strictEqual((yield* request("GET", "/v1/logs", { key })).status, 200)
        assert.notInclude((yield* request("GET", "/readyz")).text, "clickhouse")
        assert.deepStrictEqual(yield* sql`SELECT id FROM events`, [])
      }))
  }
)

layer(TestServer.make({}, { features: without(features, ...Object.keys(tools).flatMap(withoutAll)) }))(
  "A server without some features",
  (it) => {
    it.effect("has none of their tools and fields", () =>
      Effect.gen(function*() {
        const { readWrite } = yield* seed()
        const listed = (yield* listTools(readWrite)).tools.map(({ name }) => name)
        assert.includeMembers(listed, ["list_connections", "call_write_endpoint"])
        const document = yield* (yield* TestServer).request("GET", "/openapi.json")
        assert.notInclude(document.text, "\"keep\":{")
        for (const name of Object.values(tools)) {
          assert.notInclude(listed, name)
          const { text } = yield* rpc(readWrite, "tools/call", { name, arguments: {} })
          assert.include(text, "There is no tool")
        }
      }))

    it.effect("cuts a table that is too long for an agent", () =>
      Effect.gen(function*() {
        const siteEntry = Array.from({ length: 5000 }, (_, index) => ({ siteUrl: `https://site-${index}.example/` }))
        ;(yield* LoopbackUpstream).handle(() => ({ body: { siteEntry } }))
        const { readOnly } = yield* seed()
        const { text, value } = yield* callTool(readOnly, "call_read_endpoint", sitesList)
        assert.isAtMost(text.length, 48_000)
        assert.deepStrictEqual(value.data.siteEntry, siteEntry.slice(0, value.data.siteEntry.length))
        assert.isAbove(value.truncated.characters, 48_000)
      }))
  }
)

layer(TestServer.make({}, { features: without(features, "sign_in", "agent_access") }), { excludeTestServices: true })(
  "A server on which nobody signs in any more",
  (it) => {
    it.effect("takes no session and no agent's token of before", () =>
      Effect.gen(function*() {
        const { request } = yield* TestServer
        const { member } = yield* seed()
        const { token } = yield* newGrant({ memberId: member.id })
        const session = yield* withSession(member)
        assertError(yield* request("GET", "/v1/connections", { key: token }), 401, "unauthenticated")
        assertError(yield* session.request("GET", "/v1/connections"), 401, "unauthenticated")
      }))
  }
)

/** Its table has three texts, and two of them cannot be read. */
const notes: Feature = {
  name: "notes",
  layer: Layer.empty,
  owns: {
    migrations: {
      "0999_create_notes": Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => Effect.asVoid(sql`CREATE TABLE notes (id text PRIMARY KEY)`)
      )
    },
    secrets: [{
      cursor: "not_",
      lost: "other_data",
      reEncryption: Effect.map(SqlClient.SqlClient, (sql) => ({
        reEncrypt: () =>
          Effect.map(Effect.orDie(sql`INSERT INTO notes (id) VALUES ('not_1') RETURNING id`), ({ length }) => ({
            rotated: length,
            failed: [],
            cursor: null
          })),
        remaining: Effect.succeed(new Map([["lost", 2]]))
      }))
    }]
  }
}

layer(TestServer.make({}, { features: [...features, notes] }))("A further feature", (it) => {
  it.effect("has its own tables, whose secrets are re-encrypted with the others", () =>
    Effect.gen(function*() {
      const { admin } = yield* TestServer
      const { encryption } = yield* admin.status.read()
      assert.deepStrictEqual(encryption.missing, [
        { key_id: "lost", reason: "not_configured", connections: 0, other_data: 2 }
      ])
      const { remaining, rotated } = yield* admin.encryption.rotate({ query: {} })
      assert.deepStrictEqual([rotated, remaining], [1, 2])
    }))
})

layer(TestServer.make({}, { features: without(features, "revocation") }), { excludeTestServices: true })("oa", (it) => {
  it.effect("says that the service does not have the feature of a command", () =>
    Effect.gen(function*() {
      const revoked = yield* runOaOnServer(["revoke", "--all", "--yes"])
      const settings = { FEATURES_OFF: "backup" }
      const moved = yield* runOa(["move", "--to", "postgres://x@127.0.0.1:1/x"], { settings })
      for (const { exitCode, stderr } of [revoked, moved]) {
        assert.strictEqual(exitCode, 1)
        assert.include(stderr, "The service does not have this")
      }
    }))

  it.effect("checks no feature that is off", () =>
    Effect.gen(function*() {
      const settings = { DATASETS_URL: "not a bucket" }
      const all = yield* runOa(["doctor", "--json"], { settings })
      assert.include(all.stdout, "DATASETS_URL")
      const others = yield* runOa(["doctor", "--json"], { settings: { ...settings, FEATURES_OFF: "datasets" } })
      assert.notInclude(others.stdout, "DATASETS_URL")
    }))
})

const configured = (off: string) =>
  Effect.provide(configuredFeatures(features), ConfigProvider.layer(ConfigProvider.fromUnknown({ FEATURES_OFF: off })))

describe("FEATURES_OFF", () => {
  it.effect("leaves features out", () =>
    Effect.map(configured(" datasets, "), (on) => assert.deepStrictEqual(on, without(features, "datasets"))))

  it.effect("refuses a name that no feature has", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(configured("dataset"))
      assert.match(message, /^FEATURES_OFF names "dataset", which is no feature\. The features are .*datasets/)
    }))
})
