import type { AppendedCells, EditedFile, TouchedCells, Values } from "../../Writing.ts"

type Option = "RAW" | "USER_ENTERED" | undefined

interface InRange {
  readonly path: { readonly spreadsheetId: string; readonly range: string }
}

interface Written extends InRange {
  readonly query: { readonly valueInputOption: Option; readonly insertDataOption?: string }
  readonly body: { readonly values: Values; readonly majorDimension?: string }
}

export const writtenRange = ({ body, path, query }: Written): TouchedCells => ({
  _tag: "Cells",
  file: path.spreadsheetId,
  areas: [{ range: path.range, values: rowsOf(body), parsed: query.valueInputOption === "USER_ENTERED" }]
})

export const writtenRanges = (
  { body, path }: {
    readonly path: { readonly spreadsheetId: string }
    readonly body: {
      readonly valueInputOption?: Option
      readonly data?: ReadonlyArray<
        { readonly range: string; readonly values: Values; readonly majorDimension?: string }
      >
    }
  }
): TouchedCells => ({
  _tag: "Cells",
  file: path.spreadsheetId,
  areas: (body.data ?? []).map((each) => ({
    range: each.range,
    values: rowsOf(each),
    parsed: body.valueInputOption === "USER_ENTERED"
  }))
})

export const clearedRange = ({ path }: InRange): TouchedCells => ({
  _tag: "Cells",
  file: path.spreadsheetId,
  areas: [{ range: path.range, values: undefined, parsed: false }]
})

export const appendedRows = ({ body, path, query }: Written): AppendedCells => ({
  _tag: "AppendedCells",
  file: path.spreadsheetId,
  range: path.range,
  values: rowsOf(body),
  parsed: query.valueInputOption === "USER_ENTERED",
  insertsRows: query.insertDataOption === "INSERT_ROWS"
})

export const editedSpreadsheet = (
  { body, path }: {
    readonly path: { readonly spreadsheetId: string }
    readonly body: { readonly requests: ReadonlyArray<object> }
  }
): EditedFile => ({ _tag: "Edits", file: path.spreadsheetId, edits: body.requests })

const rowsOf = (
  { majorDimension, values }: { readonly values: Values; readonly majorDimension?: string }
): Values => {
  if (majorDimension !== "COLUMNS") return values
  const height = values.reduce((most, column) => Math.max(most, column.length), 0)
  return Array.from({ length: height }, (_, row) => values.map((column) => column[row] ?? null))
}
