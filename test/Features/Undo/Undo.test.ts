import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import type { Call } from "../../Service/EveryOperation.ts"
import { at, sandboxServerAt } from "../../Service/SandboxServer.ts"
import type { Answer } from "../../support/Answer.ts"
import { withSession } from "../../support/SignedIn.ts"
import { TestDataDir } from "../../support/TestServer.ts"
import { errorOf, undoing } from "./UndoFixture.ts"

/** Set for a longer run: the sequences of writes that are undone. */
const sequences = Number(process.env["UNDO_SEQUENCES"] ?? 6)

const sheet = (endpoint: string, input: object): Call => ({ provider: "gsheets", endpoint, input: { ...input } })
const entered = { query: { valueInputOption: "USER_ENTERED" } }
const raw = { query: { valueInputOption: "RAW" } }

const world = sandboxServerAt("2026-03-18T17:00:00Z").pipe(Layer.provide(Layer.fresh(TestDataDir.layer)))

const start = Effect.gen(function*() {
  const undos = yield* undoing
  const { plain, send } = undos
  const create = (...rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
    Effect.gen(function*() {
      const { json } = yield* send(sheet("spreadsheets.create", {
        body: {
          sheets: [{ properties: { sheetId: 0, title: "Tab", gridProperties: { rowCount: 8, columnCount: 5 } } }]
        }
      }))
      const id = String(at(json, "data.spreadsheetId"))
      if (rows.length > 0) {
        yield* send(
          sheet("values.update", { path: { spreadsheetId: id, range: "Tab!A1" }, ...entered, body: { values: rows } })
        )
      }
      return id
    })
  /** With formulas, a merged range and a bold row. */
  const createFormatted = Effect.gen(function*() {
    const id = yield* create(["=B1", 1, "2026-01-02"], ["'=x", "", true], ["last"])
    yield* send(sheet("spreadsheets.batchUpdate", {
      path: { spreadsheetId: id },
      body: {
        requests: [
          { mergeCells: { range: merged, mergeType: "MERGE_ALL" } },
          {
            repeatCell: {
              range: { sheetId: 0, endRowIndex: 1 },
              cell: { userEnteredFormat: { textFormat: { bold: true } } },
              fields: "userEnteredFormat.textFormat.bold"
            }
          }
        ]
      }
    }))
    return id
  })
  const read = (id: string) =>
    Effect.map(
      send(
        sheet("spreadsheets.get", {
          path: { spreadsheetId: id },
          query: {
            fields: "sheets(properties,merges,data(rowData(values(userEnteredValue,userEnteredFormat,note," +
              "dataValidation,textFormatRuns))))"
          }
        }),
        plain
      ),
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
      const written = yield* send(sheet("values.update", {
        path: { spreadsheetId: id, range: "Tab!A1" },
        ...entered,
        body: { values: [["x", null], ["1", "50%"]] }
      }))
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
      const write = (value: unknown, by?: string) =>
        send(
          sheet("values.update", { path: { spreadsheetId: id, range: "Tab!A1" }, ...raw, body: { values: [[value]] } }),
          by
        )
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
      const { callId } = yield* send(sheet("values.clear", { path: { spreadsheetId: id, range: "Tab!A1:B9" } }))
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
      const { admin, create, member, request, send } = yield* start
      const id = yield* create(["a"])
      const { key } = yield* admin.keys.create({
        payload: { member_id: member.id, name: "asks", access: "read_write", writes: "ask", undo: true }
      })
      const clear = sheet("values.clear", { path: { spreadsheetId: id, range: "Tab!A1" } })
      const session = yield* withSession(member)
      const approval = at((yield* send(clear, key)).json, "error.details.approval_id")
      yield* session.request("POST", `/v1/approvals/${approval}/approve`)
      const answer = yield* send(clear, key)
      assert.strictEqual(answer.headers.get("idempotency-replayed"), "true")
      const { json } = yield* request("GET", `/v1/logs/${answer.callId}`, { key })
      assert.strictEqual(answer.headers.get("openaccounts-undo"), `until="${at(json, "undoable_until")}"`)
    }))

  it.effect("does not exist for what has no exact inverse, nor for a key that keeps nothing", () =>
    Effect.gen(function*() {
      const { create, plain, send, undo } = yield* start
      const id = yield* create(["a"])
      const merge = { mergeCells: { range: { sheetId: 0, endRowIndex: 2, endColumnIndex: 2 }, mergeType: "MERGE_ALL" } }
      const merged = yield* send(sheet("spreadsheets.batchUpdate", {
        path: { spreadsheetId: id },
        body: { requests: [merge] }
      }))
      assert.isNull(merged.headers.get("openaccounts-undo"))
      assert.deepStrictEqual(reasonOf(yield* undo(merged.callId)), ["undo_unavailable", "no_inverse"])
      const clear = sheet("values.clear", { path: { spreadsheetId: id, range: "Tab!A1" } })
      const { callId, headers } = yield* send(clear, plain)
      assert.isNull(headers.get("openaccounts-undo"))
      const refused = yield* undo(callId, plain)
      assert.deepStrictEqual(reasonOf(refused), ["undo_unavailable", "not_kept"])
      assert.match(refused.text, /its key or agent keeps no changes/)
      const kept = yield* send(clear)
      yield* undo(kept.callId)
      assert.deepStrictEqual(reasonOf(yield* undo(kept.callId)), ["undo_unavailable", "already_undone"])
    }))

  it.effect("removes an added tab without cells, and gives a tab its old name", () =>
    Effect.gen(function*() {
      const { create, plain, read, send, undo } = yield* start
      const id = yield* create()
      const before = yield* read(id)
      const edit = (...requests: ReadonlyArray<object>) =>
        send(sheet("spreadsheets.batchUpdate", { path: { spreadsheetId: id }, body: { requests } }))
      const added = yield* edit({ addSheet: { properties: { title: "New" } } })
      const renamed = yield* edit({
        updateSheetProperties: { properties: { sheetId: 0, title: "Old" }, fields: "title" }
      })
      const fill = (values: ReadonlyArray<unknown>) =>
        send(
          sheet("values.update", { path: { spreadsheetId: id, range: "New!A1" }, ...raw, body: { values: [values] } }),
          plain
        )
      yield* fill(["kept"])
      assert.deepStrictEqual(errorOf(yield* undo(added.callId)), [409, "undo_conflict"])
      yield* fill([""])
      for (const { callId } of [renamed, added]) assert.strictEqual((yield* undo(callId)).status, 200)
      assert.deepStrictEqual(yield* read(id), before)
    }))

  it.effect("in reverse of any sequence of writes leaves the spreadsheet as it was", () =>
    Effect.gen(function*() {
      const { createFormatted, read, send, undo } = yield* start
      for (const sequence of fc.sample(fc.array(writes, { minLength: 1, maxLength: 50 }), sequences)) {
        const id = yield* createFormatted
        const before = yield* read(id)
        const done: Array<string> = []
        for (const write of sequence) {
          const answer = yield* send(write(id))
          if (answer.status !== 200) continue
          assert.isNotNull(answer.headers.get("openaccounts-undo"), JSON.stringify(write(id)))
          done.push(answer.callId)
        }
        for (const callId of done.toReversed()) {
          const undone = yield* undo(callId)
          assert.strictEqual(undone.status, 200, undone.text)
        }
        assert.deepStrictEqual(yield* read(id), before, JSON.stringify(sequence.map((write) => write(""))))
      }
    }), 3_600_000)

  it.effect("never loses what somebody else has written between", () =>
    Effect.gen(function*() {
      const { createFormatted, plain, read, send, undo } = yield* start
      const step = fc.record({ theirs: fc.option(theirs, { freq: 2 }), own: writes })
      let conflicts = 0
      for (const sequence of fc.sample(fc.array(step, { minLength: 2, maxLength: 25 }), sequences)) {
        const id = yield* createFormatted
        const done: Array<string> = []
        for (const [index, { own, theirs }] of sequence.entries()) {
          const answer = yield* send(own(id))
          if (answer.status === 200) done.push(answer.callId)
          if (theirs !== null) yield* send(theirs(id, `theirs-${index}`), plain)
        }
        let before = yield* read(id)
        for (const callId of done.toReversed()) {
          const { json, status, text } = yield* undo(callId)
          const after = yield* read(id)
          assert.include([200, 409], status, text)
          assert.includeMembers(cellsOfOthers(after), cellsOfOthers(before), text)
          if (status === 409) {
            assert.strictEqual(at(json, "error.code"), "undo_conflict", text)
            assert.deepStrictEqual(after, before, text)
            conflicts++
          }
          before = after
        }
      }
      assert.isAbove(conflicts, 0)
    }), 3_600_000)
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

const theirs: fc.Arbitrary<(id: string, text: string) => Call> = fc.oneof(
  fc.constantFrom("A1", "B2", "C3", "A7", "D1", "B8", "New!A1").map((range) => (id: string, text: string) =>
    sheet("values.update", { path: { spreadsheetId: id, range }, ...raw, body: { values: [[text]] } })
  ),
  fc.constantFrom("A1", "Tab", "New").map((range) => (id: string, text: string) =>
    sheet("values.append", { path: { spreadsheetId: id, range }, ...raw, body: { values: [[text]] } })
  )
)

const merged = { sheetId: 0, startRowIndex: 4, endRowIndex: 6, startColumnIndex: 0, endColumnIndex: 2 }

const cell = fc.constantFrom(
  null,
  "",
  "text",
  "'quoted",
  "=SUM(A1:B2)",
  "=1/0",
  "3",
  "50%",
  "2026-05-06",
  "12:30",
  "£3.50",
  5,
  0.1,
  true,
  "x".repeat(200)
)
const values = fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
const option = fc.constantFrom("RAW", "USER_ENTERED")
const start2d = fc.constantFrom("A1", "B2", "Tab!C3", "A7", "'Tab'!D1", "A4", "New!B2")

const writes: fc.Arbitrary<(id: string) => Call> = fc.oneof(
  fc.record({ values, option, range: start2d, columns: fc.boolean() }).map((of) => (id: string) =>
    sheet("values.update", {
      path: { spreadsheetId: id, range: of.range },
      query: { valueInputOption: of.option },
      body: { values: of.values, ...of.columns ? { majorDimension: "COLUMNS" } : {} }
    })
  ),
  fc.record({ values, option, range: start2d }).map((of) => (id: string) =>
    sheet("values.append", {
      path: { spreadsheetId: id, range: of.range },
      query: { valueInputOption: of.option },
      body: { values: of.values }
    })
  ),
  fc.record({ first: values, second: values, option }).map((of) => (id: string) =>
    sheet("values.batchUpdate", {
      path: { spreadsheetId: id },
      body: {
        valueInputOption: of.option,
        data: [{ range: "A1", values: of.first }, { range: "B2", values: of.second }]
      }
    })
  ),
  fc.constantFrom("A1:B2", "Tab", "C:C", "2:3").map((range) => (id: string) =>
    sheet("values.clear", { path: { spreadsheetId: id, range } })
  ),
  fc.constantFrom("a", "b", "=1+1").map((text) => (id: string) => ({
    provider: "gsheets",
    tool: "sheets_append_rows",
    input: { spreadsheet: id, rows: [[text, 1]], header_row: 0, parse: true, allow_formulas: true }
  })),
  fc.constantFrom<ReadonlyArray<object>>(
    [{ addSheet: { properties: { title: "New" } } }],
    [{ updateSheetProperties: { properties: { sheetId: 0, title: "Old" }, fields: "title" } }],
    [
      { updateSheetProperties: { properties: { sheetId: 0, title: "Tab" }, fields: "title" } },
      { appendDimension: { sheetId: 0, dimension: "COLUMNS", length: 1 } }
    ],
    [{ appendDimension: { sheetId: 0, dimension: "ROWS", length: 2 } }]
  ).map((requests) => (id: string) =>
    sheet("spreadsheets.batchUpdate", { path: { spreadsheetId: id }, body: { requests } })
  ),
  fc.constantFrom("a", 7).map((value) => (id: string) => ({
    provider: "gsheets",
    tool: "sheets_update_range",
    input: { spreadsheet: id, range: "B1", values: [[value, null, "z"]], overwrite_formulas: true }
  }))
)
