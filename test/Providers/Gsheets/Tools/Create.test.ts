import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsCreate } from "../../../../src/Providers/Gsheets/Tools/Create.ts"
import { sheetsListTabs } from "../../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { created } from "../../../Sandbox/Providers/Gsheets/Engine/SpreadsheetFixture.ts"
import { fakeSpreadsheet, id, refusals, spreadsheetOf } from "../FakeSpreadsheet.ts"

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

const accounts = spreadsheetOf([
  { title: "Jon's", typed: [["Name", "", "Name"], ["Ann"]], grid: { frozenRowCount: 1 } },
  { title: "Old", sheetId: 812, hidden: true, rowCount: 20, columnCount: 3 },
  { title: "Chart", sheetId: 4, type: "OBJECT", rowCount: 0, columnCount: 0 },
  { title: "Warehouse", sheetId: 6, type: "DATA_SOURCE", rowCount: 500, columnCount: 4 }
])

describe("sheets_list_tabs", () => {
  it.effect("lists every tab with its grid, hidden ones and charts too, without a look at the cells", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(accounts)
      assert.deepStrictEqual(yield* fake.call(sheetsListTabs, {}), {
        spreadsheetId: id,
        title: "Accounts",
        url: `https://docs.google.com/spreadsheets/d/${id}/edit`,
        locale: "en_US",
        time_zone: "Etc/GMT",
        tabs: [
          { tab: "Jon's", tab_id: 0, index: 0, rows: 1000, columns: 26, frozen_rows: 1 },
          { tab: "Old", tab_id: 812, index: 1, rows: 20, columns: 3, frozen_rows: 0, hidden: true },
          { tab: "Chart", tab_id: 4, index: 2, type: "chart" },
          { tab: "Warehouse", tab_id: 6, index: 3, rows: 500, columns: 4, frozen_rows: 0, type: "data_source" }
        ]
      })
      assert.lengthOf(fake.calls, 1)
      assert.notMatch(String(fake.calls[0]?.input.query?.["fields"]), /data|spreadsheetUrl/)
    }))

  it.effect("returns the keys of row 1 on request, of the first 20 grids in one request", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(spreadsheetOf([
        { title: "Jon's", typed: [["Name", "", "Name"], ["Ann"]] },
        { title: "Chart", type: "OBJECT", rowCount: 0, columnCount: 0 },
        ...Array.from({ length: 25 }, (_, index) => ({ title: `T${index}`, typed: [["h"]] }))
      ]))
      const { tabs } = yield* fake.call(sheetsListTabs, { include_headers: true })
      const headers = tabs.map(({ headers }: { headers?: ReadonlyArray<string> }) => headers)
      assert.deepStrictEqual(headers.slice(0, 3), [["Name", "col_B", "Name_2"], undefined, ["h"]])
      assert.lengthOf(headers.filter((keys: unknown) => keys !== undefined), 20)
      assert.lengthOf(fake.calls, 2)
      assert.deepInclude(fake.calls[1]?.input.query, {
        majorDimension: "ROWS",
        valueRenderOption: "UNFORMATTED_VALUE",
        dateTimeRenderOption: "FORMATTED_STRING"
      })
    }))
})
