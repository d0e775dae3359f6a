import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { compileJsonSchema, findGaps } from "../support/InputSchema.ts"
import { TestServer } from "../support/TestServer.ts"
import { authMethods, Connected, providerIds } from "./Connected.ts"
import { nameOf, reads, writes } from "./EveryOperation.ts"

const readerApi = Effect.gen(function*() {
  const { api } = yield* TestServer
  const { readOnly } = yield* Connected
  return api(readOnly)
})

const list = Effect.flatMap(readerApi, (reader) => reader.providers.list())

const detail = (id: string) => Effect.flatMap(readerApi, (reader) => reader.providers.get({ params: { id } }))

/** By provider and kind, in the order of the calls. */
const calledBy = (id: string, kind: "endpoint" | "tool"): ReadonlyArray<readonly [name: string, writes: boolean]> =>
  ([[reads, false], [writes, true]] as const).flatMap(([calls, writing]) =>
    calls.filter((call) => call.provider === id && kind in call).map((call) => [nameOf(call), writing] as const)
  )

const count = (operations: ReadonlyArray<{ readonly writes: boolean }>) => [
  operations.length,
  operations.filter(({ writes }) => writes).length
]

const names: Readonly<Record<string, string>> = {
  gsc: "Search Console",
  ga4: "Analytics",
  sitesearch: "Site Search Webmaster",
  gsheets: "Spreadsheets",
  gdocs: "Documents"
}

/** Rules between fields are in `allOf` without a description. Rows can be objects with any keys. */
const isIntended = (gap: string): boolean => gap.includes("/allOf/") || /^#\/properties\/rows\/.* is open$/.test(gap)

const upstreams: Readonly<Record<string, RegExp>> = {
  gsc: /^https:\/\/searchconsole\.googleapis\.com\/(?:webmasters\/v3|v1)\//,
  ga4: /^https:\/\/analytics(?:data|admin)\.googleapis\.com\/v1beta\//,
  sitesearch: /^https:\/\/ssl\.bing\.com\/webmaster\/api\.svc\/json\//,
  gsheets: /^https:\/\/sheets\.googleapis\.com\/v4\/spreadsheets/,
  gdocs: /^https:\/\/docs\.googleapis\.com\/v1\/documents/
}

layer(Connected.layer, { excludeTestServices: true })("What the service tells of its providers", (it) => {
  it.effect("has 36 raw endpoints, 10 of which write, and 18 tools, 7 of which write", () =>
    Effect.gen(function*() {
      const details = yield* Effect.forEach(providerIds, detail)
      assert.deepStrictEqual(count(details.flatMap(({ endpoints }) => endpoints)), [36, 10])
      assert.deepStrictEqual(count(details.flatMap(({ tools }) => tools)), [18, 7])
    }))

  it.effect.each(providerIds)(
    "%s: the tests of the whole service call every operation, and know what writes",
    (id) =>
      Effect.gen(function*() {
        const { endpoints, tools } = yield* detail(id)
        assert.sameDeepMembers(endpoints.map(({ id, writes }) => [id, writes] as const), [...calledBy(id, "endpoint")])
        assert.sameDeepMembers(tools.map(({ name, writes }) => [name, writes] as const), [...calledBy(id, "tool")])
      })
  )

  it.effect("names them neutrally, with the ways to connect them", () =>
    Effect.gen(function*() {
      const { providers } = yield* list
      assert.deepStrictEqual(
        providers.map(({ auth_methods, id, name }) => [id, name, auth_methods]),
        providerIds.map((id) => [id, names[id] ?? "", authMethods[id] ?? []])
      )
    }))

  it.effect.each(providerIds)(
    "%s: has a description, a method and an upstream address of every operation",
    (id) =>
      Effect.gen(function*() {
        const { endpoints, tools, ...summary } = yield* detail(id)
        assert.deepStrictEqual(summary, { id, name: names[id], auth_methods: authMethods[id] })
        for (const endpoint of endpoints) {
          assert.hasAllKeys(endpoint, ["id", "description", "method", "url", "writes", "input_schema"])
          assert.match(endpoint.description, /^[A-Z].*\.$/)
          assert.include(["GET", "POST", "PUT"], endpoint.method)
          assert.match(endpoint.url, upstreams[id] ?? /$^/)
        }
        for (const tool of tools) {
          assert.hasAllKeys(tool, ["name", "description", "writes", "input_schema", "output_schema"])
          assert.match(tool.description, /^[A-Z]/)
          assert.notMatch(tool.description, /(?:Freshness|Window|Units|Order|Truncation|Empty): /)
          assert.isAtMost(tool.description.length, 1024, tool.name)
          const others = tool.description.replaceAll(tool.name, "")
          assert.include(others, `${tool.name.split("_")[0]}_`, "names a tool for what this one does not do")
        }
      })
  )

  it.effect.each(providerIds)(
    "%s: every input_schema is JSON Schema 2020-12, closed and described throughout, for tools also flat",
    (id) =>
      Effect.gen(function*() {
        const { endpoints, tools } = yield* detail(id)
        for (const { input_schema } of [...endpoints, ...tools]) {
          assert.strictEqual(input_schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
          compileJsonSchema(input_schema)
          assert.deepStrictEqual(findGaps(input_schema).filter((gap) => !isIntended(gap)), [])
          assert.isBelow(JSON.stringify(input_schema).length, 300_000)
        }
        for (const { input_schema, name } of tools) {
          assert.notMatch(JSON.stringify(input_schema), /"(?:oneOf|allOf|\$ref|\$defs)"/, `${name} is flat`)
        }
      })
  )
})
