import { Result, Schema } from "effect"
import { ClearValuesRequest } from "../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { readMessage } from "../../Google/ProtoJson.ts"
import { indexes, widestOf } from "./Area.ts"
import { refuse } from "./Errors.ts"
import { limits } from "./Spreadsheet.ts"

const InputValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
export type InputValue = typeof InputValue.Type

export const ValueRange = Schema.Struct({
  range: Schema.optionalKey(Schema.String),
  majorDimension: Schema.optionalKey(Schema.Literals(["DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"])),
  values: Schema.optionalKey(Schema.Array(Schema.Array(InputValue)))
})

export const decodeValueRange = readMessage(ValueRange)

export const decodeBatchUpdateValues = readMessage(Schema.Struct({
  valueInputOption: Schema.optionalKey(Schema.Literals(["INPUT_VALUE_OPTION_UNSPECIFIED", "RAW", "USER_ENTERED"])),
  data: Schema.optionalKey(Schema.Array(ValueRange)),
  includeValuesInResponse: Schema.optionalKey(Schema.Boolean),
  responseValueRenderOption: Schema.optionalKey(Schema.Literals(["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"])),
  responseDateTimeRenderOption: Schema.optionalKey(Schema.Literals(["SERIAL_NUMBER", "FORMATTED_STRING"]))
}))

export const decodeClearValues = readMessage(ClearValuesRequest)

export const rowsOf = (
  { majorDimension, values = [] }: typeof ValueRange.Type
): Result.Result<ReadonlyArray<ReadonlyArray<InputValue>>, GoogleError> => {
  const rows = majorDimension === "COLUMNS" ? transpose(values) : values
  return values.some((line) => line.some((value) => typeof value === "string" && isTooLong(value)))
    ? cellTooLong
    : Result.succeed(rows)
}

export const isTooLong = (text: string): boolean => text.length > limits.charactersPerCell

export const cellTooLong = refuse(
  `Your input contains more than the maximum of ${limits.charactersPerCell} characters in a single cell.`
)

const transpose = (columns: ReadonlyArray<ReadonlyArray<InputValue>>): ReadonlyArray<ReadonlyArray<InputValue>> =>
  indexes(0, widestOf(columns)).map((row) => columns.map((column) => column[row] ?? null))
