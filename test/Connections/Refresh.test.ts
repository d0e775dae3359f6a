import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"

layer(TestServer.layer, { excludeTestServices: true })("a connection whose token has expired", (it) => {
  it.effect("makes one token request for fifty calls at once, all of which are answered and logged", () =>
    Effect.gen(function*() {
      const upstream = yield* LoopbackUpstream
      const { connection, reader } = yield* seed({ credentials: expiredGrant("fifty") })
      upstream.handle(({ url }) => ({
        body: url === "/googleToken"
          ? { access_token: "ya29.fresh-0123456789", expires_in: 3600, token_type: "Bearer" }
          : { siteEntry: [] }
      }))
      const answers = yield* Effect.replicateEffect(
        reader.call.call({ payload: { provider: "gsc", endpoint: "sites.list" } }),
        50,
        { concurrency: "unbounded" }
      )
      for (const { connection_id } of answers) assert.strictEqual(connection_id, connection.id)
      const [grants, reads] = [
        upstream.requests.filter(({ url }) => url === "/googleToken"),
        upstream.requests.filter(({ url }) => url !== "/googleToken")
      ]
      assert.lengthOf(grants, 1)
      assert.deepStrictEqual(
        reads.map(({ headers }) => headers.authorization),
        answers.map(() => "Bearer ya29.fresh-0123456789")
      )
      const { calls } = yield* reader.logs.list({ query: { limit: 200 } })
      assert.sameMembers(calls.map(({ id }) => id), answers.map(({ call_id }) => call_id))
    }))
})
