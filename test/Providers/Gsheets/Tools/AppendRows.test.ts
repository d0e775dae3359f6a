import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsAppendRows } from "../../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { fakeProvider } from "../../../support/FakeProvider.ts"
import {
  callWith,
  id,
  issuesOf,
  oneTab,
  spreadsheetFixture,
  spreadsheetOf,
  type Values
} from "../SpreadsheetFixture.ts"

const people: Values = [["Name", "Age"], ["Ann", 31]]

const writes = (world: ReturnType<typeof spreadsheetFixture>) =>
  world.calls.map(({ endpoint }) => endpoint).filter((endpoint) => !/get$/i.test(endpoint))

describe("sheets_append_rows", () => {
  it.effect("puts objects under their headers, below the last row", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab(people))
      const answer = yield* world.call(sheetsAppendRows, { rows: [{ Age: 4, Name: "Bob" }, { Name: "Cy" }] })
      assert.deepStrictEqual(answer, {
        spreadsheetId: id,
        tab: "Data",
        updated_range: "Data!A3:B4",
        first_row: 3,
        rows_appended: 2,
        cells: 3
      })
      assert.deepStrictEqual(world.values("Data"), [["Name", "Age"], ["Ann", 31], ["Bob", 4], ["Cy"]])
    }))

  it.effect("puts arrays in the order of the columns", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab(people))
      yield* world.call(sheetsAppendRows, { rows: [["Bob", 4], ["Cy", null, "more"]] })
      assert.deepStrictEqual(world.values("Data").slice(2), [["Bob", 4], ["Cy", "", "more"]])
    }))

  it.effect("takes rows as JSON too", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab(people))
      yield* world.call(sheetsAppendRows, { rows: "[{\"Name\":\"Bob\",\"Age\":4}]" })
      assert.deepStrictEqual(world.values("Data").slice(2), [["Bob", 4]])
    }))

  it.effect.each<{ rows: unknown; path: ReadonlyArray<string | number>; says: string }>([
    { rows: "not JSON", path: ["rows"], says: "this text is no JSON" },
    { rows: "[]", path: ["rows"], says: "at least one row" },
    { rows: "[{\"Name\":{}}]", path: ["rows", 0, "Name"], says: "Expected" },
    { rows: [["a"], { Name: "b" }], path: ["rows", 1], says: "rows of one kind" },
    { rows: [{ Name: "a" }, {}], path: ["rows", 1], says: "no value" },
    { rows: [[null, ""]], path: ["rows", 0], says: "no value" },
    { rows: [{ _row: 4 }], path: ["rows", 0], says: "no value" }
  ])("$rows are refused", ({ path, rows, says }) =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab(people))
      const [issue] = yield* issuesOf(world.call(sheetsAppendRows, { rows }))
      assert.deepStrictEqual(issue?.path, ["input", ...path])
      assert.include(issue?.message, says)
      assert.deepStrictEqual(world.calls, [])
    }))

  describe("keys", () => {
    const headed: Values = [[" Email ", "", "Email", "Größe"]]

    it.effect.each([
      { key: "Email", column: 0 },
      { key: " Email", column: 0 },
      { key: "col_B", column: 1 },
      { key: "Email_2", column: 2 },
      { key: "email_2", column: 2 },
      { key: "GRÖßE", column: 3 },
      { key: "col_Z", column: 25 }
    ])("$key is a column", ({ column, key }) =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab(headed))
        yield* world.call(sheetsAppendRows, { rows: [{ [key]: "x" }] })
        assert.strictEqual(world.values("Data")[1]?.findIndex((value) => value === "x"), column)
      }))

    it.effect("that are no column are refused, naming the headers, and nothing is written", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab(headed))
        const issues = yield* issuesOf(
          world.call(sheetsAppendRows, { rows: [{ Email: "a" }, { Email: "b", Phone: 1, col_AA: 2 }] })
        )
        assert.deepStrictEqual(issues, [
          {
            path: ["input", "rows", 1, "Phone"],
            message: "There is no column \"Phone\". The headers are \"Email\", \"Größe\"."
          },
          {
            path: ["input", "rows", 1, "col_AA"],
            message: "There is no column \"col_AA\". The headers are \"Email\", \"Größe\"."
          }
        ])
        assert.deepStrictEqual(writes(world), [])
      }))

    it.effect("that are no column are named once, however many rows have them", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab(people))
        const rows = Array.from({ length: 50 }, () => ({ Name: "x", Phone: 1 }))
        assert.lengthOf(yield* issuesOf(world.call(sheetsAppendRows, { rows })), 1)
      }))

    it.effect("that mean one column twice are refused", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab(people))
        const issues = yield* issuesOf(world.call(sheetsAppendRows, { rows: [{ Name: "a", name: "b" }] }))
        assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "rows", 0, "name"]])
      }))

    it.effect("that fit two headers in another case are refused", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["Name", "NAME"]]))
        const issues = yield* issuesOf(world.call(sheetsAppendRows, { rows: [{ name: "a" }] }))
        assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "rows", 0, "name"]])
      }))

    it.effect("are column letters on a tab without a header", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["Ann", 31]]))
        yield* world.call(sheetsAppendRows, { header_row: 0, rows: [{ B: 4, a: "Bob" }] })
        assert.deepStrictEqual(world.values("Data"), [["Ann", 31], ["Bob", 4]])
      }))

    it.effect("may be those of a row that was read", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab(people))
        yield* world.call(sheetsAppendRows, { rows: [{ _row: 2, Name: "Ann", Age: 31 }] })
        assert.deepStrictEqual(world.values("Data").slice(2), [["Ann", 31]])
      }))
  })

  describe("an empty tab", () => {
    it.effect("gets the keys as its header, in the order they come", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([]))
        const answer = yield* world.call(sheetsAppendRows, { rows: [{ b: 1, " a ": 2 }, { c: "=x", a: 3, _row: 9 }] })
        assert.deepStrictEqual(answer, {
          spreadsheetId: id,
          tab: "Data",
          updated_range: "Data!A1:C3",
          first_row: 2,
          rows_appended: 2,
          cells: 7,
          headers_created: true
        })
        assert.deepStrictEqual(world.values("Data"), [["b", "a", "c"], [1, 2], ["", 3, "=x"]])
        assert.deepStrictEqual(writes(world), ["values.update"])
      }))

    it.effect("gets headers that are not parsed, whatever the rows are", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([]))
        yield* world.call(sheetsAppendRows, { rows: [{ "=1+1": "1-2", "007": "5%", "'x": "y" }], parse: true })
        assert.deepStrictEqual(world.values("Data!1:1", "FORMULA"), [["=1+1", "007", "'x"]])
        assert.deepStrictEqual(world.values("Data!A2:B2"), [[46_024, 0.05]])
      }))

    it.effect("gets no header where that is not wanted", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([]))
        const [issue] = yield* issuesOf(world.call(sheetsAppendRows, { rows: [{ a: 1 }], create_headers: false }))
        assert.deepStrictEqual(issue?.path, ["input", "create_headers"])
        assert.deepStrictEqual(writes(world), [])
      }))

    it.effect("takes arrays from its first row on", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([]))
        const { first_row, headers_created } = yield* world.call(sheetsAppendRows, { rows: [["Name"], ["Ann"]] })
        assert.deepStrictEqual({ first_row, headers_created }, { first_row: 1, headers_created: undefined })
        assert.deepStrictEqual(world.values("Data"), [["Name"], ["Ann"]])
      }))

    it.effect("gets its header in the row that is named", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["A title"]]))
        const { first_row } = yield* world.call(sheetsAppendRows, { rows: [{ a: 1 }], header_row: 3 })
        assert.strictEqual(first_row, 4)
        assert.deepStrictEqual(world.values("Data"), [["A title"], [], ["a"], [1]])
      }))

    it.effect("cannot have a header without a name", () =>
      Effect.gen(function*() {
        const [issue] = yield* issuesOf(
          spreadsheetFixture(oneTab([])).call(sheetsAppendRows, { rows: [{ a: 1 }, { " ": 2 }] })
        )
        assert.deepStrictEqual(issue?.path, ["input", "rows", 1])
      }))
  })

  it.effect("says which cells hold something else than was sent", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([["a", "b", "c", "d", "e"]]))
      const { coerced } = yield* world.call(sheetsAppendRows, {
        rows: [["007", "1-2", "TRUE", "=1+1", "'007"]],
        parse: true,
        allow_formulas: true
      })
      assert.deepStrictEqual(coerced, [
        { cell: "A2", sent: "007", stored: 7 },
        { cell: "B2", sent: "1-2", stored: 46_024 },
        { cell: "C2", sent: "TRUE", stored: true }
      ])
    }))

  it.effect("lists at most a hundred of them, and says so", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([["a"]]))
      const rows = Array.from({ length: 120 }, (_, index) => [`0${index}`])
      const { coerced, warning } = yield* world.call(sheetsAppendRows, { rows, parse: true })
      assert.lengthOf(coerced, 100)
      assert.include(warning, "120 cells")
    }))

  it.effect("warns of rows that the next append would take for empty", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([["Done", "Note"]]))
      const { warning } = yield* world.call(sheetsAppendRows, { rows: [[true], [false]] })
      assert.include(warning, "Row 3 holds nothing but false")
    }))

  it.effect("lists at most a hundred mistakes, and tells how many there are", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 150 }, () => ["=1"])
      const error = yield* Effect.flip(spreadsheetFixture(oneTab(people)).call(sheetsAppendRows, { rows, parse: true }))
      assert.lengthOf(Object(error).details, 100)
      assert.match(error.message, /^A3 would get .* And 147 more\.$/)
    }))

  it.effect("a header row beyond the grid is refused", () =>
    Effect.gen(function*() {
      const [issue] = yield* issuesOf(
        spreadsheetFixture(oneTab([])).call(sheetsAppendRows, { rows: [[1]], header_row: 2000 })
      )
      assert.deepStrictEqual(issue?.path, ["input", "header_row"])
    }))

  describe("on a tab of more than 500,000 cells", () => {
    const large = { rowCount: 60_000, columnCount: 10 }

    it.effect("the provider looks for the end, rows are inserted, and one row is read", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["", "Name", "Age"], ["", "Ann", 31]], large))
        const answer = yield* world.call(sheetsAppendRows, { rows: [{ Age: 4 }, { Name: "Cy" }] })
        assert.deepStrictEqual(answer, {
          spreadsheetId: id,
          tab: "Data",
          updated_range: "Data!B3:C4",
          first_row: 3,
          rows_appended: 2,
          cells: 2
        })
        assert.deepStrictEqual(world.values("Data!A1:C6"), [["", "Name", "Age"], ["", "Ann", 31], ["", "", 4], [
          "",
          "Cy"
        ]])
        assert.deepStrictEqual(world.calls.map(({ endpoint }) => endpoint), [
          "spreadsheets.get",
          "values.get",
          "values.append"
        ])
        assert.deepInclude(world.calls[2]?.input.query, { insertDataOption: "INSERT_ROWS", valueInputOption: "RAW" })
      }))

    it.effect.each([
      { place: "Data!C1:D1", warns: true },
      { place: "Data!D4:E4", warns: true },
      { place: "", warns: true },
      { place: "'a!b'!B4:C4", warns: false },
      { place: "Data!A4:B4", warns: false }
    ])("a place such as $place is looked at", ({ place, warns }) =>
      Effect.gen(function*() {
        const { provider } = fakeProvider((endpoint) =>
          endpoint === "spreadsheets.get"
            ? {
              spreadsheetId: id,
              properties: {},
              sheets: [{ properties: { title: "Data", gridProperties: large } }]
            }
            : endpoint === "values.get"
            ? { values: [["", "Name", "Age"]] }
            : { updates: { updatedRange: place, updatedCells: 2 } }
        )
        const { warning } = yield* callWith(provider, sheetsAppendRows, {
          spreadsheet: id,
          rows: [{ Name: "x", Age: 1 }]
        })
        assert.strictEqual(warning?.includes("not below the header") ?? false, warns)
      }))

    it.effect("a blank header is refused", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([], large))
        const [issue] = yield* issuesOf(world.call(sheetsAppendRows, { rows: [{ a: 1 }] }))
        assert.deepStrictEqual(issue?.path, ["input", "header_row"])
        assert.deepStrictEqual(writes(world), [])
      }))

    it.effect("a formula is refused by the column it would be in", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["Name"], ["Ann"]], large))
        const [issue] = yield* issuesOf(world.call(sheetsAppendRows, { rows: [{ Name: "=1" }], parse: true }))
        assert.deepStrictEqual(issue?.path, ["input", "rows", 0, "Name"])
        assert.include(issue?.message, "A cell of column A would get \"=1\"")
      }))
  })

  it.effect("a tab that is named is the one that is written to", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(
        spreadsheetOf([{ title: "First", typed: people }, { title: "a:b", typed: people }])
      )
      yield* world.call(sheetsAppendRows, { tab: "a:b", rows: [["Bob", 4]] })
      assert.lengthOf(world.values("First"), 2)
      assert.lengthOf(world.values("'a:b'"), 3)
    }))
})
