import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { type Spreadsheet } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { fakeSpreadsheet, id, oneTab, spreadsheetOf, type Values } from "../FakeSpreadsheet.ts"
import { refusals } from "../ToolCases.ts"

const read = (spreadsheet: Spreadsheet, input: object = {}) => fakeSpreadsheet(spreadsheet).call(sheetsRead, input)

const cells = (title: string): { title: string; typed: Values } => ({ title, typed: [["in"], [title]] })

const address = (fragment: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#${fragment}`

describe("Reading rows: edge cases", () => {
  it.effect.each<readonly [behaviour: string, typed: Values, ...rows: ReadonlyArray<object>]>([
    ["numbers are numbers, whatever their format", [["money", "share", "large"], ["$1,234.50", "25%", "1.2E+12"]], {
      _row: 2,
      money: 1234.5,
      share: 0.25,
      large: 1.2e12
    }],
    ["0 and false are kept", [["n", "b"], [0, false]], { _row: 2, n: 0, b: false }],
    ["a text of digits keeps its zeros", [["zip"], ["'007"]], { _row: 2, zip: "007" }],
    ["errors are texts", [["ref", "div"], ["=Gone!A1", "=1/0"]], { _row: 2, ref: "#REF!", div: "#DIV/0!" }]
  ])("%s", ([, typed, ...rows]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read(oneTab(typed))).rows, rows)
    }))

  it.effect("`columns` lists the keys in order, numeric ones too", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read(oneTab([["b", "2024", "a"], [1, 2, 3]]))).columns, ["b", "2024", "a"])
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
    ["has a text of digits as title before it has it as id", { tab: "12" }, "12"],
    ["has a number as id before it has it as title", { tab: 12 }, "Página1"],
    ["has an exact title before one in another case", { tab: "DATA" }, "DATA"],
    ["has a title in any case", { tab: "mixed case" }, "Mixed Case"]
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
      "The nearest tabs are ",
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
