import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { shownFields } from "../../../src/Domain/Calls/Change.ts"
import { UnkeptReason } from "../../../src/Domain/Calls/UndoReason.ts"
import { planId } from "../../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId } from "../../../src/Sandbox/Providers/Gsheets/Leads.ts"
import { type Call, listOperations } from "../../Service/EveryOperation.ts"
import { at, callWith, connectedMember, sandboxServerAt } from "../../Service/SandboxServer.ts"
import { batch, newSheet, sheet, sheetTool, update } from "../../support/SheetCalls.ts"
import { keyFor, TestDataDir, TestServer } from "../../support/TestServer.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    dry_run: Schema.Literal(true),
    ...shownFields,
    undoable: Schema.Boolean,
    undoable_reason: Schema.optionalKey(UnkeptReason)
  }),
  { onExcessProperty: "error" }
)

const nothing = { changes: 0, cells: 0, characters: 0 }

const docs = (...requests: ReadonlyArray<object>): Call => ({
  provider: "gdocs",
  endpoint: "documents.batchUpdate",
  input: { path: { documentId: planId }, body: { requests } }
})
const docsTool = (tool: string, input: object): Call => ({ provider: "gdocs", tool, input: { ...input } })
/** Of cells of the spreadsheet Leads. */
const enter = (range: string, values: ReadonlyArray<ReadonlyArray<unknown>>) =>
  update(`Leads!${range}`, values, "USER_ENTERED")(leadsId)
const enterAll = (data: ReadonlyArray<object>) =>
  sheet("values.batchUpdate", { body: { valueInputOption: "RAW", data } })(leadsId)
const append = (values: ReadonlyArray<ReadonlyArray<unknown>>) =>
  sheet("values.append", { query: { valueInputOption: "USER_ENTERED" }, body: { values } }, "Leads!A1")(leadsId)

const world = sandboxServerAt("2026-03-18T17:00:00Z").pipe(Layer.provide(Layer.fresh(TestDataDir.layer)))

