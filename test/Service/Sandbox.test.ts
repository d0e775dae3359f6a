import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { compileJsonSchema } from "../support/InputSchema.ts"
import { TestDataDir } from "../support/TestServer.ts"
import { type Call, inputs, listOperations } from "./EveryOperation.ts"
import { callWith, connectAll, sandboxServerAt } from "./SandboxServer.ts"

const noon = "2026-03-18T17:00:00Z"
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

layer(sandboxServerAt(noon).pipe(Layer.provide(Layer.fresh(TestDataDir.layer))))("The service on the sandbox", (it) => {
  it.effect("responds to every listed endpoint and tool, with the output that the tool's schema describes", () =>
    Effect.gen(function*() {
      const key = yield* connectAll
      const all = yield* listOperations(key)
      assert.sameMembers(all.map(({ name }) => name), Object.keys(inputs), "each operation has a test input")
      for (const { call, name, tool } of all) {
        const data = yield* callWith(key)(call)
        const empty = Object.values(Object(data)).filter((field) => Array.isArray(field) && field.length === 0)
        assert.deepStrictEqual(empty, [], `${name} has an empty list: ${JSON.stringify(data).slice(0, 500)}`)
        if (tool !== undefined) assert.isTrue(compileJsonSchema(tool.output_schema)(data), `output of ${name}`)
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

      const again = yield* reads(key).pipe(Effect.provide(sandboxServerAt("2026-03-18T23:30:00Z"), { local: true }))
      assert.deepStrictEqual(again, after)
    }).pipe(Effect.provide(TestDataDir.layer)))
})
