import { Effect } from "effect"
import type { ProviderCalls } from "../../Provider.ts"
import { cellName, columnLetters, parseCells, rangeOnTab, splitTab } from "../A1.ts"
import { isBlank, padLeft } from "../CellValues.ts"
import { valuesAppend } from "../Endpoints.ts"
import { orInvalidInput, refusal } from "../Issues.ts"
import { readValues } from "../Reading/ReadValues.ts"
import { AppendValuesResponse } from "../Responses.ts"
import type { Tab } from "../Tabs.ts"
import { appendPlan, type AppendRequest, firstHeaderColumn } from "./AppendPlan.ts"
import { appendReport } from "./AppendReport.ts"
import { returnStoredValues, valueInputOption } from "./WriteQuery.ts"

/**
 * Appends to a tab that is too large to read. The provider finds the end of the table below the first header and
 * inserts rows, so that nothing is overwritten. It can find the wrong place, so the result is checked.
 */
export const appendToLargeTab = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tab: Tab, request: AppendRequest) {
    const headerRow = Math.max(0, request.header_row - 1)
    const range = rangeOnTab(tab.title, `${headerRow + 1}:${headerRow + 1}`)
    const [header = []] = yield* readValues(provider, spreadsheetId, range)
    if (header.every(isBlank)) {
      return yield* orInvalidInput(
        refusal(
          ["header_row"],
          `Row ${headerRow + 1} is blank, and the tab is too large to look for its data. Name the header's row, or ` +
            "make the grid smaller."
        )
      )
    }
    const plan = yield* orInvalidInput(
      appendPlan(request, { values: [header], isComplete: false, columns: tab.size.columns })
    )
    const left = firstHeaderColumn(header)
    if (plan.left < left) {
      return yield* orInvalidInput(
        refusal(["rows"], `On a tab this large rows start under the first header, in column ${columnLetters(left)}.`)
      )
    }
    const values = padLeft(plan.values, plan.left - left)
    const { updates = {} } = yield* provider.call(valuesAppend, {
      path: { spreadsheetId, range: rangeOnTab(tab.title, cellName(headerRow, left)) },
      query: {
        valueInputOption: valueInputOption(request.parse),
        insertDataOption: "INSERT_ROWS",
        ...returnStoredValues
      },
      body: { majorDimension: "ROWS", values }
    }, AppendValuesResponse)
    const { updatedRange = "" } = updates
    const cells = parseCells(splitTab(updatedRange).cells)
    const isBelowHeader = cells !== undefined && cells.top > headerRow && (cells.left === left || cells.left === 0)
    return appendReport(
      { ...plan, top: cells?.top ?? plan.top, left: cells?.left ?? left, values },
      { ...updates, updatedRange },
      isBelowHeader
        ? undefined
        : `The provider put the rows at ${updatedRange}, which is not below the header; check them.`
    )
  }
)
