import { Result } from "effect"
import { Spreadsheet as SpreadsheetMessage } from "../../../../Providers/Gsheets/Generated.ts"
import { type GoogleError, lacks } from "../../Google/GoogleError.ts"
import { readMessage } from "../../Google/ProtoJson.ts"
import { blankSpreadsheet } from "./Defaults.ts"
import { checkLocale, prefixMessage } from "./Errors.ts"
import type { MethodResult } from "./Method.ts"
import { writeRowData } from "./Requests/CellRequests.ts"
import { spreadsheetResource } from "./Resource.ts"
import { addTab } from "./Tabs.ts"

const decode = readMessage(SpreadsheetMessage)

export const spreadsheetsCreate = (
  spreadsheetId: string,
  { body, now }: { readonly body: unknown; readonly now: number }
): Result.Result<MethodResult, GoogleError> =>
  Result.gen(function*() {
    const request = yield* decode(body)
    const { properties = {}, sheets = [] } = request
    yield* checkFields(
      request,
      ["properties", "sheets", "spreadsheetId", "spreadsheetUrl"],
      "spreadsheet"
    )
    yield* checkLocale(properties)
    const blank = blankSpreadsheet(spreadsheetId, properties.title)
    let current = {
      ...blank,
      properties: { ...blank.properties, ...properties, title: properties.title ?? blank.properties.title },
      tabs: sheets.length === 0 ? blank.tabs : []
    }
    for (const [index, sheet] of sheets.entries()) {
      yield* checkFields(sheet, ["data", "properties"], `sheets[${index}]`)
      const { data = [], properties = {} } = sheet
      const { index: _, ...own } = properties
      const made = yield* prefixError(addTab(current, own), `sheets[${index}]`)
      current = made.spreadsheet
      for (const grid of data) {
        yield* checkFields(grid, ["rowData", "startColumn", "startRow"], `sheets[${index}].data`)
        const { rowData = [], startColumn = 0, startRow = 0 } = grid
        const tab = current.tabs.find(({ sheetId }) => sheetId === made.tab.sheetId) ?? made.tab
        current = yield* prefixError(
          writeRowData(current, tab, rowData, { row: startRow, column: startColumn }),
          `sheets[${index}]`
        )
      }
    }
    return { spreadsheet: current, body: yield* spreadsheetResource(current, { ranges: [], includeCells: false, now }) }
  })

const prefixError = <A>(result: Result.Result<A, GoogleError>, place: string): Result.Result<A, GoogleError> =>
  Result.mapError(result, (error) => prefixMessage(error, place))

/** Fields that would be lost. The provider ignores those that only it sets. */
const checkFields = (value: object, known: ReadonlyArray<string>, place: string): Result.Result<void, GoogleError> => {
  const other = Object.entries(value).find(([name, each]) =>
    !known.includes(name) && !(Array.isArray(each) && each.length === 0)
  )
  return other === undefined ? Result.void : lacks(`${place}.${other[0]} of a new spreadsheet`)
}
