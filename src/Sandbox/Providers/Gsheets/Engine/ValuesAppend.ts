import { Result } from "effect"
import { findTable } from "./AppendTable.ts"
import { sizedArea, widestOf } from "./Area.ts"
import { computeCells } from "./ComputedCells.ts"
import { growGrid, shiftDimension } from "./Dimensions.ts"
import { notFound } from "./Errors.ts"
import type { Method } from "./Method.ts"
import { enumParameter } from "./QueryParameters.ts"
import { areaText, resolveRead } from "./Ranges.ts"
import { decodeValueRange, rowsOf } from "./ValueRange.ts"
import { checkSameRange, responseOptions, valueInputOption } from "./ValuesWrite.ts"
import { updateResponse, writeRows } from "./WriteCells.ts"

export const valuesAppend: Method = (spreadsheet, { body, now, params: { range = "" }, query }) =>
  Result.gen(function*() {
    const data = yield* decodeValueRange(body)
    const option = yield* valueInputOption(query)
    const insert = yield* enumParameter(query, "insertDataOption", ["OVERWRITE", "INSERT_ROWS"])
    const response = yield* responseOptions(query, data.majorDimension)
    yield* checkSameRange(range, data.range)
    const rows = yield* rowsOf(data)
    const found = yield* resolveRead(spreadsheet, range)

    const table = findTable(found.tab, found.area)
    const start = table === undefined ? found.area : { top: table.bottom, left: table.left }
    const needed = sizedArea(start.top, start.left, rows.length, widestOf(rows))

    const inserts = insert === "INSERT_ROWS" && table !== undefined && rows.length > 0
    const opened = inserts
      ? yield* shiftDimension(spreadsheet, found.tab, { dimension: "ROWS", index: start.top, count: rows.length })
      : spreadsheet
    const openedTab = yield* tabOf(opened, found.tab.sheetId)
    const roomy = yield* growGrid(opened, openedTab, {
      rows: Math.max(0, needed.bottom - openedTab.rowCount),
      columns: Math.max(0, needed.right - openedTab.columnCount)
    })
    const place = { ...start, tab: yield* tabOf(roomy, found.tab.sheetId) }
    const written = writeRows(roomy, place, rows, { now, option })
    const after = { spreadsheet: written.spreadsheet, computed: computeCells(written.spreadsheet, now) }
    return {
      spreadsheet: written.spreadsheet,
      body: {
        spreadsheetId: spreadsheet.spreadsheetId,
        ...(table === undefined ? {} : { tableRange: areaText(found.tab, table) }),
        updates: updateResponse(written, response, after)
      }
    }
  })

const tabOf = ({ tabs }: Parameters<Method>[0], sheetId: number) =>
  Result.fromNullishOr(tabs.find((tab) => tab.sheetId === sheetId), () => notFound)
