import { Schema } from "effect"
import { PathSegment } from "../Google/Message.ts"
import { MajorDimension, ValueInputOption } from "./Values.ts"

const spreadsheetId = PathSegment.annotate({
  description: "The spreadsheet's id: the part of its URL after `/spreadsheets/d/`."
})

export const spreadsheetPath = Schema.Struct({ spreadsheetId }).annotate({ description: "URL placeholders." })

/** The range is percent-encoded on its way; callers write it as they would in a formula. */
export const rangePath = (description: string) =>
  Schema.Struct({
    spreadsheetId,
    range: PathSegment.annotate({
      description: `${description} A1 or R1C1 notation or a named range, as in \`Sheet1!A1:B2\`; a tab's name ` +
        "with blanks or marks goes in quotes, as in `'Jon''s data'!A:C`."
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
      description: "Whether each inner list of the answer is a row or a column.",
      default: "ROWS"
    })
  ),
  valueRenderOption: Schema.optionalKey(ValueRenderOption.annotate({
    description: "Whether cells are returned as displayed, as plain values, or as formulas.",
    default: "FORMATTED_VALUE"
  })),
  dateTimeRenderOption: Schema.optionalKey(DateTimeRenderOption.annotate({
    description: "How dates and times are returned; without effect under `FORMATTED_VALUE`.",
    default: "SERIAL_NUMBER"
  }))
}

export const writeOptions = {
  valueInputOption: ValueInputOption,
  includeValuesInResponse: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether the answer holds the cells as they are after the change.",
    default: false
  })),
  responseValueRenderOption: Schema.optionalKey(ValueRenderOption.annotate({
    description: "Whether cells of the answer are returned as displayed, as plain values, or as formulas.",
    default: "FORMATTED_VALUE"
  })),
  responseDateTimeRenderOption: Schema.optionalKey(DateTimeRenderOption.annotate({
    description: "How dates and times of the answer are returned; without effect under `FORMATTED_VALUE`.",
    default: "SERIAL_NUMBER"
  }))
}

export const spreadsheetOptions = {
  ranges: Schema.optionalKey(Ranges.annotate({ description: "The ranges to return; the whole spreadsheet without." })),
  includeGridData: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether to return the cells; ignored when `fields` is set.",
    default: false
  })),
  excludeTablesInBandedRanges: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether to leave tables out of the banded ranges.",
    default: false
  }))
}
