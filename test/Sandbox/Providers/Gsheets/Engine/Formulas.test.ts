import { assert, describe, it } from "@effect/vitest"
import { copyFormula, shiftFormula } from "../../../../../src/Sandbox/Providers/Gsheets/Engine/Formula/References.ts"
import { oneTab, read, shown, spreadsheetOf } from "./SpreadsheetFixture.ts"

const valueOf = (formula: string) =>
  read(
    spreadsheetOf([
      { title: "Sheet1", typed: [[1, 2, "x"], [3, "4", ""], [true, "2020-01-01", "=1/0"], [], [formula]] },
      { title: "Jon's", typed: [[7]] }
    ]),
    "A5"
  )[0]?.[0]

describe("A formula", () => {
  it.each<[formula: string, value: string | number | boolean]>([
    ["=3/2", 1.5],
    ["=1+2*3^2", 19],
    ["=(1+2)*3", 9],
    ["=\"a\"&\"b\"&1", "ab1"],
    ["=\"A\"=\"a\"", true],
    ["=SUM(A1,B1)", 3],
    ["=SUM(A1:B2)", 10],
    ["=A1+B2", 5],
    ["=$A$1+A$2", 4],
    ["='Jon''s'!A1+1", 8],
    ["=AVERAGE(A1:B1)", 1.5],
    ["=COUNTIF(A1:B2,\">1\")", 3],
    ["=COUNTIF(A1:C3,\"X*\")", 1],
    ["=COUNTIF(A1:C3,\".\")", 0],
    ["=SUMIF(A1:A2,\">1\",B1:B2)", 4],
    ["=C3+1", "#DIV/0!"],
    ["=\"x\"+1", "#VALUE!"],
    ["=\"5\"+1", 6],
    ["=Nope!A1", "#REF!"],
    ["=A5", "#REF!"],
    ["=nothing", "#NAME?"],
    ["=1+", "#ERROR!"],
    ["=(1", "#ERROR!"],
    ["=QUERY(A1:B2)", "#ERROR!"],
    ["=NOW()", 46_099.5]
  ])("%s gives %j", (formula, value) => assert.deepStrictEqual(valueOf(formula), value))

  it("takes the number format of its operands", () => {
    const spreadsheet = oneTab([["2020-01-31", "$5", "10%"], ["=A1+1", "=B1*2", "=C1", "=A1-A1", "=SUM(B1:B1)"]])
    assert.deepStrictEqual(shown(spreadsheet, "2:2"), [["2020-02-01", "$10", "10%", "0", "$5"]])
  })
})

describe("References", () => {
  it.each(
    [
      ["=A1+$B$2+C$3+$D4", 1, 1, "=B2+$B$2+D$3+$D5"],
      ["=SUM(A1:B2)&\"A1\"", 2, 0, "=SUM(A3:B4)&\"A1\""],
      ["='Jon''s'!A1", 0, 1, "='Jon''s'!B1"],
      ["=A1", -1, 0, "=#REF!"],
      ["=LOG10(A1)", 1, 0, "=LOG10(A2)"],
      ["=A:A+2:2", 1, 1, "=B:B+3:3"]
    ] as const
  )("%s copied by %i rows and %i columns becomes %s", (formula, rows, columns, copied) => {
    assert.strictEqual(copyFormula(formula, rows, columns), copied)
  })

  it.each(
    [
      ["=A1+A3", { index: 1, count: 2 }, "=A1+A5"],
      ["=SUM(A1:A3)", { index: 1, count: 1 }, "=SUM(A1:A4)"],
      ["=SUM(A1:A3)", { index: 3, count: 1 }, "=SUM(A1:A3)"],
      ["=$A$3", { index: 0, count: 1 }, "=$A$4"],
      ["=A3", { index: 2, count: -1 }, "=#REF!"],
      ["=A5", { index: 1, count: -2 }, "=A3"],
      ["=SUM(A2:A5)", { index: 2, count: -2 }, "=SUM(A2:A3)"],
      ["=SUM(A2:A)", { index: 0, count: 1 }, "=SUM(A3:A)"],
      ["=B:B", { index: 0, count: 5 }, "=B:B"]
    ] as const
  )("%s after inserting or deleting rows %j becomes %s", (formula, shift, shifted) => {
    assert.strictEqual(shiftFormula(formula, { dimension: "ROWS", ...shift }, () => true), shifted)
  })

  it("to other tabs do not change", () => {
    const shift = { dimension: "COLUMNS", index: 0, count: 1 } as const
    assert.strictEqual(shiftFormula("=A1+Data!A1", shift, ({ tab }) => tab === "Data"), "=A1+Data!B1")
  })
})
