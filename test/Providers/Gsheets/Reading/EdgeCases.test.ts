import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsListTabs } from "../../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { type Spreadsheet } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { fakeSpreadsheet, id, oneTab, spreadsheetOf, type Values } from "../FakeSpreadsheet.ts"
import { refusals } from "../ToolCases.ts"

const read = (spreadsheet: Spreadsheet, input: object = {}) => fakeSpreadsheet(spreadsheet).call(sheetsRead, input)

const cells = (title: string): { title: string; typed: Values } => ({ title, typed: [["in"], [title]] })

const address = (fragment: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#${fragment}`

const date = spreadsheetOf([{
  title: "Data",
  rows: [
    [{ userEnteredValue: { stringValue: "d" } }],
    [{
      userEnteredValue: { numberValue: 46_270 },
      userEnteredFormat: { numberFormat: { type: "DATE", pattern: "d mmm yy" } }
    }]
  ]
}])

const unusual = [
  ..."'' A1 ENT2 R RC R1C1 2024 Página1 has!bang a:b 1:2 a/b?c#d Total Sheet[1]".split(" "),
  "Jon's Data",
  "Q3 🚀"
]

describe("Reading rows: edge cases", () => {
  it.effect.each<readonly [behaviour: string, typed: Values, ...rows: ReadonlyArray<object>]>([
    [
      "empty cells are null",
      [["a", "b", "c"], ["", 2], [1, "", 3], ["", ""]],
      { _row: 2, a: null, b: 2, c: null },
      { _row: 3, a: 1, b: null, c: 3 }
    ],
    ["dates and times are returned as shown", [["d", "t", "both"], ["2026-09-05", "14:30", "2026-09-05 14:30"]], {
      _row: 2,
      d: "2026-09-05",
      t: "14:30",
      both: "2026-09-05 14:30"
    }],
    ["numbers are numbers, whatever their format", [["money", "share", "large"], ["$1,234.50", "25%", "1.2E+12"]], {
      _row: 2,
      money: 1234.5,
      share: 0.25,
      large: 1.2e12
    }],
    ["0 and false are kept", [["n", "b"], [0, false]], { _row: 2, n: 0, b: false }],
    ["a text of digits keeps its zeros", [["zip"], ["'007"]], { _row: 2, zip: "007" }],
    ["errors are texts", [["ref", "div"], ["=Gone!A1", "=1/0"]], { _row: 2, ref: "#REF!", div: "#DIV/0!" }],
    ["an empty formula result is null", [["a", "b"], ["=\"\"", 1]], { _row: 2, a: null, b: 1 }],
    ["a row without values is left out", [["a"], ["=\"\""], [1]], { _row: 3, a: 1 }],
    ["`_row` is the sheet's row number", [["a"], [], [], [1]], { _row: 4, a: 1 }],
    ["a number or boolean header is a key", [[2024, true, "2024-01-05"], [1, 2, 3]], {
      _row: 2,
      2024: 1,
      TRUE: 2,
      "2024-01-05": 3
    }]
  ])("%s", ([, typed, ...rows]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read(oneTab(typed))).rows, rows)
    }))

  it.effect("dates follow the format of their cell", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read(date)).rows, [{ _row: 2, d: "5 Sep 26" }])
    }))

  it.effect("`columns` lists the keys in order, numeric ones too", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read(oneTab([["b", "2024", "a"], [1, 2, 3]]))).columns, ["b", "2024", "a"])
    }))

  it.effect.each(unusual)("a tab with the unusual title %s is read", (title) =>
    Effect.gen(function*() {
      const spreadsheet = {
        ...spreadsheetOf([
          { title: "First", typed: [["wrong"], ["wrong"], ["wrong"]] },
          ...unusual.map((title) => ({ title, typed: [["title"], [`'${title}`]] }))
        ]),
        namedRanges: [{ namedRangeId: "n1", name: "Total", sheetId: 0, area: { top: 0, left: 0, bottom: 2, right: 1 } }]
      }
      const quoted = `'${title.replaceAll("'", "''")}'!A1:A2`
      for (const input of [{ tab: title }, { tab: title, range: "A1:A2" }, { range: quoted }]) {
        assert.deepStrictEqual((yield* read(spreadsheet, input)).rows, [{ _row: 2, title }])
      }
      const { tabs } = yield* fakeSpreadsheet(spreadsheet).call(sheetsListTabs, { include_headers: true })
      assert.deepStrictEqual(tabs.find(({ tab }: { tab: string }) => tab === title).headers, ["title"])
    }))
})

describe("The tab of a read", () => {
  const spreadsheet = spreadsheetOf([
    { title: "Chart", sheetId: 9, type: "OBJECT", rowCount: 0, columnCount: 0 },
    { ...cells("Hidden"), sheetId: 7, hidden: true },
    { ...cells("Página1"), sheetId: 12 },
    { ...cells("Zero"), sheetId: 0 },
    { ...cells("12"), sheetId: 5 },
    { ...cells("data"), sheetId: 20 },
    { ...cells("DATA"), sheetId: 21 },
    { ...cells("Mixed Case"), sheetId: 22 }
  ])

  it.effect.each<readonly [behaviour: string, input: object, tab: string]>([
    ["is by default the first visible tab with cells", {}, "Página1"],
    ["can be named by the id 0", { tab: 0 }, "Zero"],
    ["can be named by the id 0 in the URL", { spreadsheet: address("gid=0") }, "Zero"],
    ["can be named by an id in the URL", { spreadsheet: address("gid=20") }, "data"],
    ["is that of `tab` before that of the URL", { spreadsheet: address("gid=20"), tab: "Zero" }, "Zero"],
    ["has a text of digits as title before it has it as id", { tab: "12" }, "12"],
    ["has a number as id before it has it as title", { tab: 12 }, "Página1"],
    ["can be named by an id as text", { tab: "5" }, "12"],
    ["can be hidden", { tab: "Hidden" }, "Hidden"],
    ["has an exact title before one in another case", { tab: "DATA" }, "DATA"],
    ["has a title in any case", { tab: "mixed case" }, "Mixed Case"],
    ["has no spaces around its title", { tab: " Zero " }, "Zero"],
    ["is the default for an empty text", { tab: "", range: "" }, "Página1"]
  ])("%s", ([, input, tab]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read(spreadsheet, input)).rows, [{ _row: 2, in: tab === "12" ? 12 : tab }])
    }))

  const sends = ["spreadsheets.get"]
  refusals(sheetsRead, {
    "a chart": [{ spreadsheet }, { tab: "Chart" }, ["tab"], "\"Chart\" is a chart and has no cells", sends],
    "an unknown title, naming the choices": [
      { spreadsheet },
      { tab: "Nope" },
      ["tab"],
      "The tabs are \"Chart\" (id 9, chart), \"Hidden\" (id 7, hidden)",
      sends
    ],
    "a title of two tabs, naming them": [
      { spreadsheet },
      { tab: "Data" },
      ["tab"],
      "The tabs are \"data\" (id 20), \"DATA\" (id 21).",
      sends
    ],
    "a URL with an unknown id": [
      { spreadsheet },
      { spreadsheet: address("gid=99") },
      ["spreadsheet"],
      "no tab with the id 99",
      sends
    ]
  })
})
