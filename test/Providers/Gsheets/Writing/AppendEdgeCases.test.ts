import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sheetsAppendRows } from "../../../../src/Providers/Gsheets/Tools/AppendRows.ts"
import type { Cell, Tab } from "../../../../src/Sandbox/Providers/Gsheets/Engine/Spreadsheet.ts"
import { fakeSpreadsheet, oneTab, type Values } from "../FakeSpreadsheet.ts"

const checkbox = (ticked: boolean): Cell => ({
  userEnteredValue: { boolValue: ticked },
  dataValidation: { condition: { type: "BOOLEAN" } }
})

const text = (stringValue: string): Cell => ({ userEnteredValue: { stringValue } })

const tasks = [
  [text("Done"), text("Task")],
  [checkbox(true), text("a")],
  ...Array.from({ length: 30 }, () => [checkbox(false)])
]

describe("Appending rows: edge cases", () => {
  it.effect.each<
    readonly [
      behaviour: string,
      typed: Values,
      rows: unknown,
      row: number,
      cells: ReadonlyArray<unknown>,
      more?: { readonly tab?: Partial<Tab>; readonly input?: object }
    ]
  >([
    ["a gap between blocks is not filled", [["n"], [1], [2], [], [], [3], [4]], [{ n: 5 }], 8, [5]],
    ["a blank first column does not shift array rows", [["", "Name", "Age"], ["", "Ann", 31]], [["Bob", 4]], 3, [
      "",
      "Bob",
      4
    ]],
    [
      "a shorter table beside the data does not matter",
      [["n", "", "", "k", "v"], [1, "", "", "a", 1], [2], [3]],
      [{ n: 4 }],
      5,
      [4]
    ],
    [
      "rows go below a longer table beside the data",
      [["n", "", "", "k"], [1, "", "", "a"], ["", "", "", "b"]],
      [{ n: 2, k: "c" }],
      4,
      [2, "", "", "c"]
    ],
    [
      "null in a cell keeps its formula",
      [["n", "copy"], [1, "=A2&\"\""], ["", "=A3&\"\""]],
      [[2, null]],
      3,
      [2, "2"]
    ],
    [
      "formulas with an empty result are not data",
      [["n", "twice"], [1, "=A2*2"], ["", "=\"\""], ["", "=\"\""]],
      [{ n: 3 }],
      3,
      [3]
    ],
    ["unticked checkboxes are not data", [], [{ Task: "b" }], 3, [false, "b"], { tab: { rows: tasks } }],
    ["a grid without free rows grows", [["n"], [1], [2]], [{ n: 3 }, { n: 4 }], 4, [3], {
      tab: { rowCount: 3, columnCount: 1 }
    }],
    ["0 is data", [["n"], [0]], [{ n: 1 }], 3, [1]]
  ])("%s", ([, typed, rows, row, cells, { input = {}, tab = {} } = {}]) =>
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
})
