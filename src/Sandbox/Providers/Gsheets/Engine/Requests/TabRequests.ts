import { Option, Result, Schema } from "effect"
import { SpreadsheetProperties } from "../../../../../Providers/Gsheets/Generated.ts"
import { refuse } from "../Errors.ts"
import { tabProperties } from "../Resource.ts"
import { replaceTab, type Spreadsheet, type Tab } from "../Spreadsheet.ts"
import { addTab, updateTab } from "../Tabs.ts"
import { mergeFields, parseUpdateMask } from "../UpdateMask.ts"
import { applied, type RequestHandlers, tabById } from "./Request.ts"

const decodeProperties = Schema.decodeUnknownOption(SpreadsheetProperties)

export const tabRequests: RequestHandlers<
  | "addSheet"
  | "deleteSheet"
  | "duplicateSheet"
  | "updateSheetProperties"
  | "updateSpreadsheetProperties"
  | "setBasicFilter"
  | "clearBasicFilter"
> = {
  addSheet: (spreadsheet, { properties = {} }) =>
    Result.map(addTab(spreadsheet, properties), (made) => tabReply("addSheet", made)),

  deleteSheet: (spreadsheet, { sheetId }) =>
    Result.flatMap(tabById(spreadsheet, sheetId), (tab) => {
      const tabs = spreadsheet.tabs.filter((each) => each !== tab)
      return tabs.every(({ hidden }) => hidden)
        ? refuse("You can't remove all the sheets in a document.")
        : Result.succeed(applied({
          ...spreadsheet,
          tabs,
          namedRanges: spreadsheet.namedRanges.filter((each) => each.sheetId !== tab.sheetId)
        }))
    }),

  duplicateSheet: (spreadsheet, { insertSheetIndex, newSheetId, newSheetName, sourceSheetId }) =>
    Result.gen(function*() {
      const source = yield* tabById(spreadsheet, sourceSheetId)
      const { sheetId: _, title: _title, index: _index, ...properties } = tabProperties(source, 0)
      const made = yield* addTab(spreadsheet, {
        ...properties,
        title: newSheetName ?? copyTitle(spreadsheet.tabs, source.title),
        index: insertSheetIndex ?? 0,
        ...(newSheetId === undefined ? {} : { sheetId: newSheetId })
      }, source)
      return tabReply("duplicateSheet", made)
    }),

  updateSheetProperties: (spreadsheet, { fields, properties = {} }) =>
    Result.gen(function*() {
      const mask = yield* parseUpdateMask(fields)
      const tab = yield* tabById(spreadsheet, properties.sheetId)
      return applied(yield* updateTab(spreadsheet, tab, properties, mask))
    }),

  updateSpreadsheetProperties: (spreadsheet, { fields, properties = {} }) =>
    Result.map(parseUpdateMask(fields), (mask) => {
      const { properties: before } = spreadsheet
      const next = Option.getOrElse(decodeProperties(mergeFields(before, properties, mask)), () => before)
      const { locale = before.locale, timeZone = before.timeZone, title = before.title } = next
      return applied({ ...spreadsheet, properties: { ...next, title, locale, timeZone } })
    }),

  setBasicFilter: (spreadsheet, { filter }) =>
    Result.map(
      tabById(spreadsheet, filter?.range?.sheetId, "grid"),
      (tab) => applied(replaceTab(spreadsheet, { ...tab, ...(filter === undefined ? {} : { basicFilter: filter }) }))
    ),

  clearBasicFilter: (spreadsheet, { sheetId }) =>
    Result.map(
      tabById(spreadsheet, sheetId, "grid"),
      (tab) => {
        const { basicFilter: _, ...unfiltered } = tab
        return applied(replaceTab(spreadsheet, unfiltered))
      }
    )
}

const tabReply = (
  kind: string,
  { spreadsheet, tab }: { readonly spreadsheet: Spreadsheet; readonly tab: Tab }
) => applied(spreadsheet, { [kind]: { properties: tabProperties(tab, spreadsheet.tabs.indexOf(tab)) } })

const copyTitle = (tabs: ReadonlyArray<Tab>, title: string, number = 1): string => {
  const copy = `Copy of ${title}${number === 1 ? "" : ` ${number}`}`
  return tabs.some((tab) => tab.title === copy) ? copyTitle(tabs, title, number + 1) : copy
}
