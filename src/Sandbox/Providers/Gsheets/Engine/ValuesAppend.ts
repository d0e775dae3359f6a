import { Result } from "effect"
import { tableIn } from "./AppendTable.ts"
import { sizedArea } from "./Area.ts"
import { compute } from "./Computed.ts"
import type { Operation } from "./Operation.ts"
import { oneOf, onlyParameters } from "./Query.ts"
import { areaText, resolveRead } from "./RangeText.ts"
import { notFound } from "./Refusal.ts"
import { grown, shifted } from "./Structure.ts"
import { decodeValueRange, rowsOf } from "./ValuesBody.ts"
import { inputOption, responseOf, sameRange, writeParameters } from "./ValuesWrite.ts"
import { updateResponse, writeRows } from "./WriteCells.ts"

export const valuesAppend: Operation = (spreadsheet, { body, now, params: { range = "" }, query }) =>
  Result.gen(function*() {
    yield* onlyParameters(query, [...writeParameters, "insertDataOption"])
    const data = yield* decodeValueRange(body)
    const option = yield* inputOption(query)
    const insert = yield* oneOf(query, "insertDataOption", "InsertDataOption", ["OVERWRITE", "INSERT_ROWS"])
    const response = yield* responseOf(query, data.majorDimension)
    yield* sameRange(range, data.range)
    const rows = yield* rowsOf(data)
    const found = yield* resolveRead(spreadsheet, range)

    const table = tableIn(compute(spreadsheet, now), found.tab, found.area)
    const start = table === undefined ? found.area : { top: table.bottom, left: table.left }
    const needed = sizedArea(start.top, start.left, rows.length, Math.max(0, ...rows.map((row) => row.length)))

    const inserts = insert === "INSERT_ROWS" && table !== undefined && rows.length > 0
    const opened = inserts
      ? yield* shifted(spreadsheet, found.tab, { dimension: "ROWS", index: start.top, count: rows.length })
      : spreadsheet
    const openedTab = yield* tabOf(opened, found.tab.sheetId)
    const roomy = yield* grown(opened, openedTab, {
      rows: Math.max(0, needed.bottom - openedTab.rowCount),
      columns: Math.max(0, needed.right - openedTab.columnCount)
    })
    const written = writeRows(roomy, yield* tabOf(roomy, found.tab.sheetId), start, rows, { now, option })
    const after = { spreadsheet: written.spreadsheet, computed: compute(written.spreadsheet, now) }
    return {
      spreadsheet: written.spreadsheet,
      body: {
        spreadsheetId: spreadsheet.spreadsheetId,
        ...(table === undefined ? {} : { tableRange: areaText(found.tab, table) }),
        updates: updateResponse(written, response, after)
      }
    }
  })

const tabOf = ({ tabs }: Parameters<Operation>[0], sheetId: number) =>
  Result.fromNullishOr(tabs.find((tab) => tab.sheetId === sheetId), () => notFound)
