import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  cellName,
  columnIndex,
  columnLetters,
  on,
  parseCells,
  quotedTab,
  rectangleName,
  splitTab
} from "../../../src/Providers/Gsheets/A1.ts"
import type { CellValue, Lines } from "../../../src/Providers/Gsheets/Answers.ts"
import { coercions } from "../../../src/Providers/Gsheets/Coercions.ts"
import { looksLikeFormula } from "../../../src/Providers/Gsheets/FormulaGuard.ts"
import { columnFinder, headerKeys, letterKeys } from "../../../src/Providers/Gsheets/HeaderKeys.ts"
import { lastDataRow } from "../../../src/Providers/Gsheets/LastDataRow.ts"
import { countRows, widthOf } from "../../../src/Providers/Gsheets/RowPage.ts"

describe("A1 notation", () => {
  it.each(
    [[0, "A"], [25, "Z"], [26, "AA"], [51, "AZ"], [52, "BA"], [701, "ZZ"], [702, "AAA"], [18_277, "ZZZ"]] as const
  )(
    "column %i is %s",
    (index, letters) => {
      assert.strictEqual(columnLetters(index), letters)
      assert.strictEqual(columnIndex(letters), index)
      assert.strictEqual(columnIndex(letters.toLowerCase()), index)
    }
  )

  it("every column has its letters", () => {
    fc.assert(fc.property(fc.nat(18_277), (index) => assert.strictEqual(columnIndex(columnLetters(index)), index)))
  })

  it.each([
    { text: "B2", cells: [1, 1, 2, 2] },
    { text: "b2", cells: [1, 1, 2, 2] },
    { text: "$B$2", cells: [1, 1, 2, 2] },
    { text: "B2:D5", cells: [1, 1, 5, 4] },
    { text: "D5:B2", cells: [1, 1, 5, 4] },
    { text: "D2:B5", cells: [1, 1, 5, 4] },
    { text: "A:C", cells: [0, 0, undefined, 3] },
    { text: "C:A", cells: [0, 0, undefined, 3] },
    { text: "2:3", cells: [1, 0, 3, undefined] },
    { text: "B2:C", cells: [1, 1, undefined, 3] },
    { text: "B2:4", cells: [1, 1, 4, undefined] }
  ])("$text", ({ cells, text }) => {
    const parsed = parseCells(text)
    assert.deepStrictEqual(parsed && [parsed.top, parsed.left, parsed.bottom, parsed.right], cells)
  })

  it.each([
    "",
    "A",
    "2",
    "A0",
    "A1:",
    ":A1",
    "A1:B2:C3",
    "ABCD1",
    "A1 ",
    "Name",
    "A1:A0",
    "Table1[Col]",
    "R1C1",
    "-1:2"
  ])(
    "%j is none",
    (text) => assert.isUndefined(parseCells(text))
  )

  it.each([
    { text: "A1:B2", tab: undefined, cells: "A1:B2" },
    { text: "Data!A1", tab: "Data", cells: "A1" },
    { text: "'Jon''s Data'!A1:Z1000", tab: "Jon's Data", cells: "A1:Z1000" },
    { text: "'has!bang'!A1", tab: "has!bang", cells: "A1" },
    { text: "has!bang!A1", tab: "has!bang", cells: "A1" },
    { text: "''''!A1", tab: "'", cells: "A1" },
    { text: "'line\nbreak'!A1", tab: "line\nbreak", cells: "A1" }
  ])("$text is on the tab $tab", ({ cells, tab, text }) => {
    assert.deepStrictEqual(splitTab(text), { tab, cells })
  })

  it("a quoted title is read back, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("'", "!", ":", "\n", "a", "1", " ", "🚀", "\u202E"), minLength: 1 }),
        (title) => {
          assert.deepStrictEqual(splitTab(on(title, "A1:B2")), { tab: title, cells: "A1:B2" })
          assert.match(quotedTab(title), /^'(?:[^']|'')*'$/u)
        }
      )
    )
  })

  it("cells and rectangles are read back", () => {
    fc.assert(fc.property(fc.nat(99_999), fc.nat(18_000), fc.nat(99), fc.nat(99), (top, left, rows, columns) => {
      const rectangle = { top, left, bottom: top + rows + 1, right: left + columns + 1 }
      assert.deepStrictEqual(parseCells(rectangleName(rectangle)), rectangle)
      assert.deepStrictEqual(parseCells(cellName(top, left)), { top, left, bottom: top + 1, right: left + 1 })
    }))
  })
})

