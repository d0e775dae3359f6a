import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import * as fc from "fast-check"
import type { Call } from "../../Service/EveryOperation.ts"
import { at, sandboxServerAt } from "../../Service/SandboxServer.ts"
import type { Answer } from "../../support/Answer.ts"
import { type Handler, holdReplies, LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { batch, newSheet, sheet, sheetTool, update } from "../../support/SheetCalls.ts"
import { withSession } from "../../support/SignedIn.ts"
import { keyFor, seed, TestDataDir, TestServer } from "../../support/TestServer.ts"
import { errorOf, undoing } from "./UndoFixture.ts"

/** Set for a longer run: the sequences of writes that are undone. */
const sequences = Number(process.env["UNDO_SEQUENCES"] ?? 6)

const clear = sheet("values.clear", {}, "Tab!A1")
const rename = (title: string) => ({ updateSheetProperties: { properties: { sheetId: 0, title }, fields: "title" } })

const world = sandboxServerAt("2026-03-18T17:00:00Z").pipe(Layer.provide(Layer.fresh(TestDataDir.layer)))

const start = Effect.gen(function*() {
  const undos = yield* undoing
  const { plain, send } = undos
  const create = Effect.fnUntraced(function*(...rows: ReadonlyArray<ReadonlyArray<unknown>>) {
    const properties = { sheetId: 0, title: "Tab", gridProperties: { rowCount: 8, columnCount: 5 } }
    const { json } = yield* send(newSheet(properties))
    const id = String(at(json, "data.spreadsheetId"))
    if (rows.length > 0) yield* send(update("Tab!A1", rows, "USER_ENTERED")(id))
    return id
  })
  /** With formulas, a merged range and a bold row. */
  const createFormatted = Effect.gen(function*() {
    const id = yield* create(["=B1", 1, "2026-01-02"], ["'=x", "", true], ["last"])
    const range = { sheetId: 0, startRowIndex: 4, endRowIndex: 6, startColumnIndex: 0, endColumnIndex: 2 }
    const bold = {
      range: { sheetId: 0, endRowIndex: 1 },
      cell: { userEnteredFormat: { textFormat: { bold: true } } },
      fields: "userEnteredFormat.textFormat.bold"
    }
    yield* send(batch({ mergeCells: { range, mergeType: "MERGE_ALL" } }, { repeatCell: bold })(id))
    return id
  })
  const fields =
    "sheets(properties,merges,data(rowData(values(userEnteredValue,userEnteredFormat,note,dataValidation," +
    "textFormatRuns))))"
  const read = (id: string) =>
    Effect.map(
      send(sheet("spreadsheets.get", { query: { fields } })(id), plain),
      ({ json }) => withoutEmpty(at(json, "data"))
    )
  return { ...undos, create, createFormatted, read }
})

/** Google leaves out empty messages. */
const withoutEmpty = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty)
    return items.slice(0, items.findLastIndex((item) => item !== undefined) + 1)
  }
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withoutEmpty(field)] as const)
    .filter(([, field]) => field !== undefined && !(Array.isArray(field) && field.length === 0))
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

const reasonOf = ({ json }: Answer) => [at(json, "error.code"), at(json, "error.details.reason")]

