import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { blankDocument } from "../../../src/Sandbox/Providers/Gdocs/Engine/Defaults.ts"
import { documentResource } from "../../../src/Sandbox/Providers/Gdocs/Engine/Resource.ts"
import { after, insert } from "../../Sandbox/Providers/Gdocs/Engine/DocumentFixture.ts"
import type { Call } from "../../Service/EveryOperation.ts"
import { at, connectedMember, SandboxServer } from "../../Service/SandboxServer.ts"
import { type Handler, holdReplies, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { newSheet, sheet, update } from "../../support/SheetCalls.ts"
import { withSession } from "../../support/SignedIn.ts"
import { keyFor, seed, TestServer } from "../../support/TestServer.ts"

/** A key that asks, a plain one, and their member. */
const start = Effect.gen(function*() {
  const { request } = yield* TestServer
  const { member, readWrite } = yield* connectedMember
  const key = yield* keyFor(member, { access: "read_write", writes: "ask" })
  const person = yield* withSession(member)
  const send = (body: Call, by = readWrite) => request("POST", "/v1/call", { key: by, body })
  const approval = (id: unknown) => Effect.map(person.request("GET", `/v1/approvals/${id}`), ({ json }) => json)
  return {
    send,
    approval,
    ask: (body: Call) => Effect.map(send(body, key), ({ json }) => at(json, "error.details.approval_id")),
    approve: (id: unknown) => person.request("POST", `/v1/approvals/${id}/approve`)
  }
})

layer(SandboxServer, { excludeTestServices: true })(
  "A write that is approved after another has changed the cells",
  (it) => {
    it.effect("is not sent, and is shown anew", () =>
      Effect.gen(function*() {
        const { approval, approve, ask, send } = yield* start
        const file = at((yield* send(newSheet({ title: "Tab" }))).json, "data.spreadsheetId")
        const write = (value: string) => update("Tab!A1", [[value]])(file)
        const read = Effect.map(send(sheet("values.get", {}, "Tab!A1")(file)), ({ json }) => at(json, "data.values"))
        yield* send(write("old"))
        const [one, two] = [yield* ask(write("one")), yield* ask(write("two"))]
        assert.strictEqual((yield* approve(one)).status, 200)

        const stale = yield* approve(two)
        const changes = [{ range: "'Tab'!A1", before: [["one"]], after: [["two"]] }]
        assert.deepStrictEqual([stale.status, at(stale.json, "error.code")], [409, "approval_stale"])
        assert.deepStrictEqual(at(stale.json, "error.details"), {
          changes,
          not_shown: { changes: 0, cells: 0, characters: 0 }
        })
        const shown = yield* approval(two)
        assert.deepStrictEqual([at(shown, "status"), at(shown, "changes")], ["pending", changes])
        assert.deepStrictEqual(yield* read, [["one"]])

        assert.strictEqual(at((yield* approve(two)).json, "status"), "done")
        assert.deepStrictEqual(yield* read, [["two"]])
      }))

    it.effect("is not sent where what differs is not shown", () =>
      Effect.gen(function*() {
        const { approval, approve, ask, send } = yield* start
        const gridProperties = { rowCount: 12_000, columnCount: 1 }
        const made = yield* send(newSheet({ title: "Tab", gridProperties }))
        const file = at(made.json, "data.spreadsheetId")
        const id = yield* ask(update("Tab!A1", Array.from({ length: 12_000 }, (_, row) => [`${row}`]))(file))
        const shown = yield* approval(id)
        assert.deepStrictEqual([at(shown, "truncated"), at(shown, "not_shown.cells")], [true, 2000])
        yield* send(update("Tab!A11999", [["theirs"]])(file))
        assert.strictEqual((yield* approve(id)).status, 409)
      }))
  }
)

const documentWith = (text: string) =>
  documentResource(after(blankDocument("doc1", "Plan"), insert(1, text)), { includeTabsContent: true })
const document = documentWith("Hello")
const changed = documentWith("xHello")

const answer: Handler = ({ method }) => ({ body: method === "GET" ? document : { documentId: "doc1" } })

const insertText = { insertText: { location: { index: 1 }, text: "x" } }

/** Asks for an edit, and what approves it. */
const askFor = Effect.fnUntraced(function*(request: object) {
  const { call } = yield* TestServer
  const { member } = yield* seed({ provider: "gdocs" })
  const upstream = yield* LoopbackUpstream
  upstream.handle(answer)
  const asked = yield* call(yield* keyFor(member, { access: "read_write", writes: "ask" }), {
    provider: "gdocs",
    endpoint: "documents.batchUpdate",
    input: { path: { documentId: "doc1" }, body: { requests: [request] } }
  })
  const person = yield* withSession(member)
  const approve = person.request("POST", `/v1/approvals/${at(asked.json, "error.details.approval_id")}/approve`)
  return { approve, upstream }
})

layer(TestServer.layer, { excludeTestServices: true })("A write to a document that is approved", (it) => {
  const edits = [
    { what: "text", request: insertText },
    { what: "anything else", request: { insertTable: { location: { index: 1 }, rows: 1, columns: 1 } } }
  ]
  it.effect.each(edits)(
    "is refused by the provider if the document was changed since the plan: $what",
    ({ request }) =>
      Effect.gen(function*() {
        const { approve, upstream } = yield* askFor(request)
        const approved = yield* approve
        assert.deepStrictEqual([at(approved.json, "status"), at(approved.json, "resource_name")], ["done", "Plan"])
        const [written, ...others] = upstream.requests.filter(({ method }) => method === "POST")
        assert.deepStrictEqual(JSON.parse(written?.body ?? ""), {
          requests: [request],
          writeControl: { requiredRevisionId: document["revisionId"] }
        })
        assert.isEmpty(others)
      })
  )

  it.effect("is answered as done to a second approval that has seen the document changed by the first", () =>
    Effect.gen(function*() {
      const { approve, upstream } = yield* askFor(insertText)
      const { arrived, holding, release } = yield* holdReplies(() => ({ body: changed }))
      upstream.handle(holding)
      const second = yield* Effect.forkScoped(approve)
      yield* arrived
      upstream.handle(answer)
      const first = yield* approve
      yield* release
      const { json } = yield* Fiber.join(second)
      assert.deepStrictEqual([at(first.json, "status"), at(json, "status")], ["done", "done"])
    }))
})
