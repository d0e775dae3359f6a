import { assert, describe, it } from "@effect/vitest"
import { batchUpdate, read, spreadsheetOf, titles } from "./SpreadsheetFixture.ts"

const two = spreadsheetOf([{ title: "A", typed: [["in A"]] }, { title: "B", typed: [["in B", "=A!A1"]] }])

const repeat = (range: object, fields = "note") => ({ range, cell: {}, fields })

describe("spreadsheets.batchUpdate", () => {
  it("applies its requests in order, with one reply each", () => {
    const { body, spreadsheet } = batchUpdate(
      two,
      {
        addSheet: {
          properties: { title: "C", index: 1, gridProperties: { rowCount: 5, columnCount: 2, frozenRowCount: 1 } }
        }
      },
      { deleteSheet: { sheetId: 0 } }
    )
    const sheetId = spreadsheet.tabs[0]?.sheetId
    assert.isAbove(sheetId ?? 0, 1)
    const gridProperties = { rowCount: 5, columnCount: 2, frozenRowCount: 1 }
    const properties = { sheetId, title: "C", index: 1, sheetType: "GRID", gridProperties }
    assert.deepStrictEqual(body, { spreadsheetId: "s1", replies: [{ addSheet: { properties } }, {}] })
    assert.deepStrictEqual(titles(spreadsheet), ["C", "B"])
    assert.deepStrictEqual(read(spreadsheet, "B"), [["in B", "#REF!"]])
  })

  it("changes nothing if one request fails", () => {
    const { body, spreadsheet, status } = batchUpdate(
      two,
      { deleteSheet: { sheetId: 0 } },
      { deleteSheet: { sheetId: 7 } }
    )
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body.error, {
      code: 400,
      message: "Invalid requests[1].deleteSheet: No sheet with id: 7",
      status: "INVALID_ARGUMENT"
    })
    assert.strictEqual(spreadsheet, two)
  })

  const limit = "This action would increase the number of cells in the workbook above the limit of 10000000 cells."

  it.each<[kind: string, request: object, says: string]>([
    [
      "addSheet",
      { properties: { title: "a" } },
      "A sheet with the name \"a\" already exists. Please enter another name."
    ],
    ["addSheet", { properties: { gridProperties: { rowCount: 1_000_000 } } }, limit],
    [
      "updateSheetProperties",
      { properties: { sheetId: 0, title: "x" } },
      "At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)"
    ],
    ["repeatCell", repeat({ sheetId: 9 }), "No grid with id: 9"]
  ])("refuses %s %j: %s", (kind, request, says) => {
    const { body, spreadsheet, status } = batchUpdate(two, { [kind]: request })
    assert.strictEqual(status, 400)
    assert.include(body.error.message, `Invalid requests[0].${kind}: ${says}`)
    assert.strictEqual(spreadsheet, two)
  })

  it("rejects an empty list and an unknown request", () => {
    assert.strictEqual(batchUpdate(two).body.error.message, "Must specify at least one request.")
    assert.strictEqual(batchUpdate(two, { fly: {} }).status, 400)
  })
})
