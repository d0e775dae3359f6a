import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertError, errorIn } from "../support/Answer.ts"
import { compileJsonSchema, findGaps } from "../support/InputSchema.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { TestServer } from "../support/TestServer.ts"
import { authMethods, Connected, providerIds } from "./Connected.ts"
import { type Call, listOperations, nameOf } from "./EveryOperation.ts"
import { at } from "./SandboxServer.ts"

const names: Readonly<Record<string, string>> = {
  gsc: "Search Console",
  ga4: "Analytics",
  sitesearch: "Site Search Webmaster",
  gsheets: "Spreadsheets",
  gdocs: "Documents"
}

const writing = [
  "SubmitUrl SubmitUrlBatch",
  "values.update values.append values.batchUpdate values.clear spreadsheets.create spreadsheets.batchUpdate",
  "sheets_append_rows sheets_update_range sheets_create",
  "documents.create documents.batchUpdate docs_create docs_append docs_replace_text docs_insert"
].flatMap((names) => names.split(" "))

/** Rules between fields are in `allOf` without a description. Rows can be objects with any keys. */
const isIntended = (gap: string): boolean => gap.includes("/allOf/") || /^#\/properties\/rows\/.* is open$/.test(gap)

const upstreams: Readonly<Record<string, RegExp>> = {
  gsc: /^https:\/\/searchconsole\.googleapis\.com\/(?:webmasters\/v3|v1)\//,
  ga4: /^https:\/\/analytics(?:data|admin)\.googleapis\.com\/v1beta\//,
  sitesearch: /^https:\/\/ssl\.bing\.com\/webmaster\/api\.svc\/json\//,
  gsheets: /^https:\/\/sheets\.googleapis\.com\/v4\/spreadsheets/,
  gdocs: /^https:\/\/docs\.googleapis\.com\/v1\/documents/
}

type Operation = Effect.Success<ReturnType<typeof listOperations>>[number]

/** What the provider gets, which answers with `{}`. */
const send = Effect.fnUntraced(function*(access: "readOnly" | "readWrite", call: Call) {
  const upstream = yield* LoopbackUpstream
  const connected = yield* Connected
  upstream.handle(() => ({ body: {} }))
  const connection_id = yield* connected.connection(call.provider, "oauth")
  const answer = yield* (yield* TestServer).call(connected[access], { ...call, connection_id })
  return { answer, sent: upstream.requests.length }
})

const checks: Readonly<
  Record<string, (operation: Operation) => Effect.Effect<void, never, Connected | LoopbackUpstream | TestServer>>
> = {
  "has a description, and its method and address, or what it is not for": ({ call: { provider }, ...operation }) =>
    Effect.sync(() => {
      const { description, name, tool } = operation
      if (tool === undefined) {
        assert.match(description, /^[A-Z].*\.$/, name)
        assert.include(["GET", "POST", "PUT"], at(operation, "method"), name)
        assert.match(String(at(operation, "url")), upstreams[provider] ?? /$^/, name)
        return
      }
      assert.hasAllKeys(tool, ["name", "description", "writes", "input_schema", "output_schema"])
      assert.match(description, /^[A-Z]/, name)
      assert.notMatch(description, /(?:Freshness|Window|Units|Order|Truncation|Empty): /, name)
      assert.isAtMost(description.length, 1024, name)
      const others = description.replaceAll(tool.name, "")
      assert.include(others, `${tool.name.split("_")[0]}_`, "names a tool for what this one does not do")
    }),

  "has an input_schema that is JSON Schema 2020-12, closed and described throughout, for tools also flat": (
    { input_schema, name, tool }
  ) =>
    Effect.sync(() => {
      assert.strictEqual(input_schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
      compileJsonSchema(input_schema)
      assert.deepStrictEqual(findGaps(input_schema).filter((gap) => !isIntended(gap)), [], name)
      const text = JSON.stringify(input_schema)
      assert.isBelow(text.length, 300_000, name)
      if (tool !== undefined) assert.notMatch(text, /"(?:oneOf|allOf|\$ref|\$defs)"/, `${name} is flat`)
    }),

  "is sent for a read-only key if it reads, and for a read-write key": Effect.fnUntraced(function*({ call, writes }) {
    for (const access of writes ? ["readWrite" as const] : ["readOnly" as const, "readWrite" as const]) {
      const { answer, sent } = yield* send(access, call)
      assert.notStrictEqual(answer.status, 403, answer.text)
      assert.isAbove(sent, 0, answer.text)
    }
  }),

  "is refused to a read-only key if it writes, before its input is validated": Effect.fnUntraced(
    function*({ call, name, writes }) {
      assert.strictEqual(writes, writing.includes(nameOf(call)), name)
      if (!writes) return
      for (const input of [call.input ?? {}, { body: "wrong" }]) {
        const { answer, sent } = yield* send("readOnly", { ...call, input })
        assertError(answer, 403, "read_only")
        assert.notProperty(errorIn(answer), "details")
        assert.strictEqual(sent, 0, name)
      }
    }
  )
}

layer(Connected.layer, { excludeTestServices: true })("Every operation that the service tells of", (it) => {
  const all = Effect.flatMap(Connected, ({ readOnly }) => listOperations(readOnly))

  it.effect.each(Object.entries(checks))(
    "%s",
    ([, check]) => Effect.flatMap(all, Effect.forEach((operation) => check(operation), { discard: true }))
  )

  it.effect("is one of 36 raw endpoints and 18 tools of providers with neutral names", () =>
    Effect.gen(function*() {
      const found = yield* all
      assert.lengthOf(found.filter(({ tool }) => tool === undefined), 36)
      assert.lengthOf(found.filter(({ tool }) => tool !== undefined), 18)
      const reader = (yield* TestServer).api((yield* Connected).readOnly)
      const { providers } = yield* reader.providers.list()
      assert.deepStrictEqual(
        providers,
        providerIds.map((id) => ({ id, name: names[id] ?? "", auth_methods: authMethods[id] ?? [] }))
      )
      for (const provider of providers) {
        const { endpoints, tools: _, ...summary } = yield* reader.providers.get({ params: { id: provider.id } })
        assert.deepStrictEqual(summary, provider)
        for (const endpoint of endpoints) {
          assert.hasAllKeys(endpoint, ["id", "description", "method", "url", "writes", "input_schema"])
        }
      }
    }))
})
