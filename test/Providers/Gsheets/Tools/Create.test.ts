import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsCreate } from "../../../../src/Providers/Gsheets/Tools/Create.ts"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { created, fakeSpreadsheet } from "../FakeSpreadsheet.ts"
import { refusals } from "../ToolCases.ts"

const create = Effect.fnUntraced(function*(input: object) {
  const fake = fakeSpreadsheet()
  const answer = yield* fake.call(sheetsCreate, { title: "T", ...input })
  return { answer, fake, tab: fake.spreadsheet(created).tabs[0] }
})

describe("sheets_create", () => {
  it.effect("creates a spreadsheet with a frozen header row and rows in one request", () =>
    Effect.gen(function*() {
      const { answer, fake, tab } = yield* create({
        title: "Stock",
        headers: ["Item", "Count"],
        rows: [{ Count: 3, Item: "Nuts" }, { item: "Bolts" }],
        tab: "Lager"
      })
      assert.deepStrictEqual(answer, {
        spreadsheetId: created,
        url: `https://docs.google.com/spreadsheets/d/${created}/edit`,
        title: "Stock",
        tab: "Lager",
        tab_id: tab?.sheetId,
        headers: ["Item", "Count"],
        rows_written: 2
      })
      assert.lengthOf(fake.calls, 1)
      assert.deepStrictEqual(tab?.grid, { frozenRowCount: 1 })
      assert.deepStrictEqual(tab?.rows[0]?.[0], {
        userEnteredValue: { stringValue: "Item" },
        userEnteredFormat: { textFormat: { bold: true } }
      })
      const read = yield* fake.call(sheetsRead, { spreadsheet: created })
      assert.deepStrictEqual(read.rows, [{ _row: 2, Item: "Nuts", Count: 3 }, { _row: 3, Item: "Bolts", Count: null }])
    }))

  it.effect.each<
    readonly [behaviour: string, input: object, headers: ReadonlyArray<string>, first: ReadonlyArray<unknown>]
  >([
    ["a header that starts with = is text", { headers: ["=1+1", "@x"] }, ["=1+1", "@x"], [
      { stringValue: "=1+1" },
      { stringValue: "@x" }
    ]],
    ["a text of digits keeps its zeros", { rows: [["007", 7, false, null, "=A1"]] }, [], [
      { stringValue: "007" },
      { numberValue: 7 },
      { boolValue: false },
      undefined,
      { stringValue: "=A1" }
    ]]
  ])("%s", ([, input, headers, first]) =>
    Effect.gen(function*() {
      const { answer, tab } = yield* create(input)
      assert.deepStrictEqual(answer.headers, headers)
      assert.deepStrictEqual(tab?.rows[0]?.map((cell) => cell?.userEnteredValue), [...first])
    }))

  it.effect.each([{ rows: [[1]] }, { headers: ["a"], freeze_header: false }])(
    "freezes nothing of %j",
    (input) =>
      Effect.gen(function*() {
        assert.deepStrictEqual((yield* create(input)).tab?.grid, {})
      })
  )

  it.effect("makes the grid large enough", () =>
    Effect.gen(function*() {
      const headers = Array.from({ length: 40 }, (_, index) => `h${index}`)
      const { tab } = yield* create({ headers, rows: Array.from({ length: 1000 }, () => [1]) })
      assert.deepInclude(tab, { rowCount: 1001, columnCount: 40 })
    }))

  const title = "T"
  refusals(sheetsCreate, {
    "two headers of one name": [
      [],
      { title, headers: ["a", "b", " a"] },
      ["headers", 2],
      "\"a\" is there already, at 0"
    ],
    "a header without a name": [[], { title, headers: ["a", " "] }, ["headers", 1], "without a name"],
    "an unknown key": [[], { title, headers: ["a"], rows: [{ b: 1 }] }, ["rows", 0, "b"], "The columns are \"a\"."]
  })
})
