import { Schema } from "effect"
import { message, optional, required } from "../Google/Message.ts"

export const MajorDimension = Schema.Literals(["DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"])

/** A column's number as the key of a map. */
export const ColumnIndex = Schema.String.check(Schema.isPattern(/^\d{1,5}$/u))

export const ValueInputOption = Schema.Literals(["RAW", "USER_ENTERED"]).annotate({
  description:
    "How what is written is read: `RAW` stores it as it is, `USER_ENTERED` as if typed in, so that dates, numbers and " +
    "formulas are recognised. The provider requires it."
})

const Cell = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])

const values = required(
  Schema.Array(Schema.Array(Cell)),
  "The cells to write, as rows (or columns, as `majorDimension` says): texts, numbers and truth values; `null` leaves " +
    "a cell as it is, an empty text clears it."
)
const majorDimension = optional(
  MajorDimension.annotate({ default: "ROWS" }),
  "Whether each inner list is a row or a column."
)

/** Where it goes, the path says. */
export const WrittenValues = message("WrittenValues", "The values to write.", {
  values,
  majorDimension,
  range: optional(Schema.String, "Can be left out; when given, the same text as `path.range`.")
})

export const WrittenRange = message("WrittenRange", "The values to write in one range.", {
  range: required(Schema.NonEmptyString, "Where to write, in A1 notation."),
  values,
  majorDimension
})

interface RangeTwice {
  readonly path: { readonly range: string }
  readonly body: { readonly range?: string }
}

/** Google compares the two as texts: `Request range[Sheet1!A1:B2] does not match value's range[Sheet1!A1]`. */
export const sameRange = Schema.makeFilter<RangeTwice>(({ body, path }) =>
  body.range === undefined || body.range === "" || body.range === path.range
    ? undefined
    : { path: ["body", "range"], issue: `Expected the range of the path, ${JSON.stringify(path.range)}` }
)
