import { assert, describe, it } from "@effect/vitest"
import { area, batchUpdate, oneTab, read, rows, spreadsheetOf, titles, type Values } from "./SpreadsheetFixture.ts"

interface Case {
  readonly what: string
  readonly typed: Values
  readonly request: object
  readonly values: Values
  readonly option?: string
}

const corner = area(0, 2, 0, 2)
const letters: Values = [["b"], [2], [""], [true], [10], ["a"]]
const table: Values = [["n", "sum"], [1, "=SUM(A2:A4)"], [2, "=A3*10"], [3, "=A4*10"]]
const four: Values = [[1, 2], [3, 4]]
const found: Values = [["Total", "total cost", 10]]

const merge = (mergeType: string) => ({ mergeCells: { range: corner, mergeType } })
const sort = (...sortSpecs: ReadonlyArray<object>) => ({ sortRange: { range: area(0, 9, 0, 2), sortSpecs } })

const cases: ReadonlyArray<Case> = [
  { what: "a merged range keeps its first value", typed: four, request: merge("MERGE_ALL"), values: [[1]] },
  {
    what: "a sorted range has numbers, texts, booleans, and empty cells last",
    typed: letters,
    request: sort({ sortOrder: "ASCENDING" }),
    values: [[2], [10], ["a"], ["b"], [true]]
  },
  {
    what: "texts are replaced in any case",
    typed: found,
    request: { findReplace: { find: "total", replacement: "sum $1", allSheets: true } },
    values: [["sum $1", "sum $1 cost", 10]]
  },
  {
    what: "rows are inserted, and formulas follow",
    typed: table,
    request: { insertDimension: { range: rows(2, 4) } },
    option: "FORMULA",
    values: [["n", "sum"], [1, "=SUM(A2:A6)"], [], [], [2, "=A5*10"], [3, "=A6*10"]]
  },
  {
    what: "rows are deleted, and formulas follow",
    typed: table,
    request: { deleteDimension: { range: rows(2, 3) } },
    option: "FORMULA",
    values: [["n", "sum"], [1, "=SUM(A2:A3)"], [3, "=A3*10"]]
  },
  {
    what: "formulas of a deleted column are broken",
    typed: table,
    request: { deleteDimension: { range: { ...rows(0, 1), dimension: "COLUMNS" } } },
    option: "FORMULA",
    values: [["sum"], ["=SUM(#REF!)"], ["=#REF!*10"], ["=#REF!*10"]]
  },
  {
    what: "new checkboxes are FALSE",
    typed: [[true]],
    request: { setDataValidation: { range: area(0, 3, 0, 1), rule: { condition: { type: "BOOLEAN" } } } },
    values: [[true], [false], [false]]
  },
  {
    what: "cells outside a smaller grid are lost",
    typed: four,
    request: {
      updateSheetProperties: {
        properties: { gridProperties: { rowCount: 1, columnCount: 1 } },
        fields: "gridProperties"
      }
    },
    values: [[1]]
  }
]