layer(world)("An undo", (it) => {
  it.effect("restores values, formulas and formats, once", () =>
    Effect.gen(function*() {
      const { create, read, request, send, undo, key } = yield* start
      const id = yield* create(["=1+1", 7], ["2026-01-02", "'007"])
      const before = yield* read(id)
      const written = yield* send(update("Tab!A1", [["x", null], ["1", "50%"]], "USER_ENTERED")(id))
      assert.match(written.headers.get("openaccounts-undo") ?? "", /^until="2026-03-21T17:00:0.*Z"$/)
      const preview = yield* request("POST", `/v1/calls/${written.callId}/undo?dry_run=true`, { key })
      assert.strictEqual(preview.status, 200, preview.text)
      assert.notDeepEqual(yield* read(id), before)
      const undone = yield* undo(written.callId)
      assert.strictEqual(undone.status, 200, undone.text)
      assert.strictEqual(at(undone.json, "data.undone"), written.callId)
      assert.deepStrictEqual(yield* read(id), before)

      const logged = (id: string) => Effect.map(request("GET", `/v1/logs/${id}`, { key }), ({ json }) => json)
      const [first, second] = [yield* logged(written.callId), yield* logged(undone.callId)]
      assert.strictEqual(at(first, "undone_by"), undone.callId)
      assert.strictEqual(at(second, "undo_of"), written.callId)
      assert.match(String(at(first, "undoable_until")), /^2026-03-21/)
      assert.deepStrictEqual(errorOf(yield* undo(written.callId)), [409, "undo_unavailable"])
    }))

  it.effect("is refused when another has changed what was written, and nothing is lost", () =>
    Effect.gen(function*() {
      const { create, plain, read, send, undo } = yield* start
      const id = yield* create(["a", "b"])
      const write = (value: unknown, by?: string) => send(update("Tab!A1", [[value]])(id), by)
      const { callId } = yield* write("mine")
      yield* write("theirs", plain)
      const theirs = yield* read(id)
      const refused = yield* undo(callId)
      assert.deepStrictEqual(errorOf(refused), [409, "undo_conflict"])
      assert.deepStrictEqual(at(refused.json, "error.details.changes"), [
        { range: "'Tab'!A1", before: [["mine"]], after: [["theirs"]] }
      ])
      assert.deepStrictEqual(yield* read(id), theirs)
      yield* write("mine", plain)
      assert.strictEqual((yield* undo(callId)).status, 200)
    }))

  it.effect("is for the key that wrote, its member and admins, with the right to write", () =>
    Effect.gen(function*() {
      const { create, member, plain, send, undo } = yield* start
      const id = yield* create(["a"])
      const { callId } = yield* send(clear(id))
      assert.deepStrictEqual(errorOf(yield* undo(callId, plain)), [403, "forbidden"])
      assert.deepStrictEqual(errorOf(yield* undo("call_00000000000000000000000000")), [404, "call_not_found"])
      const session = yield* withSession(member)
      const path = `/v1/calls/${callId}/undo`
      assert.deepStrictEqual(errorOf(yield* session.request("POST", path)), [403, "read_only"])
      const headers = { "x-oa-access": "read_write" }
      assert.strictEqual((yield* session.request("POST", path, { headers })).status, 200)
    }))

  it.effect("is named again by the response to a write that a person has approved", () =>
    Effect.gen(function*() {
      const { create, member, request, send } = yield* start
      const id = yield* create(["a"])
      const key = yield* keyFor(member, { access: "read_write", writes: "ask", undo: true })
      const session = yield* withSession(member)
      const approval = at((yield* send(clear(id), key)).json, "error.details.approval_id")
      yield* session.request("POST", `/v1/approvals/${approval}/approve`)
      const answer = yield* send(clear(id), key)
      assert.strictEqual(answer.headers.get("idempotency-replayed"), "true")
      const { json } = yield* request("GET", `/v1/logs/${answer.callId}`, { key })
      assert.strictEqual(answer.headers.get("openaccounts-undo"), `until="${at(json, "undoable_until")}"`)
    }))

  it.effect("does not exist for what has no exact inverse, nor for a key that keeps nothing", () =>
    Effect.gen(function*() {
      const { create, plain, send, undo } = yield* start
      const id = yield* create(["a"])
      const range = { sheetId: 0, endRowIndex: 2, endColumnIndex: 2 }
      const merged = yield* send(batch({ mergeCells: { range, mergeType: "MERGE_ALL" } })(id))
      assert.isNull(merged.headers.get("openaccounts-undo"))
      assert.deepStrictEqual(reasonOf(yield* undo(merged.callId)), ["undo_unavailable", "no_inverse"])
      const { callId, headers } = yield* send(clear(id), plain)
      assert.isNull(headers.get("openaccounts-undo"))
      const refused = yield* undo(callId, plain)
      assert.deepStrictEqual(reasonOf(refused), ["undo_unavailable", "not_kept"])
      assert.match(refused.text, /its key or agent keeps no changes/)
      const kept = yield* send(clear(id))
      yield* undo(kept.callId)
      assert.deepStrictEqual(reasonOf(yield* undo(kept.callId)), ["undo_unavailable", "already_undone"])
    }))

  it.effect("removes an added tab without cells, and gives a tab its old name", () =>
    Effect.gen(function*() {
      const { create, plain, read, send, undo } = yield* start
      const id = yield* create()
      const before = yield* read(id)
      const added = yield* send(batch({ addSheet: { properties: { title: "New" } } })(id))
      const renamed = yield* send(batch(rename("Old"))(id))
      const fill = (values: ReadonlyArray<unknown>) => send(update("New!A1", [values])(id), plain)
      yield* fill(["kept"])
      assert.deepStrictEqual(errorOf(yield* undo(added.callId)), [409, "undo_conflict"])
      yield* fill([""])
      for (const { callId } of [renamed, added]) assert.strictEqual((yield* undo(callId)).status, 200)
      assert.deepStrictEqual(yield* read(id), before)
    }))

  it.effect(
    "of any sequence, in reverse, leaves it as it was, and never loses what another has written between",
    () =>
      Effect.gen(function*() {
        const { createFormatted, plain, read, send, undo } = yield* start
        let conflicts = 0
        for (const sequence of fc.sample(fc.array(step, { minLength: 2, maxLength: 40 }), sequences)) {
          for (const isAlone of [true, false]) {
            const id = yield* createFormatted
            const first = yield* read(id)
            const done: Array<string> = []
            for (const [index, { own, theirs }] of sequence.entries()) {
              const { callId, headers, status } = yield* send(own(id))
              if (status === 200) {
                if (isAlone) assert.isNotNull(headers.get("openaccounts-undo"), JSON.stringify(own(id)))
                done.push(callId)
              }
              if (theirs !== null && !isAlone) yield* send(theirs(`theirs-${index}`)(id), plain)
            }
            let before = yield* read(id)
            for (const callId of done.toReversed()) {
              const answer = yield* undo(callId)
              const after = yield* read(id)
              assert.includeMembers(cellsOfOthers(after), cellsOfOthers(before), answer.text)
              if (answer.status !== 200) {
                assert.isFalse(isAlone, answer.text)
                assert.deepStrictEqual(errorOf(answer), [409, "undo_conflict"], answer.text)
                assert.deepStrictEqual(after, before, answer.text)
                conflicts++
              }
              before = after
            }
            if (isAlone) assert.deepStrictEqual(before, first, JSON.stringify(sequence.map(({ own }) => own(id))))
          }
        }
        assert.isAbove(conflicts, 0)
      }),
    3_600_000
  )
})

