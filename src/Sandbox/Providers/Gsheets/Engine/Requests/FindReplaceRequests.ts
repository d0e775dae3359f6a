import { Result } from "effect"
import type { GoogleError } from "../../../Google/GoogleError.ts"
import { gridArea } from "../Area.ts"
import { computeCells } from "../ComputedCells.ts"
import { refuse } from "../Errors.ts"
import { makeReplace } from "../FindReplace.ts"
import { formulaOf, mapArea, usedArea } from "../Grid.ts"
import { momentOf, serialOfMillis } from "../Serial.ts"
import { replaceTab, type Spreadsheet } from "../Spreadsheet.ts"
import { parseUserEntered } from "../UserEntered.ts"
import { omitZeros } from "../WriteCells.ts"
import { applied, type Payload, type RequestHandlers, resolveGridRange, type TabArea, tabById } from "./Request.ts"

export const findReplaceRequests: RequestHandlers<"findReplace"> = {
  findReplace: (spreadsheet, request, now) =>
    Result.gen(function*() {
      const replace = yield* makeReplace(request)
      const places = yield* placesOf(spreadsheet, request)
      const thisYear = momentOf(serialOfMillis(now)).year
      const { textAt } = computeCells(spreadsheet, now)
      const tally = { valuesChanged: 0, formulasChanged: 0, occurrencesChanged: 0 }
      const rows = new Set<string>()
      const sheets = new Set<number>()
      let current = spreadsheet
      let tookTooLong = false
      for (const { area, tab } of places) {
        const changed = mapArea(tab, usedArea(tab, area), (cell, row, column) => {
          const formula = formulaOf(cell)
          if (formula !== undefined && request.includeFormulas !== true) return cell
          const text = formula ?? textAt(tab, row, column)
          if (text === "" || tookTooLong) return cell
          const replaced = replace(text)
          if (replaced === undefined) tookTooLong = true
          if (replaced === undefined || replaced.count === 0) return cell
          tally.occurrencesChanged += replaced.count
          tally[formula === undefined ? "valuesChanged" : "formulasChanged"]++
          rows.add(`${tab.sheetId} ${row}`)
          sheets.add(tab.sheetId)
          return { ...cell, userEnteredValue: parseUserEntered(replaced.text, thisYear).value }
        })
        current = replaceTab(current, changed)
      }
      if (tookTooLong) return yield* refuse("The regular expression takes too long to search these cells.")
      return applied(current, {
        findReplace: omitZeros({ ...tally, rowsChanged: rows.size, sheetsChanged: sheets.size })
      })
    })
}

const placesOf = (
  spreadsheet: Spreadsheet,
  { allSheets, range, sheetId }: Payload<"findReplace">
): Result.Result<ReadonlyArray<TabArea>, GoogleError> => {
  if (range !== undefined) return Result.map(resolveGridRange(spreadsheet, range), (place) => [place])
  if (allSheets === true) {
    return Result.succeed(
      spreadsheet.tabs.filter(({ type }) => type === "GRID").map((tab) => ({ tab, area: gridArea(tab) }))
    )
  }
  return Result.map(tabById(spreadsheet, sheetId, "grid"), (tab) => [{ tab, area: gridArea(tab) }])
}
