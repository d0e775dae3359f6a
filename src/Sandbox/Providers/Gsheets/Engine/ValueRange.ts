import { Result, Schema } from "effect"
import { ClearValuesRequest } from "../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { readMessage } from "../../Google/ProtoJson.ts"
import { widestOf } from "./Area.ts"
import { invalidArgument } from "./Errors.ts"
import { limits } from "./Spreadsheet.ts"

const InputValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
export type InputValue = typeof InputValue.Type

export const ValueRange = Schema.Struct({
  range: Schema.optionalKey(Schema.String),
  majorDimension: Schema.optionalKey(Schema.Literals(["DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"])),
  values: Schema.optionalKey(
    Schema.Array(Schema.Array(InputValue))
  )
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
  const isTooLong = values.some((line) =>
    line.some((value) => typeof value === "string" && value.length > limits.charactersPerCell)
  )
  if (isTooLong) return Result.fail(cellTooLong)
  return Result.succeed(majorDimension === "COLUMNS" ? transpose(values) : values)
}

const cellTooLong = invalidArgument(
  `Your input contains more than the maximum of ${limits.charactersPerCell} characters in a single cell.`
)

const transpose = (columns: ReadonlyArray<ReadonlyArray<InputValue>>): ReadonlyArray<ReadonlyArray<InputValue>> =>
  Array.from(
    { length: widestOf(columns) },
    (_, row) => columns.map((column) => column[row] ?? null)
  )