/** Where others have written what. */
const cellsOfOthers = (sheets: unknown): Array<string> => {
  const found: Array<string> = []
  const search = (value: unknown, path: string) => {
    if (typeof value === "string" && value.startsWith("theirs")) found.push(`${path} ${value}`)
    if (typeof value !== "object" || value === null) return
    for (const [name, field] of Object.entries(value)) search(field, `${path} ${name}`)
  }
  search(sheets, "")
  return found
}

const theirs: fc.Arbitrary<(text: string) => (id: string) => Call> = fc.oneof(
  fc.constantFrom("A1", "B2", "C3", "A7", "D1", "B8", "New!A1").map((range) => (text: string) =>
    update(range, [[text]])
  ),
  fc.constantFrom("A1", "Tab", "New").map((range) => (text: string) =>
    sheet("values.append", { query: { valueInputOption: "RAW" }, body: { values: [[text]] } }, range)
  )
)

const cell = fc.constantFrom(
  null,
  5,
  0.1,
  true,
  "",
  ..."text 'quoted =SUM(A1:B2) =1/0 3 50% 2026-05-06 12:30 £3.50".split(" "),
  "x".repeat(200)
)
const values = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
const valueInputOption = fc.constantFrom("RAW", "USER_ENTERED")
const range = fc.constantFrom("A1", "B2", "Tab!C3", "A7", "'Tab'!D1", "A4", "New!B2")
const majorDimension = fc.constantFrom("ROWS", "COLUMNS")
const append = (dimension: string, length: number) => ({ appendDimension: { sheetId: 0, dimension, length } })
const writes: fc.Arbitrary<(id: string) => Call> = fc.oneof(
  fc.record({ majorDimension, range, valueInputOption, values }).map(({ range, valueInputOption, ...body }) =>
    sheet("values.update", { query: { valueInputOption }, body }, range)
  ),
  fc.record({ range, valueInputOption, values }).map(({ range, valueInputOption, values }) =>
    sheet("values.append", { query: { valueInputOption }, body: { values } }, range)
  ),
  fc.record({ first: values, second: values, valueInputOption }).map(({ first, second, valueInputOption }) =>
    sheet("values.batchUpdate", {
      body: { valueInputOption, data: [{ range: "A1", values: first }, { range: "B2", values: second }] }
    })
  ),
  fc.constantFrom("A1:B2", "Tab", "C:C", "2:3").map((range) => sheet("values.clear", {}, range)),
  fc.constantFrom(
    batch({ addSheet: { properties: { title: "New" } } }),
    batch(rename("Old")),
    batch(rename("Tab"), append("COLUMNS", 1)),
    batch(append("ROWS", 2))
  ),
  fc.constantFrom("a", "b", "=1+1").map((text) =>
    sheetTool("sheets_append_rows", { rows: [[text, 1]], header_row: 0, parse: true, allow_formulas: true })
  ),
  fc.constantFrom("a", 7).map((value) =>
    sheetTool("sheets_update_range", { range: "B1", values: [[value, null, "z"]], overwrite_formulas: true })
  )
)

