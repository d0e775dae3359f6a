import { Result, Schema } from "effect"
import { ClearValuesRequest } from "../../../../Providers/Gsheets/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { bodyDecoder } from "./Body.ts"
import { invalidArgument } from "./Refusal.ts"
import { limits } from "./Spreadsheet.ts"

const Input = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
export type Input = typeof Input.Type

export const ValueRange = Schema.Struct({
  range: Schema.optionalKey(Schema.String),
  majorDimension: Schema.optionalKey(Schema.Literals(["DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"])),
  values: Schema.optionalKey(Schema.Array(Schema.Array(Input)))
})

export const decodeValueRange = bodyDecoder(ValueRange, "data")

export const decodeBatchUpdateValues = bodyDecoder(Schema.Struct({
  valueInputOption: Schema.optionalKey(Schema.Literals(["INPUT_VALUE_OPTION_UNSPECIFIED", "RAW", "USER_ENTERED"])),
  data: Schema.optionalKey(Schema.Array(ValueRange)),
  includeValuesInResponse: Schema.optionalKey(Schema.Boolean),
  responseValueRenderOption: Schema.optionalKey(Schema.Literals(["FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"])),
  responseDateTimeRenderOption: Schema.optionalKey(Schema.Literals(["SERIAL_NUMBER", "FORMATTED_STRING"]))
}))

export const decodeClearValues = bodyDecoder(ClearValuesRequest)

/** The values row by row, whichever way round they came. */
export const rowsOf = (
  { majorDimension, values = [] }: typeof ValueRange.Type
): Result.Result<ReadonlyArray<ReadonlyArray<Input>>, GoogleError> => {
  const isTooLong = values.some((line) =>
    line.some((value) => typeof value === "string" && value.length > limits.charactersPerCell)
  )
  if (isTooLong) return Result.fail(tooLong)
  return Result.succeed(majorDimension === "COLUMNS" ? transposed(values) : values)
}

const tooLong = invalidArgument(
  `Your input contains more than the maximum of ${limits.charactersPerCell} characters in a single cell.`
)

const transposed = (columns: ReadonlyArray<ReadonlyArray<Input>>): ReadonlyArray<ReadonlyArray<Input>> =>
  Array.from(
    { length: Math.max(0, ...columns.map((column) => column.length)) },
    (_, row) => columns.map((column) => column[row] ?? null)
  )
