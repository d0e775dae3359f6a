import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"
import { type Call, nameOf } from "./EveryOperation.ts"
import { operations } from "./SandboxOperations.ts"
import { at, callWith, connectAll, sandboxServerAt } from "./SandboxServer.ts"

/** Operations as the service itself lists them, provider by provider. */
const listed = Effect.fnUntraced(function*(key: string) {
  const server = yield* TestServer
  const { json } = yield* server.request("GET", "/v1/providers", { key })
  const calls: Array<Call & { readonly writes: boolean }> = []
  for (const { id: provider } of json.providers) {
    const { json: { endpoints, tools } } = yield* server.request("GET", `/v1/providers/${provider}`, { key })
    for (const { id, writes } of endpoints) calls.push({ provider, endpoint: id, writes })
    for (const { name, writes } of tools) calls.push({ provider, tool: name, writes })
  }
  return calls.map(({ writes, ...call }) => ({ call, writes, name: `${call.provider} ${nameOf(call)}` }))
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

layer(inNewFolder(noon))("The whole service on the sandbox", (it) => {
  it.effect("answers every endpoint and every tool that it lists", () =>
    Effect.gen(function*() {
      const key = yield* connectAll
      const all = yield* listed(key)
      assert.sameMembers(all.map(({ name }) => name), Object.keys(operations), "each operation has a row")
      for (const { call, name } of all) {
        const { has, input } = operations[name] ?? { has: "", input: {} }
        const data = yield* callWith(key)({ ...call, input })
        assert.isDefined(at(data, has), `${name} has no ${has}: ${JSON.stringify(data).slice(0, 500)}`)
      }
    }))

  it.effect("an appended row is there when the tab is read", () =>
    Effect.gen(function*() {
      const asked = callWith(yield* connectAll)
      const { rows: before } = yield* asked(readLeads)
      yield* asked({
        ...leads,
        tool: "sheets_append_rows",
        input: { ...leads.input, rows: [{ Name: "Ines Duarte", "Value (£)": 12.5 }] }
      })
      const { rows } = yield* asked(readLeads)
      assert.deepStrictEqual(rows.slice(0, -1), before)
      assert.include(rows.at(-1), { Name: "Ines Duarte", "Value (£)": 12.5 })
    }))

  it.effect("appended text is there when the document is read", () =>
    Effect.gen(function*() {
      const asked = callWith(yield* connectAll)
      const { text: before } = yield* asked(readPlan)
      assert.notInclude(before, "Wheelbarrows")
      yield* asked({ ...plan, tool: "docs_append", input: { ...plan.input, text: "- Wheelbarrows 🛒" } })
      const { text } = yield* asked(readPlan)
      assert.include(text, "- Wheelbarrows 🛒")
    }))

  it.effect("a submitted URL lowers what is left of the day and of the month", () =>
    Effect.gen(function*() {
      const asked = callWith(yield* connectAll)
      const { d: before } = yield* asked(quota)
      yield* asked(submit)
      const { d: after } = yield* asked(quota)
      assert.deepStrictEqual(
        [after.DailyQuota, after.MonthlyQuota],
        [before.DailyQuota - 1, before.MonthlyQuota - 1]
      )
    }))
})

/** What the writes of these tests change. */
const reads = (key: string) => Effect.forEach([readLeads, readPlan, quota], callWith(key))

describe("A sandbox that is started again", () => {
  it.effect("in the same folder has what was written, and the keys and connections that were made", () =>
    Effect.gen(function*() {
      const { after, before, key } = yield* Effect.gen(function*() {
        const key = yield* connectAll
        const asked = callWith(key)
        const before = yield* reads(key)
        yield* asked({ ...leads, tool: "sheets_append_rows", input: { ...leads.input, rows: [{ Name: "Ines" }] } })
        yield* asked({ ...plan, tool: "docs_append", input: { ...plan.input, text: "Still here." } })
        yield* asked(submit)
        return { key, before, after: yield* reads(key) }
      }).pipe(Effect.provide(sandboxServerAt(noon), { local: true }))
      assert.notDeepEqual(after, before)

      const again = yield* reads(key).pipe(Effect.provide(sandboxServerAt(evening), { local: true }))
      assert.deepStrictEqual(again, after)
    }).pipe(Effect.provide(TestDataDir.layer)))

  it.effect("in another folder gives the same data on the same day", () =>
    Effect.gen(function*() {
      const readAll = Effect.gen(function*() {
        const key = yield* connectAll
        const all = yield* listed(key)
        return yield* Effect.forEach(all.filter(({ writes }) => !writes), ({ call, name }) =>
          Effect.map(
            callWith(key)({ ...call, input: operations[name]?.input }),
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