const step = fc.record({ theirs: fc.option(theirs, { freq: 2 }), own: writes })

/** A spreadsheet of one cell. */
const oneCell = (): Handler => {
  let stringValue = "before"
  const properties = { sheetId: 0, title: "Tab", index: 0, sheetType: "GRID" }
  return ({ method, url }) => {
    if (method !== "GET") stringValue = method === "PUT" ? "mine" : "before"
    return {
      body: url.includes("ranges=")
        ? { sheets: [{ properties, data: [{ rowData: [{ values: [{ userEnteredValue: { stringValue } }] }] }] }] }
        : {
          spreadsheetId: "id",
          properties: { title: "File", locale: "en_US", timeZone: "Etc/UTC" },
          sheets: [{ properties: { ...properties, gridProperties: { rowCount: 9, columnCount: 9 } } }]
        }
    }
  }
}

layer(TestServer.layer, { excludeTestServices: true })("An undo during which another one writes back", (it) => {
  it.effect("says that it is made already", () =>
    Effect.gen(function*() {
      const { call, request } = yield* TestServer
      const { member } = yield* seed({ provider: "gsheets" })
      const key = yield* keyFor(member, { access: "read_write", undo: true })
      const upstream = yield* LoopbackUpstream
      const sheets = oneCell()
      upstream.handle(sheets)
      const { callId } = yield* call(key, update("Tab!A1", [["mine"]])("id"))
      const undo = request("POST", `/v1/calls/${callId}/undo`, { key })
      const { arrived, holding, release } = yield* holdReplies(sheets)
      upstream.handle(holding)
      const late = yield* Effect.forkScoped(undo)
      yield* arrived
      upstream.handle(sheets)
      assert.strictEqual((yield* undo).status, 200)
      yield* release
      assert.deepStrictEqual(reasonOf(yield* Fiber.join(late)), ["undo_unavailable", "already_undone"])
    }))
})
