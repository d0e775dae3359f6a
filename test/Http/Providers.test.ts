import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, issuePaths } from "../support/Answer.ts"
import { TestServer } from "../support/TestServer.ts"
import { seededServer } from "./Fixture.ts"

const get = Effect.fnUntraced(function*(path: string) {
  const { readOnly, server } = yield* seededServer()
  return yield* server.request("GET", `/v1/providers${path}`, { key: readOnly })
})

layer(TestServer.layer, { excludeTestServices: true })("GET /v1/providers/:id", (it) => {
  it.effect("leaves out the kind of operation that is not asked for, and refuses other parameters", () =>
    Effect.gen(function*() {
      const all = Object((yield* get("/gsc")).json)
      const { endpoints, tools, ...summary } = all
      assert.deepStrictEqual((yield* get("/gsc?kind=tools")).json, { ...summary, tools })
      assert.deepStrictEqual((yield* get("/gsc?kind=endpoints")).json, { ...summary, endpoints })
      assert.deepStrictEqual((yield* get("/gsc?schemas=true")).json, all)
      for (const query of ["kind=tool", "schemas=no", "kinds=tools"]) {
        assert.strictEqual(issuePaths(yield* get(`/gsc?${query}`)).join(), query.split("=")[0])
      }
    }))

  it.effect("leaves out schemas", () =>
    Effect.gen(function*() {
      const { json, text } = yield* get("/gsheets?schemas=false")
      const { endpoints, tools } = Object(json)
      assert.deepStrictEqual(Object.keys(endpoints[0]), ["id", "description", "method", "url", "writes"])
      assert.deepStrictEqual(Object.keys(tools[0]), ["name", "description", "writes"])
      assert.isBelow(text.length, 10_000)
      assert.hasAllKeys(Object((yield* get("/gsc?kind=tools&schemas=false")).json), [
        "id",
        "name",
        "auth_methods",
        "tools"
      ])
    }))

  it.effect("gives one operation, as it is in the list", () =>
    Effect.gen(function*() {
      const { endpoints, tools } = Object((yield* get("/sitesearch")).json)
      assert.deepStrictEqual((yield* get("/sitesearch/endpoints/GetUserSites")).json, endpoints[0])
      assert.deepStrictEqual((yield* get("/sitesearch/tools/sitesearch_top_queries")).json, tools[0])
      const dotted = yield* get("/gsheets/endpoints/spreadsheets.batchUpdate")
      assert.strictEqual(Object(dotted.json)["id"], "spreadsheets.batchUpdate")
    }))

  it.effect.each(
    [
      ["/x/endpoints/sites.list", "provider_not_found"],
      ["/x/tools/sites.list", "provider_not_found"],
      ["/gsc/endpoints/gsc_top_queries", "endpoint_not_found"],
      ["/gsc/tools/sites.list", "tool_not_found"]
    ] as const
  )(
    "answers 404 for an operation that does not exist: %s",
    ([path, code]) => Effect.map(get(path), (answer) => assertError(answer, 404, code))
  )
})
