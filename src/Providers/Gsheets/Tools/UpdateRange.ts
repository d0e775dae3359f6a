import { Effect, Result, Schema } from "effect"
import { SpreadsheetReference } from "../../Google/FileReference.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { flag, text } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { rangeOnTab, type Rectangle, rectangleName } from "../A1.ts"
import { type CellRows, CellValue } from "../CellValues.ts"
import { valuesUpdate } from "../Endpoints.ts"
import { orInvalidInput, refusal } from "../Issues.ts"
import { readValues } from "../Reading/ReadValues.ts"
import { UpdateValuesResponse } from "../Responses.ts"
import { allowFormulasField, parseField, tabField } from "../Schemas.ts"
import { resolveRange } from "../TabRange.ts"
import { readMetadata, tabsOf } from "../Tabs.ts"
import { coercionFields, coercionReport, coercions } from "../Writing/Coercions.ts"
import { enteredIssues } from "../Writing/OutsideFormulas.ts"
import {
  expectationIssues,
  filledCells,
  overwrittenFormulas,
  rowsOf,
  shapeIssues,
  valueIssues
} from "../Writing/UpdateChecks.ts"
import { returnStoredValues, valueInputOption } from "../Writing/WriteQuery.ts"

const Values = Schema.Array(Schema.Array(CellValue).check(Schema.isMinLength(1, { expected: "at least one value" })))
  .check(Schema.isMinLength(1, { expected: "at least one row" }))

const maxListed = 20

export const sheetsUpdateRange = tool({
  name: "sheets_update_range",
  ...described([
    "Overwrites cells starting at a range with rows of values.",
    "A range of more than one cell must have the size of `values`.",
    "null leaves a cell unchanged, \"\" empties it.",
    "Formats, notes and validation stay.",
    "All cells are written or none.",
    "With `expect` nothing is written unless the cells hold those values; there is no lock between check and write.",
    "`coerced` lists cells that are stored differently than sent.",
    "For new rows use sheets_append_rows."
  ], [
    "Only the cells that `values` fill are written.",
    "Rows of different lengths are an error.",
    "A cell with a formula is only overwritten with `overwrite_formulas`.",
    "`rows`, `columns` and `cells` count what was written.",
    "`coerced` lists up to 100 cells.",
    "To read the cells first use sheets_read, whose `_row` is the row number here."
  ]),
  writes: true,
  keepsDigits: true,
  destructive: true,
  idempotent: true,
  input: Schema.Struct({
    spreadsheet: SpreadsheetReference,
    tab: tabField,
    range: text({
      description:
        "Where to write, in A1 notation: the cell to start at, or a range of the size of `values`. The tab may " +
        "come first, as in `'Jon''s data'!B2`.",
      maxLength: 300
    }),
    values: Schema.Union([Values, Schema.String, Schema.Finite, Schema.Boolean]).annotate({
      description: "Rows of values, all of the same length; or one value for one cell."
    }),
    parse: parseField,
    allow_formulas: allowFormulasField,
    overwrite_formulas: flag({ description: "Lets cells that hold a formula be overwritten.", default: false }),
    expect: Schema.optionalKey(Values.annotate({
      description:
        "The values that the cells hold now, as in sheets_read and in the shape of `values`. If any differs, " +
        "nothing is written."
    }))
  }).check(Schema.makeFilter(shapeIssues)),
  resources: {
    names: ({ spreadsheet }) => spreadsheet.spreadsheetId,
    refuses: ({ parse, values }) => parse ? enteredIssues("USER_ENTERED", values, ["input", "values"]) : []
  },
  output: Schema.Struct({
    updated_range: Schema.String,
    rows: Integer,
    columns: Integer,
    cells: Integer,
    ...coercionFields
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const values = rowsOf(input.values)
    const metadata = yield* readMetadata(provider, input.spreadsheet)
    const { spreadsheetId } = metadata
    const target = yield* orInvalidInput(resolveRange(tabsOf(metadata), input))
    const cells = yield* orInvalidInput(filledCells(target, values))
    const range = rangeOnTab(target.tab.title, rectangleName(cells))
    const issues = valueIssues(values, cells, {
      isOneCell: typeof input.values !== "object",
      mayParseFormulas: !input.parse || input.allow_formulas
    })
    if (issues.length > 0) return yield* orInvalidInput(Result.fail(issues))
    yield* checkCurrentCells(provider, spreadsheetId, { ...input, cells, range, values })
    const response = yield* provider.call(valuesUpdate, {
      path: { spreadsheetId, range },
      query: { valueInputOption: valueInputOption(input.parse), ...returnStoredValues },
      body: { majorDimension: "ROWS", values }
    }, UpdateValuesResponse)
    return {
      updated_range: response.updatedRange ?? range,
      rows: response.updatedRows ?? 0,
      columns: response.updatedColumns ?? 0,
      cells: response.updatedCells ?? 0,
      ...coercionReport(coercions(values, response.updatedData, cells))
    }
  })
})

const checkCurrentCells = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  spreadsheetId: string,
  { cells, expect, overwrite_formulas, range, values }: {
    readonly cells: Rectangle
    readonly range: string
    readonly values: CellRows
    readonly overwrite_formulas: boolean
    readonly expect?: CellRows
  }
) {
  const formulas = overwrite_formulas ? [] : yield* readValues(provider, spreadsheetId, range, "FORMULA")
  const mayHave = formulas.some((row) => row.some((value) => typeof value === "string" && value.startsWith("=")))
  const current = mayHave || expect !== undefined ? yield* readValues(provider, spreadsheetId, range) : []
  const unexpected = expect === undefined ? [] : expectationIssues(expect, current, cells)
  if (unexpected.length > 0) return yield* orInvalidInput(Result.fail(unexpected.slice(0, maxListed)))
  const overwritten = overwrittenFormulas(values, { formulas, values: current }, cells)
  if (overwritten.length > 0) {
    const more = overwritten.length > maxListed ? ` and ${overwritten.length - maxListed} more` : ""
    return yield* orInvalidInput(
      refusal(
        ["values"],
        `These cells hold formulas: ${overwritten.slice(0, maxListed).join(", ")}${more}. Pass null to keep them, or ` +
          "`overwrite_formulas` to replace them."
      )
    )
  }
})
