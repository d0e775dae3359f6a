import { columnLetters } from "./A1.ts"
import type { CellValue } from "./Answers.ts"

export interface Column {
  /** Under which rows have the cell; no two columns share one. */
  readonly key: string
  /** Zero-based, counted from column A. */
  readonly index: number
  /** The key is not what stands in the header. */
  readonly renamed: boolean
}

/** The key under which a row says where it is. */
export const rowKey = "_row"

/**
 * The keys of the columns from `first` on, `width` of them: the header's text without the blanks around it; `col_C` where
 * there is none; `Email_2`, `Email_3` where a text comes again. A key never takes the name of another header.
 */
export const headerKeys = (
  header: ReadonlyArray<CellValue>,
  { first = 0, width }: { readonly first?: number; readonly width: number }
): ReadonlyArray<Column> => {
  const texts = Array.from({ length: width }, (_, column) => headerText(header[column]))
  const taken = new Set([rowKey, ...texts])
  const seen = new Set([rowKey, ""])
  return texts.map((text, column) => {
    const index = first + column
    if (!seen.has(text)) {
      seen.add(text)
      return { key: text, index, renamed: false }
    }
    const key = unused(text === "" ? `col_${columnLetters(index)}` : text, text !== "", taken)
    taken.add(key)
    return { key, index, renamed: true }
  })
}

export const headerText = (value: CellValue | undefined): string => {
  if (value === undefined || value === null) return ""
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value).trim()
}

const unused = (name: string, isTaken: boolean, taken: ReadonlySet<string>): string => {
  if (!isTaken && !taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}_${number}`)) number++
  return `${name}_${number}`
}

/** The keys of a tab without a header: the column letters. */
export const letterKeys = ({ first = 0, width }: { readonly first?: number; readonly width: number }) =>
  Array.from({ length: width }, (_, column): Column => ({
    key: columnLetters(first + column),
    index: first + column,
    renamed: false
  }))

/** Which column a caller's key means: exactly, or without the blanks around it, or in another case if that is clear. */
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
