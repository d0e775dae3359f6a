import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsListTabs } from "../../../../src/Providers/Gsheets/Tools/ListTabs.ts"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import { type Spreadsheet } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { id, issuesOf, oneTab, spreadsheetFixture, spreadsheetOf, type Values } from "../SpreadsheetFixture.ts"

const read = (spreadsheet: Spreadsheet, input: object = {}) => spreadsheetFixture(spreadsheet).call(sheetsRead, input)

const cells = (title: string): { title: string; typed: Values } => ({ title, typed: [["in"], [title]] })

const address = (fragment: string) => `https://docs.google.com/spreadsheets/d/${id}/edit#${fragment}`

describe("What makes readers of spreadsheets stumble", () => {
  it.effect.each<{ trap: string; typed: Values; rows: ReadonlyArray<unknown> }>([
    {
      trap: "trailing empty cells and rows are omitted, interior ones are empty texts",
      typed: [["a", "b", "c"], ["", 2], [1, "", 3], ["", ""]],
      rows: [{ _row: 2, a: null, b: 2, c: null }, { _row: 3, a: 1, b: null, c: 3 }]
    },
    {
      trap: "dates come as serial numbers",
      typed: [["d", "t", "both"], ["2026-09-05", "14:30", "2026-09-05 14:30"]],
      rows: [{ _row: 2, d: "2026-09-05", t: "14:30", both: "2026-09-05 14:30" }]
    },
    {
      trap: "formatted values are texts",
      typed: [["money", "share", "large"], ["$1,234.50", "25%", "1.2E+12"]],
      rows: [{ _row: 2, money: 1234.5, share: 0.25, large: 1.2e12 }]
    },
    {
      trap: "0 and false are lost",
      typed: [["n", "b"], [0, false]],
      rows: [{ _row: 2, n: 0, b: false }]
    },
    {
      trap: "a text of digits loses its zeros",
      typed: [["zip"], ["'007"]],
      rows: [{ _row: 2, zip: "007" }]
    },
    {
      trap: "errors are texts",
      typed: [["ref", "div"], ["=Gone!A1", "=1/0"]],
      rows: [{ _row: 2, ref: "#REF!", div: "#DIV/0!" }]
    },
    {
      trap: "a formula's empty text is a value",
      typed: [["a", "b"], ["=\"\"", 1]],
      rows: [{ _row: 2, a: null, b: 1 }]
    },
    {
      trap: "a row that shows nothing is a row",
      typed: [["a"], ["=\"\""], [1]],
      rows: [{ _row: 3, a: 1 }]
    },
    {
      trap: "row numbers are one off from what people see",
      typed: [["a"], [], [], [1]],
      rows: [{ _row: 4, a: 1 }]
    },
    {
      trap: "a header twice, or none at all, is an error",
      typed: [["Email", "Email", ""], ["x", "y", "z"]],
      rows: [{ _row: 2, Email: "x", Email_2: "y", col_C: "z" }]
    },
    {
      trap: "a header that is a number or a truth value has no name",
      typed: [[2024, true, "2024-01-05"], [1, 2, 3]],
      rows: [{ _row: 2, 2024: 1, TRUE: 2, "2024-01-05": 3 }]
    }
  ])("$trap", ({ rows, typed }) =>
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

  it.effect("a header called __proto__ is dropped with its values", () =>
    Effect.gen(function*() {
      const { columns, rows: [row] } = yield* read(oneTab([["__proto__", "constructor"], ["kept", "too"]]))
      assert.deepStrictEqual(columns, ["__proto__", "constructor"])
      assert.deepStrictEqual(Object.entries(row), [["_row", 2], ["__proto__", "kept"], ["constructor", "too"]])
    }))

  it.effect("keys that are numbers come first, so that `columns` is needed for the order", () =>
    Effect.gen(function*() {
      const { columns } = yield* read(oneTab([["b", "2024", "a"], [1, 2, 3]]))
      assert.deepStrictEqual(columns, ["b", "2024", "a"])
    }))

  it.effect("a list is cut in silence at 50 rows", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 120 }, (_, index) => [index])
      const page = yield* read(oneTab([["n"], ...rows]))
      assert.deepInclude(page, { returned: 100, has_more: true, next_offset: 100, total_rows: 120 })
      const full = yield* read(oneTab([["n"], ...rows]), { limit: 120 })
      assert.deepInclude(full, { returned: 120, has_more: false })
    }))

  describe("titles of tabs that are no plain words", () => {
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
    /** A named range has the name of one of the tabs, and the first tab has cells that some titles could mean. */
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

    it.effect("in the range itself, as the provider writes them", () =>
      Effect.gen(function*() {
        const { rows } = yield* read(spreadsheet, { range: "'Jon''s Data'!A1:A2" })
        assert.deepStrictEqual(rows, [{ _row: 2, title: "Jon's Data" }])
      }))

    it.effect("and all of their headers at once", () =>
      Effect.gen(function*() {
        const { tabs } = yield* spreadsheetFixture(spreadsheet).call(sheetsListTabs, { include_headers: true })
        for (const { headers, tab } of tabs) assert.deepStrictEqual(headers, [tab === "First" ? "wrong" : "title"])
      }))
  })

  describe("which tab is meant", () => {
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

    it.effect.each<{ trap: string; input: object; tab: string }>([
      { trap: "the first tab is not called Sheet1, is hidden or a chart", input: {}, tab: "Página1" },
      { trap: "an id of 0 counts as none", input: { tab: 0 }, tab: "Zero" },
      { trap: "an id of 0 in the address counts as none", input: { spreadsheet: address("gid=0") }, tab: "Zero" },
      { trap: "an address with the id of a tab", input: { spreadsheet: address("gid=20") }, tab: "data" },
      {
        trap: "a tab that is named wins over the address",
        input: { spreadsheet: address("gid=20"), tab: "Zero" },
        tab: "Zero"
      },
      { trap: "a title of digits is no id", input: { tab: "12" }, tab: "12" },
      { trap: "a number is an id before it is a title", input: { tab: 12 }, tab: "Página1" },
      { trap: "an id as a text", input: { tab: "5" }, tab: "12" },
      { trap: "a hidden tab can be named", input: { tab: "Hidden" }, tab: "Hidden" },
      { trap: "two titles that differ in case only", input: { tab: "DATA" }, tab: "DATA" },
      { trap: "a title in another case", input: { tab: "mixed case" }, tab: "Mixed Case" },
      { trap: "blanks around a title", input: { tab: " Zero " }, tab: "Zero" },
      { trap: "an empty text is not a title", input: { tab: "", range: "" }, tab: "Página1" }
    ])("$trap", ({ input, tab }) =>
      Effect.gen(function*() {
        const { rows } = yield* read(spreadsheet, input)
        assert.deepStrictEqual(rows, [{ _row: 2, in: tab === "12" ? 12 : tab }])
      }))

    it.effect.each<{ trap: string; input: object; path: string; says: string }>([
      {
        trap: "a chart has no cells",
        input: { tab: "Chart" },
        path: "tab",
        says: "\"Chart\" is a chart and has no cells"
      },
      {
        trap: "an unknown title",
        input: { tab: "Nope" },
        path: "tab",
        says: "The tabs are \"Chart\" (id 9, chart), \"Hidden\" (id 7, hidden)"
      },
      {
        trap: "a title that fits two tabs",
        input: { tab: "Data" },
        path: "tab",
        says: "The tabs are \"data\" (id 20), \"DATA\" (id 21)."
      },
      {
        trap: "an address with an unknown id",
        input: { spreadsheet: address("gid=99") },
        path: "spreadsheet",
        says: "no tab with the id 99"
      },
      {
        trap: "a table's name is no range",
        input: { range: "Table1[Email]" },
        path: "range",
        says: "Expected cells in A1 notation"
      }
    ])("$trap is refused, naming the choices", ({ input, path, says }) =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(spreadsheet)
        const [issue] = yield* issuesOf(world.call(sheetsRead, input))
        assert.deepStrictEqual(issue?.path, ["input", path])
        assert.include(issue?.message, says)
        assert.deepStrictEqual(world.calls.map(({ endpoint }) => endpoint), ["spreadsheets.get"])
      }))
  })

  it.effect("an unknown spreadsheet is the provider's error", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(read(oneTab([]), { spreadsheet: "unknown" }))
      assert.deepInclude(error, { code: "upstream_error", status: 404 })
    }))
})