describe("Keys of columns", () => {
  it.each<{ header: ReadonlyArray<CellValue>; keys: ReadonlyArray<string> }>([
    { header: ["a", "b"], keys: ["a", "b"] },
    { header: [" a ", "a"], keys: ["a", "a_2"] },
    { header: ["", null, "c"], keys: ["col_A", "col_B", "c"] },
    { header: ["a", "a", "a"], keys: ["a", "a_2", "a_3"] },
    { header: ["a", "a", "a_2", "a"], keys: ["a", "a_3", "a_2", "a_4"] },
    { header: ["a_2", "a", "a"], keys: ["a_2", "a", "a_3"] },
    { header: ["col_B", ""], keys: ["col_B", "col_B_2"] },
    { header: ["", "col_A"], keys: ["col_A_2", "col_A"] },
    { header: ["_row", "_row"], keys: ["_row_2", "_row_3"] },
    { header: ["__proto__", "__proto__"], keys: ["__proto__", "__proto___2"] },
    { header: [2024, true, 1.5], keys: ["2024", "TRUE", "1.5"] },
    { header: ["A", "a"], keys: ["A", "a"] }
  ])("$header", ({ header, keys }) => {
    assert.deepStrictEqual(headerKeys(header, { width: header.length }).map(({ key }) => key), keys)
  })

  const header = fc.array(
    fc.oneof(fc.constantFrom("", "a", "a_2", "col_A", "col_C", "_row"), fc.string({ maxLength: 4 })),
    {
      maxLength: 12
    }
  )

  it("are never the same for two columns, nor that of the row number", () => {
    fc.assert(fc.property(header, (texts) => {
      const keys = headerKeys(texts, { width: texts.length + 3 }).map(({ key }) => key)
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.notInclude(keys, "_row")
    }))
  })

  it("do not change when there are more columns behind", () => {
    fc.assert(fc.property(header, fc.nat(20), (texts, more) => {
      const keys = headerKeys(texts, { width: texts.length })
      assert.deepStrictEqual(headerKeys(texts, { width: texts.length + more }).slice(0, texts.length), keys)
    }))
  })

  it("each find their own column", () => {
    fc.assert(fc.property(header, (texts) => {
      const columns = headerKeys(texts, { width: texts.length })
      const find = columnFinder(columns)
      for (const column of columns) assert.strictEqual(find(column.key), column)
    }))
  })

  it("count from the first column of a range", () => {
    assert.deepStrictEqual(headerKeys(["", "x"], { first: 3, width: 3 }), [
      { key: "col_D", index: 3, renamed: true },
      { key: "x", index: 4, renamed: false },
      { key: "col_F", index: 5, renamed: true }
    ])
    assert.deepStrictEqual(letterKeys({ first: 25, width: 2 }).map(({ key }) => key), ["Z", "AA"])
  })
})

describe("The last row that holds data", () => {
  it.each<{ lines: Lines; last: number }>([
    { lines: [], last: -1 },
    { lines: [["a"], ["b"]], last: 1 },
    { lines: [["a"], [], [], ["b"], [], []], last: 3 },
    { lines: [["a"], ["", null, false]], last: 0 },
    { lines: [["a"], [0]], last: 1 },
    { lines: [["a"], ["", true]], last: 1 },
    { lines: [["a"], [" "]], last: 1 },
    { lines: [[false], [""]], last: -1 }
  ])("of $lines", ({ last, lines }) => assert.strictEqual(lastDataRow(lines), last))
})

describe("What looks like a formula", () => {
  it.each<[value: CellValue, looks: boolean]>([
    ["=A1", true],
    ["+1", true],
    ["-A1", true],
    ["--1", true],
    ["-", true],
    ["-1+2", true],
    ["- item", true],
    ["@x", true],
    ["  =A1", true],
    ["\ta", true],
    ["\ra", true],
    ["\na", true],
    ["\u3000=A1", true],
    ["＝A1", true],
    ["－A1", true],
    ["-1", false],
    [" -1", false],
    ["-1.5", false],
    ["-.5", false],
    ["-1e-5", false],
    ["-1,000", false],
    ["-5%", false],
    ["-$5", false],
    ["-€5.00", false],
    ["", false],
    ["a=1", false],
    ["'=A1", false],
    [-1, false],
    [true, false],
    [null, false]
  ])("%j: %s", (value, looks) => assert.strictEqual(looksLikeFormula(value), looks))
})

describe("What was stored otherwise", () => {
  it.each<{ sent: CellValue; stored: CellValue; reported: boolean }>([
    { sent: "007", stored: 7, reported: true },
    { sent: "1-2", stored: 46_024, reported: true },
    { sent: "TRUE", stored: true, reported: true },
    { sent: "x", stored: "x", reported: false },
    { sent: 1.5, stored: 1.5, reported: false },
    { sent: false, stored: false, reported: false },
    { sent: null, stored: "before", reported: false },
    { sent: "", stored: "", reported: false },
    { sent: "'007", stored: "007", reported: false },
    { sent: "=sum(a1)", stored: "=SUM(A1)", reported: false },
    { sent: "=1", stored: "1", reported: true }
  ])("$sent as $stored", ({ reported, sent, stored }) => {
    assert.deepStrictEqual(
      coercions([[sent]], [[stored]], { top: 4, left: 1 }),
      reported ? [{ cell: "B5", sent, stored }] : []
    )
  })

  it("cells that are not in the answer are empty", () => {
    assert.deepStrictEqual(coercions([["x", ""]], [], { top: 0, left: 0 }), [{ cell: "A1", sent: "x", stored: "" }])
  })
})

describe("Rows and columns count", () => {
  it("as far as they hold something", () => {
    const lines: Lines = [["a", "", ""], [], ["", "", "c", null], ["", ""]]
    assert.strictEqual(widthOf(lines), 3)
    assert.strictEqual(countRows(lines, false), 2)
    assert.strictEqual(countRows(lines, true), 3)
  })
})
