import { assert, describe, it } from "@effect/vitest"
import { batchUpdate, oneTab, read, rows, spreadsheetOf, titles, type Values } from "./SpreadsheetFixture.ts"

interface Case {
  readonly what: string
  readonly typed: Values
  readonly request: object
  readonly values: Values
  readonly option?: string
}

const table: Values = [["n", "sum"], [1, "=SUM(A2:A4)"], [2, "=A3*10"], [3, "=A4*10"]]

const cases: ReadonlyArray<Case> = [
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
})
