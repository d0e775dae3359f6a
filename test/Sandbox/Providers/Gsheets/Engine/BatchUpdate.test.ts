import { assert, describe, it } from "@effect/vitest"
import { batchUpdate, oneTab, read, rows, spreadsheetOf, titles, type Values } from "./SpreadsheetFixture.ts"

const two = spreadsheetOf([{ title: "A", typed: [["in A"]] }, { title: "B", typed: [["in B", "=A!A1"]] }])

const update = (properties: object, fields: string) => ({
  updateSheetProperties: { properties: { sheetId: 0, ...properties }, fields }
})

const after = (properties: object, fields: string) => batchUpdate(two, update(properties, fields)).spreadsheet

describe("spreadsheets.batchUpdate", () => {
  it("applies its requests in order, with one reply each", () => {
    const gridProperties = { rowCount: 5, columnCount: 2, frozenRowCount: 1 }
    const { body, spreadsheet } = batchUpdate(
      two,
      { addSheet: { properties: { title: "C", index: 1, gridProperties } } },
      { deleteSheet: { sheetId: 0 } },
      { appendDimension: { sheetId: 1, dimension: "ROWS", length: 5 } }
    )
    const sheetId = spreadsheet.tabs[0]?.sheetId
    const properties = { sheetId, title: "C", index: 1, sheetType: "GRID", gridProperties }
    assert.deepStrictEqual(body, { spreadsheetId: "s1", replies: [{ addSheet: { properties } }, {}, {}] })
    assert.deepStrictEqual(titles(spreadsheet), ["C", "B"])
    assert.deepStrictEqual(read(spreadsheet, "B"), [["in B", "#REF! (Unresolved sheet name 'A'.)"]])
    assert.strictEqual(spreadsheet.tabs[1]?.rowCount, 1005)
  })

  it("renames, moves and shrinks tabs", () => {
    assert.deepStrictEqual(titles(after({ title: "Z" }, "title")), ["Z", "B"])
    assert.deepStrictEqual(titles(after({ index: 1 }, "index")), ["B", "A"])
    const shrunk = after({ gridProperties: { columnCount: 3 } }, "gridProperties.columnCount")
    assert.deepInclude(shrunk.tabs[0], { rowCount: 1000, columnCount: 3 })
  })

  it.each<[kind: string, range: object, values: Values]>([
    ["insertDimension", rows(3, 4), [["n", "sum"], [1, "=SUM(A2:A3)"], [2], [], [3]]],
    ["deleteDimension", rows(3, 4), [["n", "sum"], [1, "=SUM(A2:A3)"], [2]]]
  ])("moves cells that no formula names: %s", (kind, range, values) => {
    const before = oneTab([["n", "sum"], [1, "=SUM(A2:A3)"], [2], [3]])
    assert.deepStrictEqual(read(batchUpdate(before, { [kind]: { range } }).spreadsheet, "Sheet1", "FORMULA"), values)
    const { body, status } = batchUpdate(before, { [kind]: { range: rows(1, 2) } })
    const lacks = "The sandbox does not carry out moves of cells that formulas name; the provider does."
    assert.deepStrictEqual([status, body.error.message], [501, `requests[0].${kind}: ${lacks}`])
  })

  it("changes cells only in the fields of the mask, which lose what the request lacks", () => {
    const bold = { userEnteredFormat: { textFormat: { bold: true } } }
    const before = oneTab([], { rows: [[{ note: "old", userEnteredValue: { numberValue: 1 }, ...bold }]] })
    const cell = { userEnteredValue: { stringValue: "=x" }, note: "new" }
    const changed = (fields: string) =>
      batchUpdate(before, { updateCells: { start: {}, rows: [{ values: [cell] }], fields } }).spreadsheet.tabs[0]?.rows
    assert.deepStrictEqual(changed("userEnteredValue"), [[{ ...bold, ...cell, note: "old" }]])
    assert.deepStrictEqual(changed("userEnteredFormat"), [[{ note: "old", userEnteredValue: { numberValue: 1 } }]])
  })

  const remove = { deleteSheet: { sheetId: 0 } }
  const limit = "This action would increase the number of cells in the workbook above the limit of 10000000 cells."

  it.each<[says: string, ...requests: ReadonlyArray<object>]>([
    ["Invalid requests[1].deleteSheet: No sheet with id: 7", remove, { deleteSheet: { sheetId: 7 } }],
    ["Invalid requests[1].deleteSheet: You can't remove all the sheets in a document.", remove, {
      deleteSheet: { sheetId: 1 }
    }],
    [
      "Invalid requests[1].updateSheetProperties: You can't hide all the sheets in a document.",
      remove,
      update({ sheetId: 1, hidden: true }, "hidden")
    ],
    ["Invalid requests[0].addSheet: A sheet with the name \"a\" already exists. Please enter another name.", {
      addSheet: { properties: { title: "a" } }
    }],
    [`Invalid requests[0].addSheet: ${limit}`, {
      addSheet: { properties: { gridProperties: { rowCount: 1_000_000 } } }
    }],
    ["Invalid requests[0].repeatCell: No grid with id: 9", {
      repeatCell: { range: { sheetId: 9 }, cell: {}, fields: "note" }
    }]
  ])("changes nothing if a request fails: %s", (says, ...requests) => {
    const { body, spreadsheet, status } = batchUpdate(two, ...requests)
    assert.deepStrictEqual([status, body.error.status, body.error.message], [400, "INVALID_ARGUMENT", says])
    assert.strictEqual(spreadsheet, two)
  })
})
