import { assert, describe, it } from "@effect/vitest"
import { area, batchUpdate, oneTab, read, shown, spreadsheetOf, type Values } from "./SpreadsheetFixture.ts"

const merged = (mergeType: string) =>
  batchUpdate(oneTab([[1, 2], [3, 4]]), { mergeCells: { range: area(0, 2, 0, 2), mergeType } }).spreadsheet

describe("Cells", () => {
  const bold = { userEnteredFormat: { textFormat: { bold: true } } }

  it("change only in the fields of the mask", () => {
    const before = oneTab([], { rows: [[{ note: "old", userEnteredValue: { numberValue: 1 }, ...bold }]] })
    const { spreadsheet } = batchUpdate(before, {
      updateCells: {
        start: {},
        rows: [{ values: [{ userEnteredValue: { stringValue: "=x" }, note: "new" }] }],
        fields: "userEnteredValue"
      }
    })
    assert.deepStrictEqual(spreadsheet.tabs[0]?.rows, [[{
      note: "old",
      userEnteredValue: { stringValue: "=x" },
      ...bold
    }]])
    assert.deepStrictEqual(read(spreadsheet, "A1"), [["=x"]])
  })

  it("lose a field that is in the mask but not in the request", () => {
    const before = oneTab([[1, 2]], { rows: [[{ note: "a" }, { note: "b" }]] })
    const { spreadsheet } = batchUpdate(before, {
      updateCells: { range: area(0, 1, 0, 2), rows: [{ values: [{ note: "c" }] }], fields: "note" }
    })
    assert.deepStrictEqual(spreadsheet.tabs[0]?.rows[0]?.map((cell) => cell?.note), ["c", undefined])
  })

  it("can be repeated, even a single field of their format", () => {
    const before = oneTab([[1]], {
      rows: [[{ userEnteredFormat: { textFormat: { italic: true }, wrapStrategy: "WRAP" } }]]
    })
    const { spreadsheet } = batchUpdate(before, {
      repeatCell: { range: area(0, 2, 0, 1), cell: bold, fields: "userEnteredFormat.textFormat.bold" }
    })
    assert.deepStrictEqual(spreadsheet.tabs[0]?.rows.map(([cell]) => cell?.userEnteredFormat), [
      { textFormat: { italic: true, bold: true }, wrapStrategy: "WRAP" },
      { textFormat: { bold: true } }
    ])
  })

  it("are appended below the last cell with content", () => {
    const { spreadsheet } = batchUpdate(oneTab([[1], [], [2]], { rowCount: 3 }), {
      appendCells: {
        rows: [{ values: [{ userEnteredValue: { formulaValue: "=A1+A3" } }] }],
        fields: "userEnteredValue"
      }
    })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [[1], [], [2], [3]])
  })

  it("can become checkboxes, which start as FALSE", () => {
    const { spreadsheet } = batchUpdate(oneTab([[true]]), {
      setDataValidation: { range: area(0, 3, 0, 1), rule: { condition: { type: "BOOLEAN" } } }
    })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [[true], [false], [false]])
    const { spreadsheet: freed } = batchUpdate(spreadsheet, { setDataValidation: { range: area(0, 3, 0, 1) } })
    assert.isTrue(freed.tabs[0]?.rows.every(([cell]) => cell?.dataValidation === undefined))
  })

  it("can be merged, and only the first keeps its value", () => {
    assert.deepStrictEqual(read(merged("MERGE_ALL"), "Sheet1"), [[1]])
    assert.deepStrictEqual(read(merged("MERGE_ROWS"), "Sheet1"), [[1], [3]])
    assert.deepStrictEqual(read(merged("MERGE_COLUMNS"), "Sheet1"), [[1, 2]])
    const unmerged = batchUpdate(merged("MERGE_ALL"), { unmergeCells: { range: area(0, 2, 0, 2) } }).spreadsheet
    assert.deepStrictEqual(unmerged.tabs[0]?.merges, [])
    assert.include(
      batchUpdate(merged("MERGE_ALL"), { unmergeCells: { range: area(0, 1, 0, 1) } }).body.error.message,
      "You must select all cells in a merged range"
    )
  })
})

const sort = (typed: Values, ...sortSpecs: ReadonlyArray<object>) =>
  read(batchUpdate(oneTab(typed), { sortRange: { range: area(0, 9, 0, 2), sortSpecs } }).spreadsheet, "Sheet1")