layer(world)("A preview", (it) => {
  const start = Effect.gen(function*() {
    const { member, readWrite } = yield* connectedMember
    const { request } = yield* TestServer
    const key = yield* keyFor(member, { access: "read_write", undo: true })
    const call = callWith(key)
    return {
      key,
      call,
      previewWithoutUndo: (body: Call) =>
        Effect.map(callWith(readWrite)({ ...body, dry_run: true }), (data) => decode(data)),
      preview: (body: Call) => Effect.map(call({ ...body, dry_run: true }), (data) => decode(data)),
      readAll: Effect.all([
        call(sheet("spreadsheets.get", { query: { includeGridData: true } })(leadsId)),
        call({ provider: "gdocs", endpoint: "documents.get", input: { path: { documentId: planId } } })
      ]),
      request
    }
  })

  it.effect("of every operation that writes shows changes, and writes nothing", () =>
    Effect.gen(function*() {
      const { key, preview, readAll } = yield* start
      const before = yield* readAll
      for (const { call, name, writes } of yield* listOperations(key)) {
        if (writes) assert.isNotEmpty((yield* preview(call)).changes, name)
      }
      assert.deepStrictEqual(yield* readAll, before)
    }))

  it.effect("shows cells before and after, with formulas as texts", () =>
    Effect.gen(function*() {
      const { call, preview } = yield* start
      const query = { valueRenderOption: "FORMULA" }
      const { values } = Object(yield* call(sheet("values.get", { query }, "Leads!H3:I3")(leadsId)))
      assert.deepStrictEqual(yield* preview(enter("H2", [[1, null], ["=1+1", "new"]])), {
        dry_run: true,
        changes: [{ range: "'Leads'!H2:I3", before: [[1200.5, 4], ...values], after: [[1, 4], ["=1+1", "new"]] }],
        not_shown: nothing,
        undoable: true
      })
      const cleared = yield* preview(sheet("values.clear", {}, "Leads!M2")(leadsId))
      assert.match(JSON.stringify(cleared.changes), /"before":\[\["=[^"]+"\]\],"after":\[\[null\]\]/)
    }))

  it.effect("shows ranges of one request that overlap in their order, and too many of them as the request", () =>
    Effect.gen(function*() {
      const { preview } = yield* start
      const [range, cell] = ["Leads!H2", "'Leads'!H2"]
      const { changes } = yield* preview(enterAll([{ range, values: [["new"]] }, { range, values: [[null]] }]))
      assert.deepStrictEqual(changes, [
        { range: cell, before: [[1200.5]], after: [["new"]] },
        { range: cell, before: [["new"]], after: [["new"]] }
      ])
      const many = yield* preview(enterAll(Array.from({ length: 2000 }, () => ({ range, values: [["new"]] }))))
      assert.hasAllKeys(many.changes[0], ["request"])
      assert.strictEqual(many.undoable_reason, "too_large")
    }))

  it.effect("shows where rows are appended, also in a full grid", () =>
    Effect.gen(function*() {
      const { call, preview } = yield* start
      const zed = sheetTool("sheets_append_rows", { rows: [["Zed"]] })(leadsId)
      const previewed = yield* preview(zed)
      assert.isTrue((yield* preview(append([["Zed"]]))).undoable)
      const appended = yield* call(zed)
      assert.deepStrictEqual(previewed.changes, [
        { range: `'Leads'!A${at(appended, "first_row")}`, before: [[null]], after: [["Zed"]] }
      ])

      const full = yield* call(newSheet({ gridProperties: { rowCount: 1, columnCount: 2 } }))
      const appendTo = (a: number) => sheetTool("sheets_append_rows", { rows: [{ a }] })(at(full, "spreadsheetId"))
      yield* call(appendTo(1))
      const grown = yield* preview(appendTo(2))
      assert.match(JSON.stringify(grown.changes), /A3","before":\[\[null\]\],"after":\[\[2\]\]/)
    }))

  it.effect("shows the texts that a document loses and gains", () =>
    Effect.gen(function*() {
      const { call, preview } = yield* start
      const text = String(at(yield* call(docsTool("docs_read", { document: planId })), "text"))
      const find = /[A-Za-z]{6,}/.exec(text)?.[0] ?? ""
      const { changes } = yield* preview(docsTool("docs_replace_text", { document: planId, find, replace: "Other" }))
      assert.isAbove(changes.length, 0)
      for (const change of changes) {
        assert.deepInclude(change, { removed: find, inserted: "Other" })
        const { after, before } = "tab" in change && change.context || assert.fail("no context")
        // Without the marks of markdown.
        assert.include(text, after.split("\n")[0] ?? "")
        assert.isAtMost(Math.max(before.length, after.length), 120)
      }
    }))

  it.effect("of anything else is the request, without credentials", () =>
    Effect.gen(function*() {
      const { preview } = yield* start
      const request = { deleteSheet: { sheetId: 7 } }
      const url = `https://sheets.googleapis.com/v4/spreadsheets/${leadsId}:batchUpdate`
      assert.deepStrictEqual(yield* preview(batch(request)(leadsId)), {
        dry_run: true,
        changes: [{ request: { method: "POST", url, body: { requests: [request] } } }],
        not_shown: nothing,
        undoable: false,
        undoable_reason: "no_inverse"
      })
    }))

  it.effect("says why its key cannot take the write back", () =>
    Effect.gen(function*() {
      const { preview, previewWithoutUndo } = yield* start
      assert.strictEqual((yield* previewWithoutUndo(enter("A2", [["Ada"]]))).undoable_reason, "not_kept")
      const large = enter("Z1", Array.from({ length: 100_001 }, () => ["x"]))
      assert.strictEqual((yield* preview(large)).undoable_reason, "too_large")
    }))

  it.effect("lists nothing only where nothing changes", () =>
    Effect.gen(function*() {
      const { preview } = yield* start
      const changesOf = (body: Call) => Effect.map(preview(body), ({ changes }) => changes)
      const style = {
        updateTextStyle: { range: { startIndex: 1, endIndex: 5 }, textStyle: { bold: true }, fields: "bold" }
      }
      const grow = { appendDimension: { sheetId: 0, dimension: "ROWS", length: 5 } }
      for (const body of [batch(grow)(leadsId), docs(style)]) {
        assert.match(JSON.stringify(yield* changesOf(body)), /^\[\{"request":/)
      }
      const absent = { replaceAllText: { containsText: { text: "no such text", matchCase: true }, replaceText: "x" } }
      assert.deepStrictEqual(yield* changesOf(docs(absent)), [])
      assert.deepStrictEqual(yield* changesOf(enter("A2", [])), [])
    }))

  it.effect("of a tool that writes twice shows both writes", () =>
    Effect.gen(function*() {
      const { preview } = yield* start
      const text = "# Heading\n\nAll of the text"
      const { changes } = yield* preview(docsTool("docs_create", { title: "New", text }))
      assert.lengthOf(changes, 2)
      assert.match(JSON.stringify(changes[0]), /"title":"New"/)
      assert.match(JSON.stringify(changes[1]), /Heading.*All of the text/)
    }))

  it.effect("is truncated at 10,000 cells", () =>
    Effect.gen(function*() {
      const { preview } = yield* start
      const values = Array.from({ length: 1500 }, () => Array.from({ length: 10 }, () => 1))
      const short = yield* preview(sheetTool("sheets_append_rows", { rows: values.slice(0, 1000) })(leadsId))
      assert.deepStrictEqual([short.truncated, short.not_shown, short.changes.length], [undefined, nothing, 1])
      const long = yield* preview(append(values))
      assert.isTrue(long.truncated)
      assert.strictEqual(Object(long.changes[0])["after"].length, 1000)
      assert.deepStrictEqual(long.not_shown, { changes: 0, cells: 5000, characters: 5000 })
    }))

  it.effect("of a read is invalid, and one with an idempotency key leaves the key free", () =>
    Effect.gen(function*() {
      const { key, request } = yield* start
      const read = yield* request("POST", "/v1/call", {
        key,
        body: { ...sheetTool("sheets_read", {})(leadsId), dry_run: true }
      })
      assert.strictEqual(read.status, 400)
      assert.deepStrictEqual(at(read.json, "error.details.0.path"), ["dry_run"])

      const write = enter("A2", [["Ada"]])
      const headers = { "idempotency-key": "previewed" }
      const previewed = yield* request("POST", "/v1/call", { key, body: { ...write, dry_run: true }, headers })
      assert.strictEqual(at(previewed.json, "data.dry_run"), true)
      const logged = yield* request("GET", `/v1/logs/${at(previewed.json, "call_id")}`, { key })
      assert.strictEqual(at(logged.json, "dry_run"), true)
      const written = yield* request("POST", "/v1/call", { key, body: write, headers })
      assert.strictEqual(at(written.json, "data.updatedCells"), 1)
    }))
})