describe("Cells", () => {
  it.each(cases)("$what", ({ option, request, typed, values }) => {
    const { body, spreadsheet } = batchUpdate(oneTab(typed), request)
    assert.isUndefined(body.error)
    assert.deepStrictEqual(read(spreadsheet, "Sheet1", option), values)
  })

  const bold = { userEnteredFormat: { textFormat: { bold: true } } }

  it("change only in the fields of the mask, and lose those that the request lacks", () => {
    const before = oneTab([], { rows: [[{ note: "old", userEnteredValue: { numberValue: 1 }, ...bold }]] })
    const cell = { userEnteredValue: { stringValue: "=x" }, note: "new" }
    const update = (fields: string) =>
      batchUpdate(before, { updateCells: { start: {}, rows: [{ values: [cell] }], fields } }).spreadsheet.tabs[0]?.rows
    assert.deepStrictEqual(update("userEnteredValue"), [[{ ...bold, ...cell, note: "old" }]])
    assert.deepStrictEqual(update("userEnteredFormat"), [[{ note: "old", userEnteredValue: { numberValue: 1 } }]])
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

  it("are unmerged as a whole", () => {
    const { spreadsheet } = batchUpdate(oneTab(four), merge("MERGE_ALL"))
    assert.deepStrictEqual(
      batchUpdate(spreadsheet, { unmergeCells: { range: corner } }).spreadsheet.tabs[0]?.merges,
      []
    )
    const { body } = batchUpdate(spreadsheet, { unmergeCells: { range: area(0, 1, 0, 1) } })
    assert.include(body.error.message, "You must select all cells in a merged range")
  })
})

const two = spreadsheetOf([{ title: "A" }, { title: "B" }])

const change = (properties: object, fields: string) =>
  batchUpdate(two, { updateSheetProperties: { properties: { sheetId: 0, ...properties }, fields } })

describe("Tabs", () => {
  it("can be renamed, moved, shrunk and grown", () => {
    assert.deepStrictEqual(titles(change({ title: "Z" }, "title").spreadsheet), ["Z", "B"])
    assert.deepStrictEqual(titles(change({ index: 1 }, "index").spreadsheet), ["B", "A"])
    const { spreadsheet } = change({ gridProperties: { columnCount: 3 } }, "gridProperties.columnCount")
    assert.deepInclude(spreadsheet.tabs[0], { rowCount: 1000, columnCount: 3 })
    const grown = batchUpdate(spreadsheet, { appendDimension: { sheetId: 0, dimension: "ROWS", length: 5 } })
    assert.deepInclude(grown.spreadsheet.tabs[0], { rowCount: 1005, columnCount: 3 })
  })

  it("cannot all be hidden or deleted", () => {
    const hidden = change({ hidden: true }, "hidden").spreadsheet
    const hide = { updateSheetProperties: { properties: { sheetId: 1, hidden: true }, fields: "hidden" } }
    assert.include(batchUpdate(hidden, hide).body.error.message, "You can't hide all the sheets in a document.")
    const remove = { deleteSheet: { sheetId: 1 } }
    assert.include(batchUpdate(hidden, remove).body.error.message, "You can't remove all the sheets in a document.")
  })

  it("keep a row that is not frozen", () => {
    const frozen = oneTab([], { rowCount: 3, grid: { frozenRowCount: 1 } })
    assert.include(
      batchUpdate(frozen, { deleteDimension: { range: rows(1, 3) } }).body.error.message,
      "Sorry, it is not possible to delete all non-frozen rows."
    )
    const { spreadsheet } = batchUpdate(frozen, { deleteDimension: { range: rows(0, 1) } })
    assert.deepInclude(spreadsheet.tabs[0], { rowCount: 2, grid: { frozenRowCount: 0 } })
  })

  it("can have a basic filter", () => {
    const filtered = batchUpdate(two, { setBasicFilter: { filter: { range: area(0, 1, 0, 1) } } }).spreadsheet
    assert.isDefined(filtered.tabs[0]?.basicFilter)
    assert.deepStrictEqual(batchUpdate(filtered, { clearBasicFilter: {} }).spreadsheet, two)
  })

  it("move their named and merged ranges when rows are inserted", () => {
    const { spreadsheet } = batchUpdate(
      oneTab([]),
      { addNamedRange: { namedRange: { name: "Numbers", range: area(1, 4, 0, 1) } } },
      { mergeCells: { range: area(5, 7, 0, 2), mergeType: "MERGE_ALL" } },
      { insertDimension: { range: rows(0, 1) } }
    )
    assert.deepStrictEqual(spreadsheet.namedRanges[0]?.area, { top: 2, left: 0, bottom: 5, right: 1 })
    assert.deepStrictEqual(spreadsheet.tabs[0]?.merges, [{ top: 6, left: 0, bottom: 8, right: 2 }])
  })
})
