import { Result } from "effect"
import type { GoogleError } from "../../../Google/GoogleError.ts"
import { gridArea } from "../Area.ts"
import { computeCells } from "../ComputedCells.ts"
import { invalidArgument, refuse } from "../Errors.ts"
import { formulaOf, mapArea, usedArea } from "../Grid.ts"
import { momentOf, serialOfMillis } from "../Serial.ts"
import { replaceTab, type Spreadsheet } from "../Spreadsheet.ts"
import { parseUserEntered } from "../UserEntered.ts"
import { omitZeros } from "../WriteCells.ts"
import { applied, type Payload, type RequestHandlers, resolveGridRange, type TabArea, tabById } from "./Request.ts"

export const findReplaceRequests: RequestHandlers<"findReplace"> = {
  findReplace: (spreadsheet, request, now) =>
    Result.gen(function*() {
      const pattern = yield* patternOf(request)
      const places = yield* placesOf(spreadsheet, request)
      const thisYear = momentOf(serialOfMillis(now)).year
      const { replacement = "" } = request
      const { textAt } = computeCells(spreadsheet, now)
      const tally = { valuesChanged: 0, formulasChanged: 0, occurrencesChanged: 0 }
      const rows = new Set<string>()
      const sheets = new Set<number>()
      let current = spreadsheet
      for (const { area, tab } of places) {
        const changed = mapArea(tab, usedArea(tab, area), (cell, row, column) => {
          const formula = formulaOf(cell)
          if (formula !== undefined && request.includeFormulas !== true) return cell
          const text = formula ?? textAt(tab, row, column)
          const found = text === "" ? 0 : [...text.matchAll(pattern)].length
          if (found === 0) return cell
          tally.occurrencesChanged += found
          tally[formula === undefined ? "valuesChanged" : "formulasChanged"]++
          rows.add(`${tab.sheetId} ${row}`)
          sheets.add(tab.sheetId)
          const next = request.searchByRegex === true
            ? text.replace(pattern, replacement)
            : text.replace(pattern, () => replacement)
          return { ...cell, userEnteredValue: parseUserEntered(next, thisYear).value }
        })
        current = replaceTab(current, changed)
      }
      return applied(current, {
        findReplace: omitZeros({ ...tally, rowsChanged: rows.size, sheetsChanged: sheets.size })
      })
    })
}

const patternOf = (request: Payload<"findReplace">): Result.Result<RegExp, GoogleError> => {
  const { find = "", matchCase = false, matchEntireCell = false, searchByRegex = false } = request
  if (find === "") return refuse("A find value must be specified.")
  const source = searchByRegex ? find : RegExp.escape(find)
  return Result.try({
    try: () => new RegExp(matchEntireCell ? `^(?:${source})$` : source, matchCase ? "gu" : "giu"),
    catch: () => invalidArgument(`The regular expression is not valid: ${find}`)
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
