import { Schema } from "effect"

/** A cell, on its way in or out; on the way in `null` leaves it as it is. */
export const CellValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
export type CellValue = typeof CellValue.Type
export type Lines = ReadonlyArray<ReadonlyArray<CellValue>>

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

export const Metadata = Schema.Struct({
  spreadsheetId: Schema.String,
  properties: Schema.Struct({
    title: Schema.optionalKey(Schema.String),
    locale: Schema.optionalKey(Schema.String),
    timeZone: Schema.optionalKey(Schema.String)
  }),
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({ properties: SheetProperties })))
})
export type Metadata = typeof Metadata.Type

/** The mask of what `Metadata` has. */
export const metadataFields = "spreadsheetId,properties(title,locale,timeZone)," +
  "sheets.properties(sheetId,title,index,sheetType,hidden,gridProperties(rowCount,columnCount,frozenRowCount))"

/** Trailing empty cells and rows are not there; without any value `values` is not. */
export const ValueRange = Schema.Struct({
  range: Schema.optionalKey(Schema.String),
  values: Schema.optionalKey(Schema.Array(Schema.Array(CellValue)))
})

export const ValueRanges = Schema.Struct({ valueRanges: Schema.optionalKey(Schema.Array(ValueRange)) })

/** Counts of 0 are not there. */
export const Updated = Schema.Struct({
  updatedRange: Schema.optionalKey(Schema.String),
  updatedRows: Schema.optionalKey(Schema.Int),
  updatedColumns: Schema.optionalKey(Schema.Int),
  updatedCells: Schema.optionalKey(Schema.Int),
  updatedData: Schema.optionalKey(ValueRange)
})
export type Updated = typeof Updated.Type

export const Appended = Schema.Struct({ updates: Schema.optionalKey(Updated) })

export const BatchUpdated = Schema.Struct({ spreadsheetId: Schema.String })

export const Created = Schema.Struct({
  spreadsheetId: Schema.String,
  properties: Schema.Struct({ title: Schema.optionalKey(Schema.String) }),
  sheets: Schema.optionalKey(Schema.Array(Schema.Struct({
    properties: Schema.Struct({ sheetId: Schema.optionalKey(Schema.Int), title: Schema.optionalKey(Schema.String) })
  })))
})

/** Nothing, or the text of nothing: what an empty cell between others is answered as. */
export const isBlank = (value: CellValue | undefined): boolean => value === undefined || value === null || value === ""
