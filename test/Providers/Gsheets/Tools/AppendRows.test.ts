import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsAppendRows } from "../../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { fakeSpreadsheet, id, issuesOf, oneTab, spreadsheetOf, type Values } from "../FakeSpreadsheet.ts"

const people: Values = [["Name", "Age"], ["Ann", 31]]

const writes = (fake: ReturnType<typeof fakeSpreadsheet>) =>
  fake.calls.map(({ endpoint }) => endpoint).filter((endpoint) => !/get$/i.test(endpoint))

describe("sheets_append_rows", () => {
  it.effect("puts objects under their headers, below the last row", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(people))
      const answer = yield* fake.call(sheetsAppendRows, { rows: [{ Age: 4, Name: "Bob" }, { Name: "Cy" }] })
      assert.deepStrictEqual(answer, {
        spreadsheetId: id,
        tab: "Data",
        updated_range: "Data!A3:B4",
        first_row: 3,
        rows_appended: 2,
        cells: 3
      })
      assert.deepStrictEqual(fake.values("Data"), [["Name", "Age"], ["Ann", 31], ["Bob", 4], ["Cy"]])
    }))

  it.effect("puts arrays in the order of the columns", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(people))
      yield* fake.call(sheetsAppendRows, { rows: [["Bob", 4], ["Cy", null, "more"]] })
      assert.deepStrictEqual(fake.values("Data").slice(2), [["Bob", 4], ["Cy", "", "more"]])
    }))

  it.effect("accepts rows as JSON", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(people))
      yield* fake.call(sheetsAppendRows, { rows: "[{\"Name\":\"Bob\",\"Age\":4}]" })
      assert.deepStrictEqual(fake.values("Data").slice(2), [["Bob", 4]])
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
      const fake = fakeSpreadsheet(oneTab(people))
      const [issue] = yield* issuesOf(fake.call(sheetsAppendRows, { rows }))
      assert.deepStrictEqual(issue?.path, ["input", ...path])
      assert.include(issue?.message, says)
      assert.deepStrictEqual(fake.calls, [])
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
        const fake = fakeSpreadsheet(oneTab(headed))
        yield* fake.call(sheetsAppendRows, { rows: [{ [key]: "x" }] })
        assert.strictEqual(fake.values("Data")[1]?.findIndex((value) => value === "x"), column)
      }))

    it.effect("that match no column are refused with the headers, and nothing is written", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(headed))
        const issues = yield* issuesOf(
          fake.call(sheetsAppendRows, { rows: [{ Email: "a" }, { Email: "b", Phone: 1, col_AA: 2 }] })
        )
        assert.deepStrictEqual(issues, [
          {
            path: ["input", "rows", 1, "Phone"],
            message: "There is no column \"Phone\". The headers are \"Email\", \"Größe\". " +
              "Further columns are \"col_B\", \"Email_2\", \"col_E\"."
          },
          {
            path: ["input", "rows", 1, "col_AA"],
            message: "There is no column \"col_AA\". The headers are \"Email\", \"Größe\". " +
              "Further columns are \"col_B\", \"Email_2\", \"col_E\"."
          }
        ])
        assert.deepStrictEqual(writes(fake), [])
      }))

    it.effect("that match no column are reported once", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(people))
        const rows = Array.from({ length: 50 }, () => ({ Name: "x", Phone: 1 }))
        assert.lengthOf(yield* issuesOf(fake.call(sheetsAppendRows, { rows })), 1)
      }))

    it.effect("that name one column twice are refused", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(people))
        const issues = yield* issuesOf(fake.call(sheetsAppendRows, { rows: [{ Name: "a", name: "b" }] }))
        assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "rows", 0, "name"]])
      }))

    it.effect("that match two headers in another case are refused", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["Name", "NAME"]]))
        const issues = yield* issuesOf(fake.call(sheetsAppendRows, { rows: [{ name: "a" }] }))
        assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "rows", 0, "name"]])
      }))

    it.effect("are column letters on a tab without a header", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["Ann", 31]]))
        yield* fake.call(sheetsAppendRows, { header_row: 0, rows: [{ B: 4, a: "Bob" }] })
        assert.deepStrictEqual(fake.values("Data"), [["Ann", 31], ["Bob", 4]])
      }))

    it.effect("may be those of a row from sheets_read", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(people))
        yield* fake.call(sheetsAppendRows, { rows: [{ _row: 2, Name: "Ann", Age: 31 }] })
        assert.deepStrictEqual(fake.values("Data").slice(2), [["Ann", 31]])
      }))
  })

  describe("an empty tab", () => {
    it.effect("gets the keys as its header in order", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([]))
        const answer = yield* fake.call(sheetsAppendRows, { rows: [{ b: 1, " a ": 2 }, { c: "=x", a: 3, _row: 9 }] })
        assert.deepStrictEqual(answer, {
          spreadsheetId: id,
          tab: "Data",
          updated_range: "Data!A1:C3",
          first_row: 2,
          rows_appended: 2,
          cells: 7,
          headers_created: true
        })
        assert.deepStrictEqual(fake.values("Data"), [["b", "a", "c"], [1, 2], ["", 3, "=x"]])
        assert.deepStrictEqual(writes(fake), ["values.update"])
      }))

    it.effect("gets headers that are never parsed", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([]))
        yield* fake.call(sheetsAppendRows, { rows: [{ "=1+1": "1-2", "007": "5%", "'x": "y" }], parse: true })
        assert.deepStrictEqual(fake.values("Data!1:1", "FORMULA"), [["=1+1", "007", "'x"]])
        assert.deepStrictEqual(fake.values("Data!A2:B2"), [[46_024, 0.05]])
      }))

    it.effect("gets no header without `create_headers`", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([]))
        const [issue] = yield* issuesOf(fake.call(sheetsAppendRows, { rows: [{ a: 1 }], create_headers: false }))
        assert.deepStrictEqual(issue?.path, ["input", "create_headers"])
        assert.deepStrictEqual(writes(fake), [])
      }))

    it.effect("gets arrays from its first row on", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([]))
        const { first_row, headers_created } = yield* fake.call(sheetsAppendRows, { rows: [["Name"], ["Ann"]] })
        assert.deepStrictEqual({ first_row, headers_created }, { first_row: 1, headers_created: undefined })
        assert.deepStrictEqual(fake.values("Data"), [["Name"], ["Ann"]])
      }))

    it.effect("gets its header in `header_row`", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["A title"]]))
        const { first_row } = yield* fake.call(sheetsAppendRows, { rows: [{ a: 1 }], header_row: 3 })
        assert.strictEqual(first_row, 4)
        assert.deepStrictEqual(fake.values("Data"), [["A title"], [], ["a"], [1]])
      }))

    it.effect("gets no header without a name", () =>
      Effect.gen(function*() {
        const [issue] = yield* issuesOf(
          fakeSpreadsheet(oneTab([])).call(sheetsAppendRows, { rows: [{ a: 1 }, { " ": 2 }] })
        )
        assert.deepStrictEqual(issue?.path, ["input", "rows", 1])
      }))
  })

  it.effect("reports cells stored differently than sent", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["a", "b", "c", "d", "e"]]))
      const { coerced } = yield* fake.call(sheetsAppendRows, {
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

  it.effect("lists at most 100 of these cells, and says so", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["a"]]))
      const rows = Array.from({ length: 120 }, (_, index) => [`0${index}`])
      const { coerced, warning } = yield* fake.call(sheetsAppendRows, { rows, parse: true })
      assert.lengthOf(coerced, 100)
      assert.include(warning, "120 cells")
    }))

  it.effect("warns of rows that the next append overwrites", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["Done", "Note"]]))
      const { warning } = yield* fake.call(sheetsAppendRows, { rows: [[true], [false]] })
      assert.include(warning, "Row 3 holds nothing but false")
    }))

  it.effect("lists at most 100 issues and counts the others", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 150 }, () => ["=1"])
      const error = yield* Effect.flip(fakeSpreadsheet(oneTab(people)).call(sheetsAppendRows, { rows, parse: true }))
      assert.lengthOf(Object(error).details, 101)
      assert.match(error.message, /does not fit the spreadsheet/)
    }))

  it.effect("a header row beyond the grid is refused", () =>
    Effect.gen(function*() {
      const [issue] = yield* issuesOf(
        fakeSpreadsheet(oneTab([])).call(sheetsAppendRows, { rows: [[1]], header_row: 2000 })
      )
      assert.deepStrictEqual(issue?.path, ["input", "header_row"])
    }))

  it.effect("writes to the named tab", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(
        spreadsheetOf([{ title: "First", typed: people }, { title: "a:b", typed: people }])
      )
      yield* fake.call(sheetsAppendRows, { tab: "a:b", rows: [["Bob", 4]] })
      assert.lengthOf(fake.values("First"), 2)
      assert.lengthOf(fake.values("'a:b'"), 3)
    }))
})
