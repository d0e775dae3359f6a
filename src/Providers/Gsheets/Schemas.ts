import { Schema } from "effect"
import { FileId, message, optional, PathSegment, required } from "../Google/Message.ts"
import { flag } from "../Tooling/Fields.ts"
import { CellValue } from "./CellValues.ts"

const MajorDimension = Schema.Literals(["DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"])

export const ColumnIndex = Schema.String.check(Schema.isPattern(/^\d{1,5}$/u))

export const ValueInputOption = Schema.Literals(["RAW", "USER_ENTERED"]).annotate({
  description: "How values are stored: `RAW` as they are, `USER_ENTERED` as if typed in, so that dates, numbers and " +
    "formulas are recognized. The provider requires it."
})

const values = required(
  Schema.Array(Schema.Array(CellValue)),
  "The values to write, as rows or as `majorDimension` says: texts, numbers and booleans. `null` leaves a cell " +
    "unchanged, an empty text clears it."
)
const majorDimension = optional(
  MajorDimension.annotate({ default: "ROWS" }),
  "Whether each inner list is a row or a column."
)

export const WrittenValues = message("WrittenValues", "The values to write.", {
  values,
  majorDimension,
  range: optional(Schema.String, "Optional; when given, the same text as `path.range`.")
})

export const WrittenRange = message("WrittenRange", "The values to write in one range.", {
  range: required(Schema.NonEmptyString, "Where to write, in A1 notation."),
  values,
  majorDimension
})

interface RangeInPathAndBody {
  readonly path: { readonly range: string }
  readonly body: { readonly range?: string }
}

/** Google compares both ranges as texts: `Request range[Sheet1!A1:B2] does not match value's range[Sheet1!A1]`. */
export const sameRange = Schema.makeFilter<RangeInPathAndBody>(({ body, path }) =>
  body.range === undefined || body.range === "" || body.range === path.range
    ? undefined
    : { path: ["body", "range"], issue: `Expected the range of the path, ${JSON.stringify(path.range)}` }
)

const spreadsheetId = FileId("The spreadsheet's id: the part of its URL after `/spreadsheets/d/`.")

export const spreadsheetPath = Schema.Struct({ spreadsheetId }).annotate({ description: "URL placeholders." })

export const rangePath = (description: string) =>
  Schema.Struct({
    spreadsheetId,
    range: PathSegment.annotate({
      description: `${description} A1 or R1C1 notation or a named range, as in \`Sheet1!A1:B2\`. Quote a tab's ` +
        "name that has spaces or punctuation, as in `'Jon''s data'!A:C`."
    })
  }).annotate({ description: "URL placeholders." })

export const Ranges = Schema.Array(
  Schema.NonEmptyString.annotate({ description: "A range in A1 or R1C1 notation, or a named range." })
)

const ValueRenderOption = Schema.Literals(["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"])
const DateTimeRenderOption = Schema.Literals(["SERIAL_NUMBER", "FORMATTED_STRING"])

export const readOptions = {
  majorDimension: Schema.optionalKey(
    MajorDimension.annotate({
      description: "Whether each inner list of the response is a row or a column.",
      default: "ROWS"
    })
  ),
  valueRenderOption: Schema.optionalKey(ValueRenderOption.annotate({
    description: "Whether cells are returned as displayed, as plain values, or as formulas.",
    default: "FORMATTED_VALUE"
  })),
  dateTimeRenderOption: Schema.optionalKey(DateTimeRenderOption.annotate({
    description: "How dates and times are returned; ignored with `FORMATTED_VALUE`.",
    default: "SERIAL_NUMBER"
  }))
}

export const writeOptions = {
  valueInputOption: ValueInputOption,
  includeValuesInResponse: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether the response holds the cells after the change.",
    default: false
  })),
  responseValueRenderOption: Schema.optionalKey(ValueRenderOption.annotate({
    description: "Whether cells of the response are returned as displayed, as plain values, or as formulas.",
    default: "FORMATTED_VALUE"
  })),
  responseDateTimeRenderOption: Schema.optionalKey(DateTimeRenderOption.annotate({
    description: "How dates and times of the response are returned; ignored with `FORMATTED_VALUE`.",
    default: "SERIAL_NUMBER"
  }))
}

export const spreadsheetOptions = {
  ranges: Schema.optionalKey(
    Ranges.annotate({ description: "The ranges to return; by default the whole spreadsheet." })
  ),
  includeGridData: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether to return the cells; ignored when `fields` is set.",
    default: false
  })),
  excludeTablesInBandedRanges: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether to leave tables out of the banded ranges.",
    default: false
  }))
}

export const tabField = Schema.optionalKey(
  Schema.Union([Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))]).annotate({
    description: "Its title or its numeric id. By default the first visible tab with cells."
  })
)

const ObjectRow = Schema.Record(Schema.String, CellValue).annotate({ description: "A row by header names." })
const ArrayRow = Schema.Array(CellValue).annotate({ description: "A row in the order of the columns." })
export type ObjectRow = typeof ObjectRow.Type
export type ArrayRow = typeof ArrayRow.Type

export const Rows = Schema.Array(Schema.Union([ObjectRow, ArrayRow])).check(
  Schema.isMinLength(1, { expected: "at least one row" }),
  Schema.isMaxLength(1000, { expected: "at most 1000 rows" })
)
export type Rows = typeof Rows.Type

export const rowsField = (description: string) => Schema.Union([Rows, Schema.String]).annotate({ description })

export const parseField = flag({
  description: "Stores texts as if typed in: `007` becomes 7, and dates are recognized. By default as they are.",
  default: false
})

export const allowFormulasField = flag({
  description: "With `parse`: texts that start with =, +, - or @ become formulas.",
  default: false
})
