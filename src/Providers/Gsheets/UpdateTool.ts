import { Effect, Schema } from "effect"
import { SpreadsheetReference } from "../Google/FileReference.ts"
import { type ProviderCalls, tool } from "../Provider.ts"
import { flag, text } from "../Tooling/Fields.ts"
import { on, type Rectangle, rectangleName } from "./A1.ts"
import { CellValue, type Lines, Updated } from "./Answers.ts"
import { coercions, reportedCoercions } from "./Coercions.ts"
import { valuesUpdate } from "./Endpoints.ts"
import { mistake, mistaken, orInvalidInput } from "./Mistakes.ts"
import { readLines } from "./Reading.ts"
import { readMetadata, tabField, tabsOf } from "./Tabs.ts"
import { targetOf } from "./Target.ts"
import { filledCells, overwrittenFormulas, unexpected, valueIssues } from "./UpdatePlan.ts"
import { allowFormulasField, echo, parseField, valueInputOption } from "./WriteFields.ts"

const Values = Schema.Array(Schema.Array(CellValue).check(Schema.isMinLength(1, { expected: "at least one value" })))
  .check(Schema.isMinLength(1, { expected: "at least one row" }))

const mostNamed = 20

export const sheetsUpdateRange = tool({
  name: "sheets_update_range",
  description: [
    "Overwrites cells starting at a range with rows of values.",
    "Freshness: at once; formulas that use the cells are recalculated.",
    "Window: exactly the cells that `values` fill. A range of more than one cell must have their size.",
    "Units: `rows`, `columns` and `cells` count what was written; null leaves a cell as it is, \"\" empties it. Formats,",
    "notes and validation stay.",
    "Rows keep their order.",
    "Truncation: all or nothing; `coerced` lists at most 100 cells that were stored as something else than was sent.",
    "A cell with a formula is not overwritten without `overwrite_formulas`; with `expect` nothing is written unless the",
    "cells still hold that (there is no lock between the look and the change).",
    "Empty: a value of null only changes nothing and counts 0.",
    "For new rows use sheets_append_rows; to see the cells before, sheets_read, whose `_row` is the row number here."
  ].join(" "),
  writes: true,
  input: Schema.Struct({
    spreadsheet: SpreadsheetReference,
    tab: tabField,
    range: text({
      description:
        "Where to write, in A1 notation: the cell to start at, or a range of the size of `values`; with the " +
        "tab in front (`'Jon''s data'!B2`) or without.",
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
        "What the cells hold now, as sheets_read has it, in the shape of `values`. Where it differs nothing is " +
        "written."
    }))
  }),
  run: Effect.fnUntraced(function*(input, provider) {
    const lines: Lines = typeof input.values === "object" ? input.values : [[input.values]]
    const metadata = yield* readMetadata(provider, input.spreadsheet)
    const { spreadsheetId } = metadata
    const target = yield* orInvalidInput(
      targetOf(tabsOf(metadata), { tab: input.tab, gid: input.spreadsheet.gid, range: input.range })
    )
    const cells = yield* orInvalidInput(filledCells(target, lines))
    const range = on(target.tab.title, rectangleName(cells))
    const issues = valueIssues(lines, cells, {
      isOneCell: typeof input.values !== "object",
      mayParseFormulas: !input.parse || input.allow_formulas
    })
    if (issues.length > 0) return yield* orInvalidInput(mistaken(...issues))
    yield* guard(provider, spreadsheetId, { ...input, cells, range, lines })
    const updated = yield* provider.call(valuesUpdate, {
      path: { spreadsheetId, range },
      query: { valueInputOption: valueInputOption(input.parse), ...echo },
      body: { majorDimension: "ROWS", values: lines }
    }, Updated)
    return {
      updated_range: updated.updatedRange ?? range,
      rows: updated.updatedRows ?? 0,
      columns: updated.updatedColumns ?? 0,
      cells: updated.updatedCells ?? 0,
      ...reportedCoercions(coercions(lines, updated.updatedData?.values ?? [], cells))
    }
  })
})

/** Looks at the cells before they are overwritten. */
const guard = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  spreadsheetId: string,
  { cells, expect, lines, overwrite_formulas, range }: {
    readonly cells: Rectangle
    readonly range: string
    readonly lines: Lines
    readonly overwrite_formulas: boolean
    readonly expect?: Lines
  }
) {
  const formulas = overwrite_formulas ? [] : yield* readLines(provider, spreadsheetId, range, "FORMULA")
  const mayHave = formulas.some((line) => line.some((value) => typeof value === "string" && value.startsWith("=")))
  const values = mayHave || expect !== undefined ? yield* readLines(provider, spreadsheetId, range) : []
  const differing = expect === undefined ? [] : unexpected(expect, values, cells)
  if (differing.length > 0) return yield* orInvalidInput(mistaken(...differing.slice(0, mostNamed)))
  const overwritten = overwrittenFormulas(lines, { formulas, values }, cells)
  if (overwritten.length > 0) {
    const more = overwritten.length > mostNamed ? ` and ${overwritten.length - mostNamed} more` : ""
    return yield* orInvalidInput(mistaken(mistake(
      ["values"],
      `Formulas are in the way: ${overwritten.slice(0, mostNamed).join(", ")}${more}. Pass null for these cells, or ` +
        "`overwrite_formulas` if they are to go."
    )))
  }
})
