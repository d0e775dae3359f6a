import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { freezes } from "../../scripts/examples/Freezes.ts"
import { features } from "../../src/Features/Features.ts"
import { assertError } from "../support/Answer.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { seed, TestServer } from "../support/TestServer.ts"

layer(TestServer.make({}, { features: [freezes, ...features] }), { excludeTestServices: true })(
  "A feature of a team's own",
  (it) => {
    it.effect("has its table, its routes, its page and its step in the calls", () =>
      Effect.gen(function*() {
        const { adminToken, call, request } = yield* TestServer
        const { connection, readWrite } = yield* seed({ provider: "gsheets" })
        const { handle } = yield* LoopbackUpstream
        handle(() => ({ body: { spreadsheetId: "1AbC", clearedRange: "A1" } }))
        const manage = (method: string, path: string) =>
          request(method, `/admin/v1/freezes${path}`, { key: adminToken })
        const write = {
          provider: "gsheets",
          endpoint: "values.clear",
          connection_id: connection.id,
          input: { path: { spreadsheetId: "1AbC", range: "A1" } }
        }
        const client = `/${connection.client_id}`

        assert.strictEqual((yield* manage("PUT", client)).status, 204)
        assertError(yield* call(readWrite, write), 403, "forbidden")
        assert.deepStrictEqual((yield* manage("GET", "")).json, { client_ids: [connection.client_id] })
        assert.include((yield* manage("GET", "/page")).text, `<li>${connection.client_id}`)

        assert.strictEqual((yield* manage("DELETE", client)).status, 204)
        assert.strictEqual((yield* call(readWrite, write)).status, 200)
        const { text } = yield* request("GET", "/openapi.json")
        assert.include(text, "/admin/v1/freezes/{client_id}")
      }))
  }
)
