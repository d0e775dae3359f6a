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
    ["=4/2", 2],
    ["=3/2", 1.5],
    ["=1+2*3^2", 19],
    ["=-2^2", 4],
    ["=(1+2)*3", 9],
    ["=10%", 0.1],
    ["=\"a\"&\"b\"&1", "ab1"],
    ["=1=1", true],
    ["=\"A\"=\"a\"", true],
    ["=1<>2", true],
    ["=\"a\">1", true],
    ["=SUM(A1,B1)", 3],
    ["=SUM(A1:B2)", 10],
    ["=sum(A1:A)-A5", "#REF!"],
    ["=A1+B2", 5],
    ["=$A$1+A$2", 4],
    ["='Jon''s'!A1+1", 8],
    ["=AVERAGE(A1:B1)", 1.5],
    ["=AVERAGE(C2:C2)", "#DIV/0!"],
    ["=MIN(A1:B2)", 1],
    ["=MAX(A1:B2)", 4],
    ["=COUNT(A1:C3)", 5],
    ["=COUNTA(A1:C3)", 8],
    ["=COUNTIF(A1:B2,\">1\")", 3],
    ["=SUMIF(A1:A2,\">1\",B1:B2)", 4],
    ["=IF(A1=1,\"yes\",\"no\")", "yes"],
    ["=IF(A1=2,\"yes\")", false],
    ["=IF(TRUE,1,1/0)", 1],
    ["=IFERROR(1/0,\"none\")", "none"],
    ["=IFNA(NA(),2)", 2],
    ["=IFNA(1/0,2)", "#DIV/0!"],
    ["=AND(A3,A1)", true],
    ["=OR(FALSE,0)", false],
    ["=NOT(A3)", false],
    ["=ROUND(2.345,2)", 2.35],
    ["=ROUND(-2.5)", -3],
    ["=ROUNDUP(2.1)", 3],
    ["=MOD(-1,3)", 2],
    ["=MOD(1,0)", "#DIV/0!"],
    ["=LEN(\"über\")", 4],
    ["=LEFT(\"abc\",2)&RIGHT(\"abc\")&MID(\"abc\",2,1)", "abcb"],
    ["=UPPER(\"a\")&TRIM(\"  b  c \")", "Ab c"],
    ["=SUBSTITUTE(\"a.b.c\",\".\",\"$&\")", "a$&b$&c"],
    ["=TEXT(0.5,\"0%\")", "50%"],
    ["=TEXTJOIN(\",\",TRUE,A1:C2)", "1,2,x,3,4"],
    ["=YEAR(B3)", 2020],
    ["=DATE(2020,1,1)=B3", true],
    ["=WEEKDAY(DATE(2026,3,18))", 4],
    ["=VLOOKUP(3,A1:B2,2,FALSE)", 4],
    ["=VLOOKUP(9,A1:B2,2,FALSE)", "#N/A"],
    ["=INDEX(A1:B2,2,1)", 3],
    ["=MATCH(3,A1:A2,0)", 2],
    ["=ROW()", 5],
    ["=COLUMN(B1)", 2],
    ["=ISBLANK(C2)", true],
    ["=ISBLANK(C4)", true],
    ["=ISNUMBER(A1)", true],
    ["=ISERROR(C3)", true],
    ["=C3+1", "#DIV/0!"],
    ["=\"x\"+1", "#VALUE!"],
    ["=\"5\"+1", 6],
    ["=1/0", "#DIV/0!"],
    ["=Nope!A1", "#REF!"],
    ["=ZZZ99999", "#REF!"],
    ["=nothing", "#NAME?"],
    ["=1+", "#ERROR!"],
    ["=(1", "#ERROR!"],
    ["=A5", "#REF!"],
    ["=GOOGLEFINANCE(\"X\")", "#ERROR!"],
    ["=IMPORTXML(\"https://x.test\",\"//a\")", "#ERROR!"],
    ["=HYPERLINK(\"https://x.test\",\"x\")", "x"],
    ["=TODAY()", 46_099],
    ["=NOW()", 46_099.5],
    ["=SQRT(-1)", "#NUM!"],
    ["={1,2;3,4}", 1]
  ])("%s gives %j", (formula, value) => assert.deepStrictEqual(valueOf(formula), value))

  it("with an unsupported function shows #ERROR!", () => {
    const spreadsheet = oneTab([["=QUERY(A1:B2)"]])
    assert.deepStrictEqual(read(spreadsheet, "A1"), [["#ERROR!"]])
    assert.deepStrictEqual(read(spreadsheet, "A1", "FORMULA"), [["=QUERY(A1:B2)"]])
  })

  it("takes the number format of its operands", () => {
    const spreadsheet = oneTab([["2020-01-31", "$5", "10%"], [
      "=A1+1",
      "=B1*2",
      "=C1",
      "=A1-A1",
      "=TODAY()",
      "=SUM(B1:B1)"
    ]])
    assert.deepStrictEqual(shown(spreadsheet, "2:2"), [["2020-02-01", "$10", "10%", "0", "3/18/2026", "$5"]])
  })

  it("can use named ranges", () => {
    const spreadsheet = {
      ...oneTab([[1, 2], ["=SUM(Both)"]]),
      namedRanges: [{ namedRangeId: "n", name: "Both", sheetId: 0, area: { top: 0, left: 0, bottom: 1, right: 2 } }]
    }
    assert.deepStrictEqual(read(spreadsheet, "A2"), [[3]])
  })

  it("with a circular reference shows #REF!", () => {
    assert.deepStrictEqual(read(oneTab([["=B1", "=A1"]]), "A1:B1"), [["#REF!", "#REF!"]])
  })

  it("outside ARRAYFORMULA reads the cell of a range in its own row", () => {
    assert.deepStrictEqual(read(oneTab([[1, "=A1:A2*10"], [2, "=A1:A2"], [3, "=A1:A2"]]), "B1:B3"), [[10], [2], [
      "#VALUE!"
    ]])
  })

  describe("with an array result", () => {
    it("fills the cells to the right and below", () => {
      const spreadsheet = oneTab([[1, "=ARRAYFORMULA(A1:A3*10)"], [2], [3]])
      assert.deepStrictEqual(read(spreadsheet, "A1:B3"), [[1, 10], [2, 20], [3, 30]])
      assert.deepStrictEqual(read(oneTab([["=SEQUENCE(2,2)"]]), "Sheet1"), [[1, 2], [3, 4]])
      assert.deepStrictEqual(read(oneTab([["={1,2;3,4}"]]), "Sheet1"), [[1, 2], [3, 4]])
      assert.deepStrictEqual(read(oneTab([["=TRANSPOSE(A3:B3)"], [], [1, 2]]), "A1:A2"), [[1], [2]])
    })

    it("can be used by other formulas", () => {
      assert.deepStrictEqual(read(oneTab([["=SEQUENCE(3)", "=SUM(A1:A3)"]]), "B1"), [[6]])
    })

    it("does not overwrite a cell, not even an empty text", () => {
      const spreadsheet = oneTab([["=SEQUENCE(3)"], [], [""]])
      assert.deepStrictEqual(read(spreadsheet, "A1:A3"), [["#REF!"]])
      const freed = oneTab([["=SEQUENCE(3)"], [], [null]])
      assert.deepStrictEqual(read(freed, "A1:A3"), [[1], [2], [3]])
    })

    it("must fit the grid", () => {
      assert.deepStrictEqual(read(oneTab([["=SEQUENCE(30)"]], { rowCount: 20 }), "A1"), [["#REF!"]])
    })

    it("looks up a value for each row", () => {
      const typed = [["b", "=ARRAYFORMULA(IFNA(VLOOKUP(A1:A3,D1:E2,2,FALSE),\"\"))", "", "a", 1], [
        "a",
        null,
        "",
        "b",
        2
      ]]
      assert.deepStrictEqual(read(oneTab(typed), "B1:B3"), [[2], [1], [""]])
    })
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