describe("Ranges", () => {
  it("can be sorted: numbers, texts, booleans, and empty cells last in both directions", () => {
    const typed: Values = [["b"], [2], [""], [true], [10], ["a"]]
    assert.deepStrictEqual(sort(typed, { sortOrder: "ASCENDING" }), [[2], [10], ["a"], ["b"], [true]])
    assert.deepStrictEqual(sort(typed, { sortOrder: "DESCENDING" }), [[true], ["b"], ["a"], [10], [2]])
  })

  it("can be sorted by several columns, and formulas move with their rows", () => {
    const typed: Values = [["b", 1], ["a", 2], ["a", 1]]
    assert.deepStrictEqual(sort(typed, { dimensionIndex: 0 }, { dimensionIndex: 1 }), [["a", 1], ["a", 2], ["b", 1]])
    assert.deepStrictEqual(sort([[2, "=A1*10"], [1, "=A2*10"]], {}), [[1, 10], [2, 20]])
  })

  it("can be searched and replaced", () => {
    const before = oneTab([["Total", "total cost", 10], ["=\"to\"&\"tal\"", "x"]])
    const { body, spreadsheet } = batchUpdate(before, {
      findReplace: { find: "total", replacement: "sum $1", allSheets: true }
    })
    assert.deepStrictEqual(body.replies[0].findReplace, {
      valuesChanged: 2,
      occurrencesChanged: 2,
      rowsChanged: 1,
      sheetsChanged: 1
    })
    assert.deepStrictEqual(read(spreadsheet, "A1:B1"), [["sum $1", "sum $1 cost"]])
    const exact = {
      find: "(T)otal",
      replacement: "$1",
      searchByRegex: true,
      matchCase: true,
      matchEntireCell: true,
      sheetId: 0
    }
    assert.deepStrictEqual(read(batchUpdate(before, { findReplace: exact }).spreadsheet, "A1:B1"), [[
      "T",
      "total cost"
    ]])
    const numbers = { find: "1", replacement: "2", range: area(0, 1, 2, 3) }
    assert.deepStrictEqual(read(batchUpdate(before, { findReplace: numbers }).spreadsheet, "C1"), [[20]])
    const none = batchUpdate(before, { findReplace: { find: "nope", sheetId: 0 } })
    assert.deepStrictEqual(none.body.replies, [{ findReplace: {} }])
  })

  it("can be pasted once or repeated to fill the destination", () => {
    const before = oneTab([[1, "=A1+1"]])
    const paste = (destination: object, pasteType = "PASTE_NORMAL") =>
      batchUpdate(before, { copyPaste: { source: area(0, 1, 0, 2), destination, pasteType } }).spreadsheet
    assert.deepStrictEqual(read(paste(area(1, 3, 0, 2)), "Sheet1", "FORMULA"), [[1, "=A1+1"], [1, "=A2+1"], [
      1,
      "=A3+1"
    ]])
    assert.deepStrictEqual(read(paste(area(1, 2, 1, 2)), "B2:C2", "FORMULA"), [[1, "=B2+1"]])
    assert.deepStrictEqual(read(paste(area(1, 2, 0, 2), "PASTE_VALUES"), "2:2", "FORMULA"), [[1, 2]])
  })

  it("can be inserted and deleted, which shifts the cells behind them", () => {
    const before = oneTab([[1, "a"], [2, "b"], [3, "c"]])
    const change = (kind: string, shiftDimension: string) =>
      read(batchUpdate(before, { [kind]: { range: area(1, 2, 0, 1), shiftDimension } }).spreadsheet, "Sheet1")
    assert.deepStrictEqual(change("insertRange", "ROWS"), [[1, "a"], ["", "b"], [2, "c"], [3]])
    assert.deepStrictEqual(change("insertRange", "COLUMNS"), [[1, "a"], ["", 2, "b"], [3, "c"]])
    assert.deepStrictEqual(change("deleteRange", "ROWS"), [[1, "a"], [3, "b"], ["", "c"]])
    assert.deepStrictEqual(change("deleteRange", "COLUMNS"), [[1, "a"], ["b"], [3, "c"]])
  })

  it("can be cleaned of duplicate rows and extra spaces", () => {
    const before = oneTab([["a", 1], ["A", 1], ["b ", 1], ["  c  d ", 2]])
    const unique = batchUpdate(before, { deleteDuplicates: { range: area(0, 4, 0, 2) } })
    assert.deepStrictEqual(unique.body.replies, [{ deleteDuplicates: { duplicatesRemovedCount: 1 } }])
    assert.lengthOf(read(unique.spreadsheet, "Sheet1"), 3)
    const trimmed = batchUpdate(before, { trimWhitespace: { range: area(0, 4, 0, 2) } })
    assert.deepStrictEqual(trimmed.body.replies, [{ trimWhitespace: { cellsChangedCount: 2 } }])
    assert.deepStrictEqual(shown(trimmed.spreadsheet, "A3:A4"), [["b"], ["c d"]])
  })

  it("can be named, renamed and unnamed", () => {
    const two = spreadsheetOf([{ title: "A", typed: [["in A"]] }, { title: "B", typed: [["in B", "=A!A1"]] }])
    const { body, spreadsheet } = batchUpdate(two, {
      addNamedRange: { namedRange: { name: "Total", range: { sheetId: 1, ...area(0, 1, 0, 2) } } }
    })
    const { namedRange } = body.replies[0].addNamedRange
    assert.deepStrictEqual(read(spreadsheet, "Total"), [["in B", "in A"]])
    assert.include(
      batchUpdate(spreadsheet, { addNamedRange: { namedRange: { ...namedRange, namedRangeId: "x", name: "TOTAL" } } })
        .body.error
        .message,
      "A named range with the name \"TOTAL\" already exists."
    )
    const renamed = batchUpdate(spreadsheet, {
      updateNamedRange: { namedRange: { ...namedRange, name: "All" }, fields: "name" }
    })
    assert.deepStrictEqual(read(renamed.spreadsheet, "All"), [["in B", "in A"]])
    const { namedRangeId } = namedRange
    assert.deepStrictEqual(batchUpdate(spreadsheet, { deleteNamedRange: { namedRangeId } }).spreadsheet.namedRanges, [])
  })
})
