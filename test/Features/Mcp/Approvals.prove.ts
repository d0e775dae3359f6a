import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type * as playwright from "playwright-core"
import { DashboardTest, startWrites } from "../../Dashboard/Fixture.ts"
import { at } from "../../Service/SandboxServer.ts"
import { TestServer } from "../../support/TestServer.ts"
import { type Connected, newest, sdk1, type ShowPage } from "./McpClients.ts"

/** With elicitation, the client shows the page of an approval to its user. */
const withElicitation = [
  { client: "@modelcontextprotocol/client, pinned to 2026-07-28", connect: newest({ pin: "2026-07-28" }) },
  { client: "@modelcontextprotocol/sdk 1", connect: sdk1 }
]

/** A spreadsheet, the key of an agent that is asked, and its member, who is signed in in a browser. */
const start = Effect.gen(function*() {
  const { admin } = yield* TestServer
  const { connection_id, file: spreadsheet, params, write, ...started } = yield* startWrites({ undo: true })
  yield* write("before")
  yield* admin.keys.change({ params, payload: { writes: "ask" } })
  const input = { connection_id, spreadsheet, range: "Tab!A1", values: [["after"]] }
  return { ...started, update: { name: "sheets_update_range", arguments: input } }
})

const connected = (connecting: () => Promise<Connected>) =>
  Effect.acquireRelease(Effect.promise(connecting), (client) => Effect.promise(() => client.close()))

const decide = async (page: playwright.Page, url: string, decision = "Approve", said = "Approved and sent") => {
  await page.goto(url)
  await page.getByRole("button", { name: decision }).click()
  await page.getByText(said, { exact: true }).waitFor()
}

layer(DashboardTest, { excludeTestServices: true })("A write that an agent asks for", (it) => {
  it.effect.each(withElicitation)(
    "is shown to its user by $client, approved in a browser, answered, and undone",
    ({ connect }) =>
      Effect.gen(function*() {
        const { key, page, read, update } = yield* start
        const { url } = yield* TestServer
        const shown: Array<string> = []
        let decided: Promise<void> = Promise.resolve()
        const show: ShowPage = async (url) => {
          shown.push(url)
          decided = decide(page, url)
          // The first time the user has decided when the client says so, the second time only afterwards.
          if (shown.length === 1) await decided
          return true
        }
        const agent = yield* connected(() => connect(new URL(`${url}/mcp`), key, show))
        const written = yield* Effect.promise(() => agent.callTool(update))
        assert.isUndefined(at(written, "isError"), JSON.stringify(written))
        assert.deepStrictEqual(yield* read, [["after"]])

        const call_id = at(written, "structuredContent.call_id")
        const undone = yield* Effect.promise(() => agent.callTool({ name: "undo", arguments: { call_id } }))
        yield* Effect.promise(() => decided)
        assert.strictEqual(at(undone, "structuredContent.data.undone"), call_id, JSON.stringify(undone))
        assert.deepStrictEqual(yield* read, [["before"]])
        assert.lengthOf(new Set(shown), 2)
      }).pipe(Effect.scoped)
  )

  it.effect("reaches a client without elicitation, with its page, approved in a browser, answered, and undone", () =>
    Effect.gen(function*() {
      const { key, page, read, update } = yield* start
      const { url } = yield* TestServer
      const agent = yield* connected(() => sdk1(new URL(`${url}/mcp`), key))
      /** Calls, has the user approve, and waits for the response. */
      const call = Effect.fnUntraced(function*(call: Parameters<Connected["callTool"]>[0]) {
        const asked = yield* Effect.promise(() => agent.callTool(call))
        assert.strictEqual(at(asked, "structuredContent.error.code"), "approval_required", JSON.stringify(asked))
        const { approval_id, url } = Object(at(asked, "structuredContent.error.details"))
        const wait = { name: "get_approval", arguments: { approval: approval_id, wait: 30 } }
        const [approval] = yield* Effect.promise(() => Promise.all([agent.callTool(wait), decide(page, url)]))
        assert.strictEqual(at(approval, "structuredContent.status"), "done", JSON.stringify(approval))
        return at(approval, "structuredContent.response")
      })
      const call_id = at(yield* call(update), "call_id")
      assert.deepStrictEqual(yield* read, [["after"]])
      const undone = yield* call({ name: "undo", arguments: { call_id } })
      assert.strictEqual(at(undone, "data.undone"), call_id)
      assert.deepStrictEqual(yield* read, [["before"]])
    }).pipe(Effect.scoped))
})
