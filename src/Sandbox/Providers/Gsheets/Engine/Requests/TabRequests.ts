import { Option, Result, Schema } from "effect"
import { SpreadsheetProperties } from "../../../../../Providers/Gsheets/Generated.ts"
import { parseFieldMask } from "../../../Google/FieldMask.ts"
import { checkLocale, refuse } from "../Errors.ts"
import { tabProperties } from "../Resource.ts"
import { addTab, updateTab } from "../Tabs.ts"
import { mergeFields } from "../UpdateMask.ts"
import { applied, type RequestHandlers, tabById } from "./Request.ts"

const decodeProperties = Schema.decodeUnknownOption(SpreadsheetProperties)

export const tabRequests: RequestHandlers<
  | "addSheet"
  | "deleteSheet"
  | "updateSheetProperties"
  | "updateSpreadsheetProperties"
> = {
  addSheet: (spreadsheet, { properties = {} }) =>
    Result.map(
      addTab(spreadsheet, properties),
      ({ spreadsheet: after, tab }) =>
        applied(after, { addSheet: { properties: tabProperties(tab, after.tabs.indexOf(tab)) } })
    ),

  deleteSheet: (spreadsheet, { sheetId }) =>
    Result.flatMap(tabById(spreadsheet, sheetId), (tab) => {
      const tabs = spreadsheet.tabs.filter((each) => each !== tab)
      return tabs.every(({ hidden }) => hidden)
        ? refuse("You can't remove all the sheets in a document.")
        : Result.succeed(applied({ ...spreadsheet, tabs }))
    }),

  updateSheetProperties: (spreadsheet, { fields, properties = {} }) =>
    Result.gen(function*() {
      const mask = yield* parseFieldMask(fields)
      const tab = yield* tabById(spreadsheet, properties.sheetId)
      return applied(yield* updateTab(spreadsheet, tab, properties, mask))
    }),

  updateSpreadsheetProperties: (spreadsheet, { fields, properties = {} }) =>
    Result.gen(function*() {
      const { properties: before } = spreadsheet
      const merged = mergeFields(before, properties, yield* parseFieldMask(fields))
      const next = Option.getOrElse(decodeProperties(merged), () => before)
      const { locale = before.locale, timeZone = before.timeZone, title = before.title } = next
      if (locale !== before.locale) yield* checkLocale({ locale })
      return applied({ ...spreadsheet, properties: { ...next, title, locale, timeZone } })
    })
}
