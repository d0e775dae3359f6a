import { assert, layer, type Vitest } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { MemberId } from "../../src/Domain/Ids.ts"
import { newId } from "../../src/Domain/NewId.ts"
import { assertError } from "../support/Answer.ts"
import { apiRoutes } from "../support/ApiRoutes.ts"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { withSession } from "../support/SignedIn.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"
import { TransactionPooler } from "../support/TransactionPooler.ts"
import { type Instance, TwoInstances } from "./TwoInstances.ts"

const play = (instances: ReadonlyArray<Instance>, token: () => object) => {
  const grants: Array<Recorded> = []
  const bearers: Array<string | undefined> = []
  for (const instance of instances) {
    Context.get(instance, LoopbackUpstream).handle((request) => {
      if (request.url !== "/googleToken") {
        bearers.push(request.headers.authorization)
        return { body: { siteEntry: [] } }
      }
      grants.push(request)
      return { body: token() }
    })
  }
  return { grants, bearers }
}

const fresh = () => ({ access_token: "ya29.fresh-0123456789", expires_in: 3600, token_type: "Bearer" })

const siteList = { provider: "gsc", endpoint: "sites.list" }

const together = (it: Vitest.MethodsNonLive<TwoInstances>) => {
  it.effect("make one token request for a hundred concurrent calls on an expired token", () =>
    Effect.gen(function*() {
      const instances = yield* TwoInstances
      const { readOnly } = yield* Effect.provideContext(seed({ credentials: expiredGrant("two") }), instances[0])
      const { bearers, grants } = play(instances, fresh)
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, index) => Context.get(instances[index % 2 === 0 ? 0 : 1], TestServer)),
        (server) => server.call(readOnly, siteList),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
      assert.lengthOf(grants, 1)
      assert.deepStrictEqual(bearers, answers.map(() => "Bearer ya29.fresh-0123456789"))
    }))
}

layer(RealPostgres.layer, { excludeTestServices: true })("two instances", (it) => {
  it.layer(TwoInstances.layer)("on one database", together)

  it.layer(TwoInstances.layerPooled)("on one database, behind a pooler", (it) => {
    together(it)

    it.effect("use no session state behind the pooler", () =>
      Effect.gen(function*() {
        const { refusals, transactions } = yield* TransactionPooler
        const before = transactions()
        for (const instance of yield* TwoInstances) {
          assert.strictEqual((yield* Context.get(instance, TestServer).request("GET", "/readyz")).status, 200)
        }
        assert.isAtLeast(transactions(), before + 2)
        assert.deepStrictEqual(refusals, [])
      }))
  })

  it.layer(Layer.unwrap(Effect.map(
    Effect.flatMap(RealPostgres, ({ createDatabase }) => createDatabase),
    (url) =>
      TestServer.make({
        DATABASE_URL: Redacted.value(url),
        ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`
      })
  )))("an instance without ADMIN_TOKEN", (it) => {
    it.effect("takes no token for the management API, which exists for signed-in members alone", () =>
      Effect.gen(function*() {
        const { request } = yield* TestServer
        const sql = yield* SqlClient.SqlClient
        const member = { id: MemberId.make(yield* newId("mem")) }
        yield* sql`INSERT INTO members ${
          sql.insert({ ...member, email: "root@example.com", role: "admin", created_at: new Date(0) })
        }`
        const root = yield* withSession(member)
        for (const { method, path } of apiRoutes.filter(({ path }) => path.startsWith("/admin/v1"))) {
          for (const key of [undefined, "", "undefined", "null", "x".repeat(40)]) {
            assertError(yield* request(method, path, { key }), 404, "route_not_found")
          }
        }
        const created = yield* root.request("POST", "/admin/v1/keys", { body: { member_id: member.id, name: "k" } })
        assert.strictEqual(created.status, 201)
        const { key } = Schema.decodeUnknownSync(Schema.Struct({ key: Schema.String }))(created.json)
        assert.strictEqual((yield* request("GET", "/v1/connections", { key })).status, 200)
        assertError(yield* request("GET", "/admin/v1/keys", { key }), 404, "route_not_found")
        // A token takes precedence over the session of the same request.
        assertError(yield* root.request("GET", "/admin/v1/keys", { key }), 404, "route_not_found")
        assert.strictEqual((yield* root.request("GET", "/admin/v1/audit")).status, 200)
      }))
  })
})
