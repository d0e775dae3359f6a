import type { TouchedArea, TouchedCells, Values } from "../../Writing.ts"

interface WrittenValues {
  readonly values: Values
  readonly majorDimension?: string
}

export const touchedCells = (file: string, areas: ReadonlyArray<TouchedArea>): TouchedCells => ({
  _tag: "Cells",
  file,
  areas
})

export const written = (body: WrittenValues, valueInputOption: string | undefined) => ({
  values: rowsOf(body),
  parsed: valueInputOption === "USER_ENTERED"
})

const rowsOf = ({ majorDimension, values }: WrittenValues): Values => {
  if (majorDimension !== "COLUMNS") return values
  const height = values.reduce((most, column) => Math.max(most, column.length), 0)
  return Array.from({ length: height }, (_, row) => values.map((column) => column[row] ?? null))
}
