import { columnLetters } from "./A1.ts"
import type { CellValue } from "./CellValues.ts"

export interface Column {
  readonly key: string
  readonly index: number
  readonly renamed: boolean
}

export const rowNumberKey = "_row"

export const columnKeys = (
  header: ReadonlyArray<CellValue>,
  { first = 0, width }: { readonly first?: number; readonly width: number }
): ReadonlyArray<Column> => {
  const texts = Array.from({ length: width }, (_, column) => headerText(header[column]))
  const taken = new Set([rowNumberKey, ...texts])
  const seen = new Set([rowNumberKey, ""])
  return texts.map((text, column) => {
    const index = first + column
    if (!seen.has(text)) {
      seen.add(text)
      return { key: text, index, renamed: false }
    }
    const key = unusedKey(text === "" ? `col_${columnLetters(index)}` : text, text !== "", taken)
    taken.add(key)
    return { key, index, renamed: true }
  })
}

export const headerText = (value: CellValue | undefined): string => {
  if (value === undefined || value === null) return ""
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value).trim()
}

const unusedKey = (name: string, isTaken: boolean, taken: ReadonlySet<string>): string => {
  if (!isTaken && !taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}_${number}`)) number++
  return `${name}_${number}`
}

export const letterKeys = ({ first = 0, width }: { readonly first?: number; readonly width: number }) =>
  Array.from({ length: width }, (_, column): Column => ({
    key: columnLetters(first + column),
    index: first + column,
    renamed: false
  }))

export const columnFinder = (columns: ReadonlyArray<Column>): (key: string) => Column | undefined => {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const byFolded = Map.groupBy(columns, ({ key }) => key.toLowerCase())
  return (key) => {
    const exact = byKey.get(key) ?? byKey.get(key.trim())
    if (exact !== undefined) return exact
    const [only, ...others] = byFolded.get(key.trim().toLowerCase()) ?? []
    return others.length === 0 ? only : undefined
  }
}
