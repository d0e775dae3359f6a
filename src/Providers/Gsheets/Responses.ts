import { Schema } from "effect"
import { partial } from "../Google/Message.ts"
import { CellValue } from "./CellValues.ts"

const SheetProperties = Schema.Struct({
  title: Schema.String,
  ...partial({
    sheetId: Schema.Int,
    sheetType: Schema.String,
    hidden: Schema.Boolean,
    gridProperties: partial({ rowCount: Schema.Int, columnCount: Schema.Int, frozenRowCount: Schema.Int })
  }).fields
})
export type SheetProperties = typeof SheetProperties.Type

export const SpreadsheetMetadata = Schema.Struct({
  spreadsheetId: Schema.String,
  properties: partial({ title: Schema.String, locale: Schema.String, timeZone: Schema.String }),
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({ properties: SheetProperties })))
})
export type SpreadsheetMetadata = typeof SpreadsheetMetadata.Type

export const metadataFields = "spreadsheetId,properties(title,locale,timeZone)," +
  "sheets.properties(sheetId,title,index,sheetType,hidden,gridProperties(rowCount,columnCount,frozenRowCount))"

/** The provider omits trailing empty cells and rows, and `values` when all are empty. */
export const ValueRange = partial({ range: Schema.String, values: Schema.Array(Schema.Array(CellValue)) })

export const BatchGetValuesResponse = partial({ valueRanges: Schema.Array(ValueRange) })

export const UpdateValuesResponse = partial({
  updatedRange: Schema.String,
  updatedRows: Schema.Int,
  updatedColumns: Schema.Int,
  updatedCells: Schema.Int,
  updatedData: ValueRange
})
export type UpdateValuesResponse = typeof UpdateValuesResponse.Type

export const AppendValuesResponse = partial({ updates: UpdateValuesResponse })

export const BatchUpdateSpreadsheetResponse = Schema.Struct({ spreadsheetId: Schema.String })

export const CreatedSpreadsheet = Schema.Struct({
  spreadsheetId: Schema.String,
  properties: partial({ title: Schema.String }),
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({
    properties: partial({ sheetId: Schema.Int, title: Schema.String })
  })))
})
