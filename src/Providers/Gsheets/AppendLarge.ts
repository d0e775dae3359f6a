import { Effect } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { cellName, columnLetters, on, parseCells, splitTab } from "./A1.ts"
import { Appended, isBlank } from "./Answers.ts"
import { appendPlan, type AppendRequest, firstHeader } from "./AppendPlan.ts"
import { appendReport } from "./AppendReport.ts"
import { valuesAppend } from "./Endpoints.ts"
import { mistake, mistaken, orInvalidInput } from "./Mistakes.ts"
import { readLines } from "./Reading.ts"
import type { Tab } from "./Tabs.ts"
import { echo, valueInputOption } from "./WriteFields.ts"

/**
 * A tab that is too large to be read is left to the provider's own search for the end of the table, which begins at the
 * first header. It inserts rows, so that nothing is written over, and its answer is looked at: the search can go wrong.
 */
export const appendToLargeTab = Effect.fnUntraced(
  function*(provider: ProviderCalls, spreadsheetId: string, tab: Tab, request: AppendRequest) {
    const header = Math.max(0, request.headerRow - 1)
    const range = on(tab.title, `${header + 1}:${header + 1}`)
    const [line = []] = yield* readLines(provider, spreadsheetId, range)
    if (line.every(isBlank)) {
      return yield* orInvalidInput(mistaken(mistake(
        ["header_row"],
        `Row ${
          header + 1
        } is blank, and the tab is too large to look for its data. Name the header's row, or make the ` +
          "grid smaller."
      )))
    }
    const plan = yield* orInvalidInput(appendPlan(request, { lines: [line], isAll: false, columns: tab.size.columns }))
    const left = firstHeader(line)
    if (plan.left < left) {
      return yield* orInvalidInput(mistaken(mistake(
        ["rows"],
        `On a tab this large rows start under the first header, in column ${columnLetters(left)}.`
      )))
    }
    const lines = plan.lines.map((cells) => [...Array.from({ length: plan.left - left }, () => null), ...cells])
    const { updates = {} } = yield* provider.call(valuesAppend, {
      path: { spreadsheetId, range: on(tab.title, cellName(header, left)) },
      query: { valueInputOption: valueInputOption(request.parse), insertDataOption: "INSERT_ROWS", ...echo },
      body: { majorDimension: "ROWS", values: lines }
    }, Appended)
    const { updatedRange = "" } = updates
    const cells = parseCells(splitTab(updatedRange).cells)
    const isPlaced = cells !== undefined && cells.top > header && (cells.left === left || cells.left === 0)
    return appendReport(
      { ...plan, top: cells?.top ?? plan.top, left: cells?.left ?? left, lines },
      updates,
      isPlaced ? undefined : `The provider put the rows at ${updatedRange}, which is not below the header; check them.`
    )
  }
)
