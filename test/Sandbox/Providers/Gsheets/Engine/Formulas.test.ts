import { assert, describe, it } from "@effect/vitest"
import { read, spreadsheetOf } from "./SpreadsheetFixture.ts"

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
    ["=\"A\"=\"a\"", true],
    ["=SUM(A1:B2)", 10],
    ["='Jon''s'!A1+1", 8],
    ["=AVERAGE(A1:B1)", 1.5],
    ["=SUMIF(A1:A2,\">1\",B1:B2)", 4],
    ["=C3+1", "#DIV/0!"],
    ["=\"x\"+1", "#VALUE!"],
    ["=Nope!A1", "#REF!"],
    ["=nothing", "#NAME?"],
    ["=NOW()", 46_099.5]
  ])("%s gives %j", (formula, value) => assert.deepStrictEqual(valueOf(formula), value))
})
