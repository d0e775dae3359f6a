import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { expiredGrant, seed, TestServer } from "../support/TestServer.ts"

layer(TestServer.layer, { excludeTestServices: true })("a connection whose token has expired", (it) => {
  it.effect("makes one token request for fifty calls at once, all of which are answered and logged", () =>
    Effect.gen(function*() {
      const server = yield* TestServer
      const upstream = yield* LoopbackUpstream
      const { connection, readOnly } = yield* seed({ credentials: expiredGrant("fifty") })
      upstream.handle(({ url }) => ({
        body: url === "/googleToken"
          ? { access_token: "ya29.fresh-0123456789", expires_in: 3600, token_type: "Bearer" }
          : { siteEntry: [] }
      }))
      const answers = yield* Effect.replicateEffect(
        server.call(readOnly, { provider: "gsc", endpoint: "sites.list" }),
        50,
        { concurrency: "unbounded" }
      )
      for (const { json, status } of answers) {
        assert.strictEqual(status, 200)
        assert.strictEqual(json.connection_id, connection.id)
      }
      const [grants, reads] = [
        upstream.requests.filter(({ url }) => url === "/googleToken"),
        upstream.requests.filter(({ url }) => url !== "/googleToken")
      ]
      assert.lengthOf(grants, 1)
      assert.deepStrictEqual(
        reads.map(({ headers }) => headers.authorization),
        answers.map(() => "Bearer ya29.fresh-0123456789")
      )
      const { json } = yield* server.request("GET", "/v1/logs?limit=200", { key: readOnly })
      assert.sameMembers(
        json.calls.map(({ id }: { readonly id: string }) => id),
        answers.map(({ json }) => json.call_id)
      )
    }))
})
