import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { LoopbackUpstream, type Recorded } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"

type Instance = Context.Context<TestServer | LoopbackUpstream>

/** Two instances of the service that were started at once on an empty database, each with a stand-in of the providers. */
class TwoInstances extends Context.Service<TwoInstances, readonly [Instance, Instance]>()(
  "openaccounts/test/TwoInstances"
) {
  static readonly layer = Layer.effect(
    TwoInstances,
    Effect.gen(function*() {
      const { createDatabase } = yield* RealPostgres
      const instance = Layer.build(Layer.fresh(TestServer.make(Layer.empty, {
        DATABASE_URL: Redacted.value(yield* createDatabase),
        ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
        ADMIN_TOKEN: randomBytes(32).toString("base64url")
      })))
      return yield* Effect.all([instance, instance], { concurrency: "unbounded" })
    })
  ).pipe(Layer.provide(RealPostgres.layer))
}

/** Answers for both instances, and collects what both ask. */
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

layer(TwoInstances.layer, { excludeTestServices: true })("two instances on one database", (it) => {
  it.effect("make one token request for a hundred calls at once on an expired token", () =>
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

  it.effect("find what was made, called and logged through the other one", () =>
    Effect.gen(function*() {
      const instances = yield* TwoInstances
      const [here, there] = instances
      const { connection, readOnly } = yield* Effect.provideContext(seed(), here)
      play(instances, fresh)
      const { json } = yield* Context.get(there, TestServer).call(readOnly, siteList)
      assert.strictEqual(json.connection_id, connection.id)
      const logged = yield* Context.get(here, TestServer).request("GET", `/v1/logs/${json.call_id}`, { key: readOnly })
      assert.deepStrictEqual(logged.json.response, json)
    }))
})
