import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsUpdateRange } from "../../../../src/Providers/Gsheets/Tools/UpdateRange.ts"
import { fakeSpreadsheet, issuesOf, oneTab, spreadsheetOf, type Values } from "../FakeSpreadsheet.ts"

const stock: Values = [["Item", "Count", "Total"], ["Nuts", 3, "=B2*2"], ["Bolts", 4, "=B3*2"]]

const isWritten = (fake: ReturnType<typeof fakeSpreadsheet>): boolean =>
  fake.calls.some(({ endpoint }) => endpoint === "values.update")

describe("sheets_update_range", () => {
  it.effect("writes rows from a cell on", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(stock))
      assert.deepStrictEqual(
        yield* fake.call(sheetsUpdateRange, { range: "A2", values: [["Screws", 5], ["Pins", 6]] }),
        {
          updated_range: "Data!A2:B3",
          rows: 2,
          columns: 2,
          cells: 4
        }
      )
      assert.deepStrictEqual(fake.values("Data"), [["Item", "Count", "Total"], ["Screws", 5, 10], ["Pins", 6, 12]])
    }))

  it.effect.each<{ value: string | number | boolean }>([{ value: "x" }, { value: 0 }, { value: false }, { value: "" }])(
    "writes $value into one cell",
    ({ value }) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        const { cells, updated_range } = yield* fake.call(sheetsUpdateRange, { range: "Data!B2", values: value })
        assert.deepStrictEqual({ cells, updated_range }, { cells: 1, updated_range: "Data!B2" })
        assert.strictEqual(fake.values("Data!A2:C2")[0]?.[1] ?? "", value)
      })
  )

  describe("the range", () => {
    const values = [["a", "b"], ["c", "d"]]

    it.effect.each(["B2", "B2:C3", "B2:C", "C3:B2", "$B$2:$C$3", "'Data'!B2:C3", "Data!B2"])(
      "%s takes two by two",
      (range) =>
        Effect.gen(function*() {
          const fake = fakeSpreadsheet(oneTab([["x"]]))
          const { updated_range } = yield* fake.call(sheetsUpdateRange, { range, values })
          assert.strictEqual(updated_range, "Data!B2:C3")
          assert.deepStrictEqual(fake.values("Data!B2:C3"), values)
        })
    )

    it.effect.each([
      {
        behaviour: "larger than the data is refused",
        range: "B2:D4",
        size: "the range is 3 rows by 3 columns"
      },
      { behaviour: "smaller than the data is refused", range: "B2:C2", size: "the range is 1 rows by 2 columns" },
      {
        behaviour: "of whole rows is filled from the first column",
        range: "2:3",
        size: "the range is 2 rows by any number of columns"
      }
    ])("$behaviour", ({ range, size }) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["x"]]))
        const call = fake.call(sheetsUpdateRange, { range, values })
        if (range === "2:3") {
          assert.strictEqual((yield* call).updated_range, "Data!A2:B3")
          return
        }
        const [issue] = yield* issuesOf(call)
        assert.deepStrictEqual(issue?.path, ["input", "values"])
        assert.include(issue?.message, size)
        assert.deepStrictEqual(fake.calls, [])
      }))

    it.effect("beyond the grid is refused and names sheets_append_rows", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["x"]], { rowCount: 3, columnCount: 3 }))
        const [issue] = yield* issuesOf(fake.call(sheetsUpdateRange, { range: "C3", values }))
        assert.deepStrictEqual(issue, {
          path: ["input", "range"],
          message: "The values would fill C3:D4, but the tab \"Data\" has 3 rows and 3 columns. " +
            "sheets_append_rows makes room by itself."
        })
      }))

    it.effect("on a quoted tab is found", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(spreadsheetOf([{ title: "First" }, { title: "Jon's A1" }]))
        yield* fake.call(sheetsUpdateRange, { tab: "Jon's A1", range: "B2", values: 1 })
        yield* fake.call(sheetsUpdateRange, { range: "'Jon''s A1'!C3", values: 2 })
        assert.deepStrictEqual(fake.values("'Jon''s A1'"), [[], ["", 1], ["", "", 2]])
        assert.deepStrictEqual(fake.values("First"), [])
      }))

    it.effect("on another tab than `tab` is refused", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(spreadsheetOf([{ title: "A" }, { title: "B" }]))
        const [issue] = yield* issuesOf(fake.call(sheetsUpdateRange, { tab: "B", range: "A!A1", values: 1 }))
        assert.deepStrictEqual(issue?.path, ["input", "range"])
      }))
  })

  it.effect("rows of different length are refused before anything is sent", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(stock))
      const [issue] = yield* issuesOf(fake.call(sheetsUpdateRange, { range: "A2", values: [[1, 2], [3]] }))
      assert.deepStrictEqual(issue?.path, ["input", "values", 1])
      assert.deepStrictEqual(fake.calls.map(({ endpoint }) => endpoint), [])
    }))

  it.effect("null keeps a cell, an empty text clears it, and numbers and booleans are never parsed", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["a", "b", "c", "d"]]))
      const { cells } = yield* fake.call(sheetsUpdateRange, {
        range: "A1",
        values: [[null, "", 5, true]],
        parse: true
      })
      assert.strictEqual(cells, 3)
      assert.deepStrictEqual(fake.values("Data"), [["a", "", 5, true]])
    }))

  it.effect("keeps notes and validation", () =>
    Effect.gen(function*() {
      const rule = { condition: { type: "ONE_OF_LIST" as const, values: [{ userEnteredValue: "y" }] } }
      const fake = fakeSpreadsheet(oneTab([], { rows: [[{ note: "keep me", dataValidation: rule }]] }))
      yield* fake.call(sheetsUpdateRange, { range: "A1", values: "y" })
      assert.deepStrictEqual(fake.spreadsheet().tabs[0]?.rows[0]?.[0], {
        note: "keep me",
        dataValidation: rule,
        userEnteredValue: { stringValue: "y" }
      })
    }))

  describe("a cell with a formula", () => {
    it.effect("is not overwritten, and is named", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        const [issue, ...others] = yield* issuesOf(
          fake.call(sheetsUpdateRange, { range: "B2", values: [[1, 2], [3, 4]] })
        )
        assert.deepStrictEqual(others, [])
        assert.deepStrictEqual(issue?.path, ["input", "values"])
        assert.include(issue?.message, "C2 (=B2*2), C3 (=B3*2)")
        assert.isFalse(isWritten(fake))
      }))

    it.effect("is kept by null", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        yield* fake.call(sheetsUpdateRange, { range: "B2", values: [[1, null], [3, null]] })
        assert.deepStrictEqual(fake.values("Data!B2:C3"), [[1, 2], [3, 6]])
      }))

    it.effect("is overwritten with `overwrite_formulas`", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        yield* fake.call(sheetsUpdateRange, { range: "C2", values: 9, overwrite_formulas: true })
        assert.deepStrictEqual(fake.values("Data!C2", "FORMULA"), [[9]])
        assert.deepStrictEqual(fake.calls.map(({ endpoint }) => endpoint), ["spreadsheets.get", "values.update"])
      }))

    it.effect("is not a text that starts with =", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(spreadsheetOf([{ title: "Data", raw: [["=text"]] }]))
        yield* fake.call(sheetsUpdateRange, { range: "A1", values: "new" })
        assert.deepStrictEqual(fake.values("Data"), [["new"]])
      }))
  })

  describe("formulas from outside", () => {
    it.effect("are texts", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        yield* fake.call(sheetsUpdateRange, { range: "A2", values: "=1+1" })
        assert.deepStrictEqual(fake.values("Data!A2"), [["=1+1"]])
      }))

    it.effect("are refused with `parse`", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        const issues = yield* issuesOf(
          fake.call(sheetsUpdateRange, { range: "A2", values: [["a", "+1"], ["@x", "-5"]], parse: true })
        )
        assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "values", 0, 1], ["input", "values", 1, 0]])
        assert.include(issues[1]?.message, "A3")
        const one = yield* issuesOf(fake.call(sheetsUpdateRange, { range: "A2", values: "=1", parse: true }))
        assert.deepStrictEqual(one.map(({ path }) => path), [["input", "values"]])
      }))

    it.effect("are stored with `allow_formulas`", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        const { coerced } = yield* fake.call(sheetsUpdateRange, {
          range: "A2",
          values: "=B2+1",
          parse: true,
          allow_formulas: true
        })
        assert.isUndefined(coerced)
        assert.deepStrictEqual(fake.values("Data!A2"), [[4]])
      }))
  })

  it.effect("reports cells stored differently than sent", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(stock))
      const { coerced } = yield* fake.call(sheetsUpdateRange, { range: "A2", values: [["007", "x"]], parse: true })
      assert.deepStrictEqual(coerced, [{ cell: "A2", sent: "007", stored: 7 }])
    }))

  it.effect("a text that is too long is refused", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(stock))
      const [issue] = yield* issuesOf(
        fake.call(sheetsUpdateRange, { range: "A2", values: [["a", "x".repeat(50_001)]] })
      )
      assert.deepStrictEqual(issue?.path, ["input", "values", 0, 1])
    }))

  describe("expect", () => {
    it.effect("writes when the cells match", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["d", "n", ""], ["2026-01-02", 4, ""]]))
        yield* fake.call(sheetsUpdateRange, {
          range: "A2",
          values: [["2026-01-03", 5, "x"]],
          expect: [["2026-01-02", 4, null]]
        })
        assert.deepStrictEqual(fake.values("Data!B2:C2"), [[5, "x"]])
      }))

    it.effect("treats an empty text and null alike", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["a"]]))
        yield* fake.call(sheetsUpdateRange, { range: "B1:C1", values: [[1, 2]], expect: [["", null]] })
        assert.deepStrictEqual(fake.values("Data"), [["a", 1, 2]])
      }))

    it.effect("takes a number as sheets_read shows it", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["a"], [1 / 3]]))
        yield* fake.call(sheetsUpdateRange, { range: "A2", values: [[1]], expect: [[0.333333333333333]] })
        assert.deepStrictEqual(fake.values("Data"), [["a"], [1]])
      }))

    it.effect("writes nothing when a cell differs, and names it", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        const issues = yield* issuesOf(
          fake.call(sheetsUpdateRange, { range: "A2", values: [["x", 1]], expect: [["Nuts", 4]] })
        )
        assert.deepStrictEqual(issues, [{
          path: ["input", "expect", 0, 1],
          message: "B2 is 3, not 4. Nothing was written."
        }])
        assert.isFalse(isWritten(fake))
      }))

    it.effect("must have the shape of the values", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab(stock))
        const [issue] = yield* issuesOf(fake.call(sheetsUpdateRange, { range: "A2", values: [[1, 2]], expect: [[1]] }))
        assert.deepStrictEqual(issue, {
          path: ["input", "expect"],
          message: "Expected the shape of `values`, 1 rows by 2 columns."
        })
      }))
  })
})
