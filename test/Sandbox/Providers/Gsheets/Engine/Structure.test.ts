import { assert, describe, it } from "@effect/vitest"
import { area, batchUpdate, oneTab, read, rows, spreadsheetOf, titles } from "./SpreadsheetFixture.ts"

const two = spreadsheetOf([{ title: "A", typed: [["in A"]] }, { title: "B", typed: [["in B", "=A!A1"]] }])

const change = (properties: object, fields: string) =>
  batchUpdate(two, { updateSheetProperties: { properties: { sheetId: 0, ...properties }, fields } })

describe("Tabs", () => {
  it("can be renamed, moved and shrunk", () => {
    assert.deepStrictEqual(titles(change({ title: "Z" }, "title").spreadsheet), ["Z", "B"])
    assert.deepStrictEqual(titles(change({ index: 1 }, "index").spreadsheet), ["B", "A"])
    const { spreadsheet } = change({ gridProperties: { columnCount: 3 } }, "gridProperties.columnCount")
    assert.deepInclude(spreadsheet.tabs[0], { rowCount: 1000, columnCount: 3 })
  })

  it("lose the cells outside a smaller grid", () => {
    const { spreadsheet } = batchUpdate(oneTab([[1, 2], [3, 4]]), {
      updateSheetProperties: {
        properties: { gridProperties: { rowCount: 1, columnCount: 1 } },
        fields: "gridProperties"
      }
    })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [[1]])
  })

  it("cannot all be hidden or deleted", () => {
    const hidden = change({ hidden: true }, "hidden").spreadsheet
    const hide = { updateSheetProperties: { properties: { sheetId: 1, hidden: true }, fields: "hidden" } }
    assert.include(batchUpdate(hidden, hide).body.error.message, "You can't hide all the sheets in a document.")
    assert.include(
      batchUpdate(hidden, { deleteSheet: { sheetId: 1 } }).body.error.message,
      "You can't remove all the sheets in a document."
    )
  })

  it("can be duplicated with their cells", () => {
    const { body, spreadsheet } = batchUpdate(two, { duplicateSheet: { sourceSheetId: 1, insertSheetIndex: 2 } })
    assert.deepStrictEqual(titles(spreadsheet), ["A", "B", "Copy of B"])
    assert.strictEqual(body.replies[0].duplicateSheet.properties.title, "Copy of B")
    assert.deepStrictEqual(read(spreadsheet, "Copy of B"), [["in B", "in A"]])
  })

  it("get a default title and size", () => {
    const { spreadsheet } = batchUpdate(two, { addSheet: {} })
    assert.deepInclude(spreadsheet.tabs[2], { title: "Sheet3", rowCount: 1000, columnCount: 26 })
  })

  it("can have a basic filter", () => {
    const filtered = batchUpdate(two, { setBasicFilter: { filter: { range: area(0, 1, 0, 1) } } }).spreadsheet
    assert.isDefined(filtered.tabs[0]?.basicFilter)
    assert.deepStrictEqual(batchUpdate(filtered, { clearBasicFilter: {} }).spreadsheet, two)
  })

  it("renaming a spreadsheet keeps its other properties", () => {
    const { spreadsheet } = batchUpdate(two, {
      updateSpreadsheetProperties: { properties: { title: "New", locale: "de_DE" }, fields: "title" }
    })
    assert.deepInclude(spreadsheet.properties, { title: "New", locale: "en_US" })
  })
})

describe("Rows and columns", () => {
  const table = oneTab([["n", "sum"], [1, "=SUM(A2:A4)"], [2, "=A3*10"], [3, "=A4*10"]])

  it("can be inserted, and formulas follow", () => {
    const { spreadsheet } = batchUpdate(table, { insertDimension: { range: rows(2, 4) } })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1", "FORMULA"), [
      ["n", "sum"],
      [1, "=SUM(A2:A6)"],
      [],
      [],
      [2, "=A5*10"],
      [3, "=A6*10"]
    ])
    assert.strictEqual(spreadsheet.tabs[0]?.rowCount, 1002)
  })

  it("can be deleted, and formulas follow or become #REF!", () => {
    const { spreadsheet } = batchUpdate(table, { deleteDimension: { range: rows(2, 3) } })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1", "FORMULA"), [["n", "sum"], [1, "=SUM(A2:A3)"], [3, "=A3*10"]])
    const column = { sheetId: 0, dimension: "COLUMNS", startIndex: 0, endIndex: 1 }
    const broken = batchUpdate(table, { deleteDimension: { range: column } }).spreadsheet
    assert.deepStrictEqual(read(broken, "A2:A3", "FORMULA"), [["=SUM(#REF!)"], ["=#REF!*10"]])
    assert.deepStrictEqual(read(broken, "A3"), [["#REF!"]])
  })

  it("move named ranges and merged cells when inserted", () => {
    const before = batchUpdate(
      table,
      { addNamedRange: { namedRange: { name: "Numbers", range: area(1, 4, 0, 1) } } },
      { mergeCells: { range: area(5, 7, 0, 2), mergeType: "MERGE_ALL" } }
    ).spreadsheet
    const { spreadsheet } = batchUpdate(before, { insertDimension: { range: rows(0, 1) } })
    assert.deepStrictEqual(spreadsheet.namedRanges[0]?.area, { top: 2, left: 0, bottom: 5, right: 1 })
    assert.deepStrictEqual(spreadsheet.tabs[0]?.merges, [{ top: 6, left: 0, bottom: 8, right: 2 }])
  })

  it("can be appended", () => {
    const { spreadsheet } = batchUpdate(
      table,
      { appendDimension: { dimension: "ROWS", length: 5 } },
      { appendDimension: { dimension: "COLUMNS", length: 2 } }
    )
    assert.deepInclude(spreadsheet.tabs[0], { rowCount: 1005, columnCount: 28 })
  })

  it("cannot be deleted down to the frozen ones", () => {
    const frozen = oneTab([], { rowCount: 3, grid: { frozenRowCount: 1 } })
    assert.include(
      batchUpdate(frozen, { deleteDimension: { range: rows(1, 3) } }).body.error.message,
      "Sorry, it is not possible to delete all non-frozen rows."
    )
    const { spreadsheet } = batchUpdate(frozen, { deleteDimension: { range: rows(0, 1) } })
    assert.deepInclude(spreadsheet.tabs[0], { rowCount: 2, grid: { frozenRowCount: 0 } })
  })

  it("can be moved", () => {
    const { spreadsheet } = batchUpdate(oneTab([[1], [2], [3], [4]]), {
      moveDimension: { source: rows(0, 2), destinationIndex: 3 }
    })
    assert.deepStrictEqual(read(spreadsheet, "Sheet1"), [[3], [1], [2], [4]])
  })
})
