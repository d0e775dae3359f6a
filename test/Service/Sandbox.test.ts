import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { JsonSchema } from "../../src/Providers/Catalog/JsonSchema.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { compileJsonSchema } from "../support/InputSchema.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"
import { type Call, nameOf } from "./EveryOperation.ts"
import { operations } from "./SandboxOperations.ts"
import { at, callWith, connectAll, sandboxServerAt } from "./SandboxServer.ts"

const listOperations = Effect.fnUntraced(function*(key: string) {
  const reader = (yield* TestServer).api(key)
  const { providers } = yield* reader.providers.list()
  const calls: Array<Call & { readonly writes: boolean; readonly output_schema?: JsonSchema }> = []
  for (const { id: provider } of providers) {
    const { endpoints, tools } = yield* reader.providers.get({ params: { id: provider } })
    for (const { id, writes } of endpoints) calls.push({ provider, endpoint: id, writes })
    for (const { name, output_schema, writes } of tools) calls.push({ provider, tool: name, writes, output_schema })
  }
  return calls.map(({ output_schema, writes, ...call }) => ({
    call,
    writes,
    output_schema,
    name: `${call.provider} ${nameOf(call)}`
  }))
})

const noon = "2026-03-18T17:00:00Z"
const evening = "2026-03-18T23:30:00Z"

const inNewFolder = (instant: string) => sandboxServerAt(instant).pipe(Layer.provide(Layer.fresh(TestDataDir.layer)))

const leads = { provider: "gsheets", input: { spreadsheet: leadsId } }
const plan = { provider: "gdocs", input: { document: planId } }
const readLeads: Call = { ...leads, tool: "sheets_read" }
const readPlan: Call = { ...plan, tool: "docs_read" }

const siteUrl = `${company.blog}/`
const submit: Call = {
  provider: "sitesearch",
  endpoint: "SubmitUrl",
  input: { body: { siteUrl, url: `${siteUrl}new` } }
}
const quota: Call = { provider: "sitesearch", endpoint: "GetUrlSubmissionQuota", input: { query: { siteUrl } } }

layer(inNewFolder(noon))("The service on the sandbox", (it) => {
  it.effect("responds to every listed endpoint and tool, with the output that the tool's schema describes", () =>
    Effect.gen(function*() {
      const key = yield* connectAll
      const all = yield* listOperations(key)
      assert.sameMembers(all.map(({ name }) => name), Object.keys(operations), "each operation has a test input")
      for (const { call, name, output_schema } of all) {
        const { has, input } = operations[name] ?? { has: "", input: {} }
        const data = yield* callWith(key)({ ...call, input })
        assert.isDefined(at(data, has), `${name} has no ${has}: ${JSON.stringify(data).slice(0, 500)}`)
        if (output_schema !== undefined) assert.isTrue(compileJsonSchema(output_schema)(data), `output of ${name}`)
      }
    }))
})

const reads = (key: string) => Effect.forEach([readLeads, readPlan, quota], callWith(key))

describe("A restarted sandbox", () => {
  it.effect("keeps changes, keys and connections in the same folder", () =>
    Effect.gen(function*() {
      const { after, before, key } = yield* Effect.gen(function*() {
        const key = yield* connectAll
        const callData = callWith(key)
        const before = yield* reads(key)
        yield* callData({ ...leads, tool: "sheets_append_rows", input: { ...leads.input, rows: [{ Name: "Ines" }] } })
        yield* callData({ ...plan, tool: "docs_append", input: { ...plan.input, text: "Still here." } })
        yield* callData(submit)
        return { key, before, after: yield* reads(key) }
      }).pipe(Effect.provide(sandboxServerAt(noon), { local: true }))
      assert.notDeepEqual(after, before)

      const again = yield* reads(key).pipe(Effect.provide(sandboxServerAt(evening), { local: true }))
      assert.deepStrictEqual(again, after)
    }).pipe(Effect.provide(TestDataDir.layer)))

  it.effect("has the same data in another folder on the same day", () =>
    Effect.gen(function*() {
      const readAll = Effect.gen(function*() {
        const key = yield* connectAll
        const all = yield* listOperations(key)
        return yield* Effect.forEach(all.filter(({ writes }) => !writes), ({ call, name }) =>
          Effect.map(
            callWith(key)({ ...call, input: operations[name]?.input ?? {} }),
            (data) => [name, data] as const
          ))
      })
      const first = yield* readAll.pipe(Effect.provide(inNewFolder(noon), { local: true }))
      const second = yield* readAll.pipe(Effect.provide(inNewFolder(evening), { local: true }))
      for (const [index, [name, data]] of first.entries()) {
        assert.deepStrictEqual(second[index]?.[1], data, name)
      }
    }))
})
