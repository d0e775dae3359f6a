import { Schema } from "effect"
import { CellValue } from "./CellValues.ts"

const SheetProperties = Schema.Struct({
  sheetId: Schema.optionalKey(Schema.Int),
  title: Schema.String,
  sheetType: Schema.optionalKey(Schema.String),
  hidden: Schema.optionalKey(Schema.Boolean),
  gridProperties: Schema.optionalKey(Schema.Struct({
    rowCount: Schema.optionalKey(Schema.Int),
    columnCount: Schema.optionalKey(Schema.Int),
    frozenRowCount: Schema.optionalKey(Schema.Int)
  }))
})
export type SheetProperties = typeof SheetProperties.Type

export const SpreadsheetMetadata = Schema.Struct({
  spreadsheetId: Schema.String,
  properties: Schema.Struct({
    title: Schema.optionalKey(Schema.String),
    locale: Schema.optionalKey(Schema.String),
    timeZone: Schema.optionalKey(Schema.String)
  }),
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({ properties: SheetProperties })))
})
export type SpreadsheetMetadata = typeof SpreadsheetMetadata.Type

export const metadataFields = "spreadsheetId,properties(title,locale,timeZone)," +
  "sheets.properties(sheetId,title,index,sheetType,hidden,gridProperties(rowCount,columnCount,frozenRowCount))"

/** The provider omits trailing empty cells and rows, and `values` when all are empty. */
export const ValueRange = Schema.Struct({
  range: Schema.optionalKey(Schema.String),
  values: Schema.optionalKey(Schema.Array(Schema.Array(CellValue)))
})

export const BatchGetValuesResponse = Schema.Struct({ valueRanges: Schema.optionalKey(Schema.Array(ValueRange)) })

export const UpdateValuesResponse = Schema.Struct({
  updatedRange: Schema.optionalKey(Schema.String),
  updatedRows: Schema.optionalKey(Schema.Int),
  updatedColumns: Schema.optionalKey(Schema.Int),
  updatedCells: Schema.optionalKey(Schema.Int),
  updatedData: Schema.optionalKey(ValueRange)
})
export type UpdateValuesResponse = typeof UpdateValuesResponse.Type

export const AppendValuesResponse = Schema.Struct({ updates: Schema.optionalKey(UpdateValuesResponse) })

export const BatchUpdateSpreadsheetResponse = Schema.Struct({ spreadsheetId: Schema.String })

export const CreatedSpreadsheet = Schema.Struct({
  spreadsheetId: Schema.String,
  properties: Schema.Struct({ title: Schema.optionalKey(Schema.String) }),
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({
    properties: Schema.Struct({ sheetId: Schema.optionalKey(Schema.Int), title: Schema.optionalKey(Schema.String) })
  })))
})
