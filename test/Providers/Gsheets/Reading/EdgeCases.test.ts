import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsListTabs } from "../../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { type Spreadsheet } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { fakeSpreadsheet, id, issuesOf, oneTab, spreadsheetOf, type Values } from "../FakeSpreadsheet.ts"

const read = (spreadsheet: Spreadsheet, input: object = {}) => fakeSpreadsheet(spreadsheet).call(sheetsRead, input)

const cells = (title: string): { title: string; typed: Values } => ({ title, typed: [["in"], [title]] })

const address = (fragment: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#${fragment}`

describe("Reading rows: edge cases", () => {
  it.effect.each<{ behaviour: string; typed: Values; rows: ReadonlyArray<unknown> }>([
    {
      behaviour: "empty cells are null",
      typed: [["a", "b", "c"], ["", 2], [1, "", 3], ["", ""]],
      rows: [{ _row: 2, a: null, b: 2, c: null }, { _row: 3, a: 1, b: null, c: 3 }]
    },
    {
      behaviour: "dates and times are returned as shown",
      typed: [["d", "t", "both"], ["2026-09-05", "14:30", "2026-09-05 14:30"]],
      rows: [{ _row: 2, d: "2026-09-05", t: "14:30", both: "2026-09-05 14:30" }]
    },
    {
      behaviour: "numbers are numbers, whatever their format",
      typed: [["money", "share", "large"], ["$1,234.50", "25%", "1.2E+12"]],
      rows: [{ _row: 2, money: 1234.5, share: 0.25, large: 1.2e12 }]
    },
    {
      behaviour: "0 and false are kept",
      typed: [["n", "b"], [0, false]],
      rows: [{ _row: 2, n: 0, b: false }]
    },
    {
      behaviour: "a text of digits keeps its zeros",
      typed: [["zip"], ["'007"]],
      rows: [{ _row: 2, zip: "007" }]
    },
    {
      behaviour: "errors are texts",
      typed: [["ref", "div"], ["=Gone!A1", "=1/0"]],
      rows: [{ _row: 2, ref: "#REF!", div: "#DIV/0!" }]
    },
    {
      behaviour: "an empty formula result is null",
      typed: [["a", "b"], ["=\"\"", 1]],
      rows: [{ _row: 2, a: null, b: 1 }]
    },
    {
      behaviour: "a row without values is left out",
      typed: [["a"], ["=\"\""], [1]],
      rows: [{ _row: 3, a: 1 }]
    },
    {
      behaviour: "`_row` is the sheet's row number",
      typed: [["a"], [], [], [1]],
      rows: [{ _row: 4, a: 1 }]
    },
    {
      behaviour: "repeated and missing headers get unique keys",
      typed: [["Email", "Email", ""], ["x", "y", "z"]],
      rows: [{ _row: 2, Email: "x", Email_2: "y", col_C: "z" }]
    },
    {
      behaviour: "a number or boolean header is a key",
      typed: [[2024, true, "2024-01-05"], [1, 2, 3]],
      rows: [{ _row: 2, 2024: 1, TRUE: 2, "2024-01-05": 3 }]
    }
  ])("$behaviour", ({ rows, typed }) =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* read(oneTab(typed))).rows, rows)
    }))

  it.effect("dates follow the format of their cell", () =>
    Effect.gen(function*() {
      const spreadsheet = spreadsheetOf([{
        title: "Data",
        rows: [
          [{ userEnteredValue: { stringValue: "d" } }],
          [{
            userEnteredValue: { numberValue: 46_270 },
            userEnteredFormat: { numberFormat: { type: "DATE", pattern: "d mmm yy" } }
          }]
        ]
      }])
      assert.deepStrictEqual((yield* read(spreadsheet)).rows, [{ _row: 2, d: "5 Sep 26" }])
    }))

  it.effect("`columns` lists the keys in order, numeric ones too", () =>
    Effect.gen(function*() {
      const { columns } = yield* read(oneTab([["b", "2024", "a"], [1, 2, 3]]))
      assert.deepStrictEqual(columns, ["b", "2024", "a"])
    }))

  it.effect("a page says that there are more rows", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 120 }, (_, index) => [index])
      const page = yield* read(oneTab([["n"], ...rows]))
      assert.deepInclude(page, { returned: 100, has_more: true, next_offset: 100, total_rows: 120 })
      const full = yield* read(oneTab([["n"], ...rows]), { limit: 120 })
      assert.deepInclude(full, { returned: 120, has_more: false })
    }))

  describe("a tab with an unusual title is read", () => {
    const titles = [
      "Jon's Data",
      "''",
      "A1",
      "ENT2",
      "R",
      "RC",
      "R1C1",
      "2024",
      "Página1",
      "has!bang",
      "a:b",
      "1:2",
      "a/b?c#d",
      "Q3 🚀",
      "Total",
      "Sheet[1]"
    ]
    const spreadsheet = {
      ...spreadsheetOf([
        { title: "First", typed: [["wrong"], ["wrong"], ["wrong"]] },
        ...titles.map((title) => ({ title, typed: [["title"], [`'${title}`]] }))
      ]),
      namedRanges: [{ namedRangeId: "n1", name: "Total", sheetId: 0, area: { top: 0, left: 0, bottom: 2, right: 1 } }]
    }

    it.effect.each(titles)("%s", (title) =>
      Effect.gen(function*() {
        for (const range of [undefined, "A1:A2"]) {
          const { rows } = yield* read(spreadsheet, { tab: title, ...(range === undefined ? {} : { range }) })
          assert.deepStrictEqual(rows, [{ _row: 2, title }])
        }
      }))

    it.effect("when the title is in the range", () =>
      Effect.gen(function*() {
        const { rows } = yield* read(spreadsheet, { range: "'Jon''s Data'!A1:A2" })
        assert.deepStrictEqual(rows, [{ _row: 2, title: "Jon's Data" }])
      }))

    it.effect("when all headers are listed", () =>
      Effect.gen(function*() {
        const { tabs } = yield* fakeSpreadsheet(spreadsheet).call(sheetsListTabs, { include_headers: true })
        for (const { headers, tab } of tabs) assert.deepStrictEqual(headers, [tab === "First" ? "wrong" : "title"])
      }))
  })

  describe("choosing the tab", () => {
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

    it.effect.each<{ behaviour: string; input: object; tab: string }>([
      { behaviour: "by default it is the first visible tab with cells", input: {}, tab: "Página1" },
      { behaviour: "an id of 0 is an id", input: { tab: 0 }, tab: "Zero" },
      { behaviour: "an id of 0 in the URL is an id", input: { spreadsheet: address("gid=0") }, tab: "Zero" },
      { behaviour: "an id in the URL chooses the tab", input: { spreadsheet: address("gid=20") }, tab: "data" },
      {
        behaviour: "`tab` wins over the URL",
        input: { spreadsheet: address("gid=20"), tab: "Zero" },
        tab: "Zero"
      },
      { behaviour: "a text of digits is a title before it is an id", input: { tab: "12" }, tab: "12" },
      { behaviour: "a number is an id before it is a title", input: { tab: 12 }, tab: "Página1" },
      { behaviour: "an id can be a text", input: { tab: "5" }, tab: "12" },
      { behaviour: "a hidden tab can be named", input: { tab: "Hidden" }, tab: "Hidden" },
      { behaviour: "an exact title wins over one in another case", input: { tab: "DATA" }, tab: "DATA" },
      { behaviour: "a title matches in any case", input: { tab: "mixed case" }, tab: "Mixed Case" },
      { behaviour: "spaces around a title are ignored", input: { tab: " Zero " }, tab: "Zero" },
      { behaviour: "an empty text counts as absent", input: { tab: "", range: "" }, tab: "Página1" }
    ])("$behaviour", ({ input, tab }) =>
      Effect.gen(function*() {
        const { rows } = yield* read(spreadsheet, input)
        assert.deepStrictEqual(rows, [{ _row: 2, in: tab === "12" ? 12 : tab }])
      }))

    it.effect.each<{ behaviour: string; input: object; path: string; says: string }>([
      {
        behaviour: "a chart",
        input: { tab: "Chart" },
        path: "tab",
        says: "\"Chart\" is a chart and has no cells"
      },
      {
        behaviour: "an unknown title",
        input: { tab: "Nope" },
        path: "tab",
        says: "The tabs are \"Chart\" (id 9, chart), \"Hidden\" (id 7, hidden)"
      },
      {
        behaviour: "a title that matches two tabs",
        input: { tab: "Data" },
        path: "tab",
        says: "The tabs are \"data\" (id 20), \"DATA\" (id 21)."
      },
      {
        behaviour: "a URL with an unknown id",
        input: { spreadsheet: address("gid=99") },
        path: "spreadsheet",
        says: "no tab with the id 99"
      },
      {
        behaviour: "a table's name",
        input: { range: "Table1[Email]" },
        path: "range",
        says: "Expected cells in A1 notation"
      }
    ])("$behaviour is refused, naming the choices", ({ input, path, says }) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(spreadsheet)
        const [issue] = yield* issuesOf(fake.call(sheetsRead, input))
        assert.deepStrictEqual(issue?.path, ["input", path])
        assert.include(issue?.message, says)
        assert.deepStrictEqual(fake.calls.map(({ endpoint }) => endpoint), ["spreadsheets.get"])
      }))
  })
})
