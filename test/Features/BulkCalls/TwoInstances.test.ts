import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { report } from "../../Http/Fixture.ts"
import { eventually } from "../../support/Eventually.ts"
import { type Handler, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { freshGrant, seed, TestServer } from "../../support/TestServer.ts"
import { bulkIn } from "./Fixture.ts"

const answer: Handler = ({ headers }) => ({ body: { rows: [{ keys: [headers.authorization], clicks: 1 }] } })

layer(RealPostgres.layer, { excludeTestServices: true })("Two instances", (it) => {
  it.effect("make one table: the second goes on where the first has stopped", () =>
    Effect.gen(function*() {
      const settings = {
        DATABASE_URL: Redacted.value(yield* (yield* RealPostgres).createDatabase),
        ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
        ADMIN_TOKEN: randomBytes(32).toString("base64url")
      }
      const start = (scope: Scope.Scope) => Layer.buildWithScope(Layer.fresh(TestServer.make(settings)), scope)
      const stopping = yield* Scope.make()
      const first = yield* start(stopping)
      const seeded = yield* Effect.provideContext(seed(), first)
      const { connect, connection, readOnly: key } = seeded
      const others = yield* Effect.forEach(
        Array.from({ length: 39 }, (_, index) => `two-${index + 100}`),
        (name) => Effect.provideContext(connect({ label: name, credentials: freshGrant(name) }), first)
      )
      const ids = [connection, ...others].map(({ id }) => id)
      let answered = 0
      Context.get(first, LoopbackUpstream).handle((request) => answered++ < 10 ? answer(request) : () => undefined)
      const started = yield* Context.get(first, TestServer).request("POST", "/v1/bulk-calls", {
        key,
        body: report(["query"])
      })
      const { id } = bulkIn(started)
      const getFrom = (instance: Context.Context<TestServer>, wait: number) =>
        Effect.map(
          Context.get(instance, TestServer).request("GET", `/v1/bulk-calls/${id}?wait=${wait}`, { key }),
          bulkIn
        )
      yield* eventually(getFrom(first, 0), ({ done }) => done === 10)
      yield* Scope.close(stopping, Exit.void)
      const second = yield* start(yield* Effect.scope)
      Context.get(second, LoopbackUpstream).handle(answer)
      const { request } = Context.get(second, TestServer)
      const bulk = yield* getFrom(second, 60)
      assert.deepInclude(bulk, { status: "done", total: 40, done: 40, failed: 0 })
      const { json } = yield* request("GET", `/v1/results/${bulk.result?.id}`, { key })
      const rows: ReadonlyArray<ReadonlyArray<unknown>> = Object(json).rows
      assert.sameMembers(rows.map((row) => row[2]), ids)
    }))
})
