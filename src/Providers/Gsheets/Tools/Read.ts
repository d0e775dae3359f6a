import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { SpreadsheetReference } from "../../Google/FileReference.ts"
import { described, tool } from "../../Provider.ts"
import { choice, flag, integer, optionalText } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { pageInfoFields } from "../../Tooling/Paging.ts"
import { columnLetters } from "../A1.ts"
import { type Column, columnKeys, letterKeys, rowNumberKey } from "../ColumnKeys.ts"
import { orInvalidInput } from "../Issues.ts"
import { type ReadArea, readArea } from "../Reading/ReadArea.ts"
import type { Rendering } from "../Reading/ReadValues.ts"
import { allRows, RowObject, rowPage } from "../Reading/RowPage.ts"
import { readRows, type TabRows } from "../Reading/TabRows.ts"
import { tabField } from "../Schemas.ts"
import { readMetadata, tabsOf } from "../Tabs.ts"

const renderings = {
  unformatted: "UNFORMATTED_VALUE",
  formatted: "FORMATTED_VALUE",
  formula: "FORMULA"
} as const satisfies Record<string, Rendering>

const Input = Schema.Struct({
  spreadsheet: SpreadsheetReference,
  tab: tabField,
  range: optionalText({
    description:
      "Cells in A1 notation, as in `B2:F100` or `C:E`. The first row is the header. By default the whole tab.",
    maxLength: 300
  }),
  header_row: integer({
    description:
      "The row of the header, counted from 1; 0 for none, then keys are column letters. With `range` it is 0 " +
      "or the first row of the range.",
    minimum: 0,
    maximum: 10_000_000,
    default: 1
  }),
  limit: integer({ description: "The most rows to return.", minimum: 1, maximum: 1000, default: 100 }),
  offset: integer({
    description: "Sheet rows below the header to skip: the previous `next_offset`.",
    minimum: 0,
    maximum: 1_000_000,
    default: 0
  }),
  values: choice(["unformatted", "formatted", "formula"], {
    description: "`unformatted`: plain numbers and booleans, dates as shown. `formatted`: every cell as shown, as in " +
      "\"$1,234.50\". `formula`: formulas instead of results.",
    default: "unformatted"
  }),
  include_blank_rows: flag({
    description: "Includes rows without a value, up to the last row that has one.",
    default: false
  }),
  omit_empty: flag({ description: "Leaves empty cells out of the rows; `columns` names all keys.", default: false })
})

export const sheetsRead = tool({
  name: "sheets_read",
  ...described([
    "Reads a tab or range as rows of objects keyed by the header row.",
    "An empty cell is null, an error a text such as #REF!, a text over 2000 characters ends in …(+N).",
    "`_row` is the row number, as sheets_update_range takes it.",
    "A blank header has the key col_C, a repeated one Email_2; sheets_append_rows takes the same keys.",
    "At most `limit` rows and about 60 kB; `next_offset` is where further rows start.",
    "For several ranges use the endpoint values.batchGet."
  ], [
    "Formulas are calculated.",
    "An empty cell is left out with `omit_empty`.",
    "A key is the header without outer spaces; `renamed` names the columns whose keys differ.",
    "Rows and `columns` are in the order of the sheet.",
    "Returns the rows from `offset` on; a call with `keep` keeps all of them.",
    "`has_more` says whether there are more.",
    "`total_rows` counts all rows; it is absent above 500,000 cells.",
    "An empty tab has no columns and no rows.",
    "To list tabs use sheets_list_tabs."
  ]),
  writes: false,
  input: Input,
  resources: { names: ({ spreadsheet }) => spreadsheet.spreadsheetId },
  rows: () => ({ ...objectsIn("rows"), columns: [rowNumberKey], columnsIn: "columns" }),
  allRows: (input) => ({ ...input, limit: allRows }),
  output: Schema.Struct({
    spreadsheetId: Schema.String,
    tab: Schema.String,
    columns: Schema.Array(Schema.String),
    rows: Schema.Array(RowObject),
    ...pageInfoFields,
    total_rows: Schema.optionalKey(Integer),
    renamed: Schema.optionalKey(
      Schema.Record(Schema.String, Schema.String).annotate({ description: "Column letters by key." })
    )
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const metadata = yield* readMetadata(provider, input.spreadsheet)
    const { spreadsheetId } = metadata
    const area = yield* orInvalidInput(readArea(tabsOf(metadata), input))
    const found = yield* readRows(provider, spreadsheetId, area, { ...input, rendering: renderings[input.values] })
    const columns = columnsOf(area, found)
    const page = yield* rowPage(found.values, columns, {
      ...input,
      firstRow: area.firstRow,
      nextOffset: found.nextOffset
    })
    return {
      spreadsheetId,
      tab: area.tab.title,
      columns: columns.map(({ key }) => key),
      rows: page.rows,
      returned: page.rows.length,
      has_more: page.nextOffset !== undefined,
      ...(page.nextOffset === undefined ? {} : { next_offset: page.nextOffset }),
      ...(found.total === undefined ? {} : { total_rows: found.total }),
      ...renamedIn(columns)
    }
  })
})

const columnsOf = (
  { cells: { left: first }, headerRow }: ReadArea,
  { header, width }: TabRows
): ReadonlyArray<Column> =>
  headerRow === undefined ? letterKeys({ first, width }) : columnKeys(header, { first, width })

const renamedIn = (columns: ReadonlyArray<Column>) => {
  const renamed = columns.filter((column) => column.renamed)
  return renamed.length === 0
    ? {}
    : { renamed: Object.fromEntries(renamed.map(({ index, key }) => [key, columnLetters(index)])) }
}
