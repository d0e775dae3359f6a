import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsCreate } from "../../../../src/Providers/Gsheets/Tools/Create.ts"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { callWith, created, fakeSpreadsheet, issuesOf } from "../FakeSpreadsheet.ts"

const tabOf = (fake: ReturnType<typeof fakeSpreadsheet>) => fake.spreadsheet(created).tabs[0]

describe("sheets_create", () => {
  it.effect("creates a spreadsheet with a frozen header row and rows in one request", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet()
      const answer = yield* fake.call(sheetsCreate, {
        title: "Stock",
        headers: ["Item", "Count"],
        rows: [{ Count: 3, Item: "Nuts" }, { item: "Bolts" }],
        tab: "Lager"
      })
      const { tab_id, ...rest } = answer
      assert.deepStrictEqual(rest, {
        spreadsheetId: created,
        url: `https://docs.google.com/spreadsheets/d/${created}/edit`,
        title: "Stock",
        tab: "Lager",
        headers: ["Item", "Count"],
        rows_written: 2
      })
      assert.strictEqual(tab_id, tabOf(fake)?.sheetId)
      assert.lengthOf(fake.calls, 1)
      assert.deepStrictEqual(tabOf(fake)?.grid, { frozenRowCount: 1 })
      assert.deepStrictEqual(tabOf(fake)?.rows[0]?.[0], {
        userEnteredValue: { stringValue: "Item" },
        userEnteredFormat: { textFormat: { bold: true } }
      })
      const read = yield* fake.call(sheetsRead, { spreadsheet: created })
      assert.deepStrictEqual(read.rows, [{ _row: 2, Item: "Nuts", Count: 3 }, { _row: 3, Item: "Bolts", Count: null }])
    }))

  it.effect.each<{ behaviour: string; input: object; headers: ReadonlyArray<string>; first: ReadonlyArray<unknown> }>([
    {
      behaviour: "a header that starts with = is text",
      input: { headers: ["=1+1", "@x"] },
      headers: ["=1+1", "@x"],
      first: [{ stringValue: "=1+1" }, { stringValue: "@x" }]
    },
    {
      behaviour: "a text of digits keeps its zeros",
      input: { rows: [["007", 7, false, null, "=A1"]] },
      headers: [],
      first: [{ stringValue: "007" }, { numberValue: 7 }, { boolValue: false }, undefined, { stringValue: "=A1" }]
    },
    {
      behaviour: "the keys of objects become the headers",
      input: { rows: [{ a: 1 }, { b: 2 }] },
      headers: ["a", "b"],
      first: [{ stringValue: "a" }, { stringValue: "b" }]
    }
  ])("$behaviour", ({ first, headers, input }) =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet()
      const answer = yield* fake.call(sheetsCreate, { title: "T", ...input })
      assert.deepStrictEqual(answer.headers, headers)
      assert.deepStrictEqual(tabOf(fake)?.rows[0]?.map((cell) => cell?.userEnteredValue), [...first])
    }))

  it.effect("freezes nothing without a header or without `freeze_header`", () =>
    Effect.gen(function*() {
      for (const input of [{ rows: [[1]] }, { headers: ["a"], freeze_header: false }]) {
        const fake = fakeSpreadsheet()
        yield* fake.call(sheetsCreate, { title: "T", ...input })
        assert.deepStrictEqual(tabOf(fake)?.grid, {})
      }
    }))

  it.effect("makes the grid large enough", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet()
      const headers = Array.from({ length: 40 }, (_, index) => `h${index}`)
      yield* fake.call(sheetsCreate, { title: "T", headers, rows: Array.from({ length: 1000 }, () => [1]) })
      assert.deepInclude(tabOf(fake), { rowCount: 1001, columnCount: 40 })
    }))

  it.effect("returns the tab's name in the account's language", () =>
    Effect.gen(function*() {
      const { calls, provider } = fakeProvider(() => ({
        spreadsheetId: created,
        properties: { title: "T" },
        sheets: [{ properties: { sheetId: 0, title: "Página1" } }]
      }))
      const answer = yield* callWith(provider, sheetsCreate, { title: "T", headers: ["a"] })
      assert.deepInclude(answer, { tab: "Página1", tab_id: 0 })
      assert.notMatch(JSON.stringify(calls), /sheetId":|Sheet1|ouid|spreadsheetUrl/)
    }))

  it.effect("sends only the title without headers, rows and tab", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet()
      const answer = yield* fake.call(sheetsCreate, { title: "T", headers: [], tab: "" })
      assert.deepInclude(answer, { tab: "Sheet1", tab_id: 0, headers: [], rows_written: 0 })
      assert.deepStrictEqual(fake.calls[0]?.input.body, { properties: { title: "T" } })
    }))

  it.effect.each<{ input: object; path: ReadonlyArray<string | number>; says: string }>([
    { input: { headers: ["a", "b", " a"] }, path: ["headers", 2], says: "\"a\" is there already, at 0" },
    { input: { headers: ["a", " "] }, path: ["headers", 1], says: "without a name" },
    { input: { headers: ["x".repeat(50_001)] }, path: ["headers", 0], says: "50000" },
    { input: { headers: ["a"], rows: [{ b: 1 }] }, path: ["rows", 0, "b"], says: "The headers are \"a\"." },
    { input: { headers: ["a"], rows: [{}] }, path: ["rows", 0], says: "no value" },
    { input: { rows: "{" }, path: ["rows"], says: "no JSON" }
  ])(
    "$input.headers $input.rows are refused before anything is created",
    ({ input, path, says }) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet()
        const [issue] = yield* issuesOf(fake.call(sheetsCreate, { title: "T", ...input }))
        assert.deepStrictEqual(issue?.path, ["input", ...path])
        assert.include(issue?.message, says)
        assert.deepStrictEqual(fake.calls, [])
      })
  )
})
