import { Option, Result, Schema } from "effect"
import { SheetProperties } from "../../../../Providers/Gsheets/Generated.ts"
import { type FieldMask } from "../../Google/FieldMask.ts"
import { type GoogleError, lacks } from "../../Google/GoogleError.ts"
import { gridArea, intersection, isEmpty } from "./Area.ts"
import { defaultSize, newTab } from "./Defaults.ts"
import { checkCellLimit } from "./Dimensions.ts"
import { refuse } from "./Errors.ts"
import { trimRows } from "./Grid.ts"
import { equalsIgnoreCase } from "./Ranges.ts"
import { tabProperties } from "./Resource.ts"
import { nextId, type Spreadsheet, type Tab } from "./Spreadsheet.ts"
import { mergeFields, selects, withBothColors } from "./UpdateMask.ts"

type Properties = typeof SheetProperties.Type

const decodeProperties = Schema.decodeUnknownOption(SheetProperties)

export const addTab = (
  spreadsheet: Spreadsheet,
  properties: Properties,
  rows: Tab["rows"] = []
): Result.Result<{ readonly spreadsheet: Spreadsheet; readonly tab: Tab }, GoogleError> =>
  Result.gen(function*() {
    const { tabs } = spreadsheet
    if (properties.sheetType !== undefined && properties.sheetType !== "GRID") {
      return yield* lacks(`new sheets of the type ${properties.sheetType}`)
    }
    if (tabs.some(({ sheetId }) => sheetId === properties.sheetId)) {
      return yield* refuse(`A sheet with the id ${properties.sheetId} already exists. Please use another id.`)
    }
    const title = properties.title ?? unusedTitle(tabs)
    yield* checkTitle(tabs, title)
    const [chosen, counted] = properties.sheetId === undefined ? nextId(spreadsheet) : [properties.sheetId, spreadsheet]
    const tab = yield* applyProperties(
      newTab({ sheetId: chosen, title, rows }),
      properties
    )
    const index = Math.min(properties.index ?? tabs.length, tabs.length)
    const grown = yield* checkCellLimit({ ...counted, tabs: tabs.toSpliced(index, 0, tab) })
    return { spreadsheet: grown, tab }
  })

const unusedTitle = (tabs: ReadonlyArray<Tab>, number = tabs.length + 1): string =>
  tabs.some(({ title }) => equalsIgnoreCase(title, `Sheet${number}`)) ? unusedTitle(tabs, number + 1) : `Sheet${number}`

const checkTitle = (tabs: ReadonlyArray<Tab>, title: string): Result.Result<void, GoogleError> =>
  title === ""
    ? refuse("Sheet name cannot be empty.")
    : tabs.some((tab) => equalsIgnoreCase(tab.title, title))
    ? refuse(`A sheet with the name "${title}" already exists. Please enter another name.`)
    : Result.void

const applyProperties = (tab: Tab, properties: Properties): Result.Result<Tab, GoogleError> => {
  const { columnCount, rowCount, ...grid } = properties.gridProperties ?? {}
  const { hidden = false, rightToLeft, tabColor, tabColorStyle } = Option.getOrElse(
    decodeProperties(withBothColors(properties)),
    () => properties
  )
  const changed: Tab = {
    ...tab,
    hidden,
    rowCount: rowCount || defaultSize.rowCount,
    columnCount: columnCount || defaultSize.columnCount,
    grid,
    look: {
      ...(rightToLeft === undefined ? {} : { rightToLeft }),
      ...(tabColor === undefined ? {} : { tabColor }),
      ...(tabColorStyle === undefined ? {} : { tabColorStyle })
    }
  }
  return Result.map(checkFrozen(changed), () => cropToGrid(changed))
}

const checkFrozen = ({ columnCount, grid, rowCount }: Tab): Result.Result<void, GoogleError> =>
  (grid.frozenRowCount ?? 0) >= rowCount
    ? refuse("You can't freeze all visible rows on the sheet.")
    : (grid.frozenColumnCount ?? 0) >= columnCount
    ? refuse("You can't freeze all visible columns on the sheet.")
    : Result.void

const cropToGrid = (tab: Tab): Tab => ({
  ...tab,
  rows: trimRows(tab.rows.slice(0, tab.rowCount).map((row) => row.slice(0, tab.columnCount))),
  merges: tab.merges.map((merge) => intersection(merge, gridArea(tab))).filter((merge) => !isEmpty(merge))
})

export const updateTab = (
  spreadsheet: Spreadsheet,
  tab: Tab,
  update: Properties,
  mask: FieldMask
): Result.Result<Spreadsheet, GoogleError> =>
  Result.gen(function*() {
    const { tabs } = spreadsheet
    const before = tabProperties(tab, tabs.indexOf(tab))
    const properties = Option.getOrElse(decodeProperties(mergeFields(before, update, mask)), () => update)
    const title = selects(mask, "title") ? properties.title ?? "" : tab.title
    if (selects(mask, "title")) yield* checkTitle(tabs.filter((each) => each !== tab), title)
    const changed = { ...yield* applyProperties(tab, properties), title }
    const others = tabs.filter((each) => each !== tab)
    if (changed.hidden && others.every(({ hidden }) => hidden)) {
      return yield* refuse("You can't hide all the sheets in a document.")
    }
    const index = selects(mask, "index") ? Math.min(properties.index ?? 0, others.length) : tabs.indexOf(tab)
    return yield* checkCellLimit({ ...spreadsheet, tabs: others.toSpliced(index, 0, changed) })
  })
