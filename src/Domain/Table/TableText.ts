import type { Cell, Table } from "./Table.ts"

type Rows = Pick<Table, "columns" | "rows">

/** RFC 4180, with a header line. Every line ends. */
export const toCsv = ({ columns, rows }: Rows): string => {
  if (columns.length === 0) return ""
  return [columns.map(({ name }) => name), ...rows].map(csvLine).join("")
}

/** A line without a character would be skipped by readers. */
export const csvLine = (row: ReadonlyArray<Cell>): string => `${row.map(csvField).join() || "\"\""}\r\n`

const csvField = (cell: Cell): string => {
  if (cell === null) return ""
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** Of what `toCsv` writes. */
export const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll("\"\"", "\"") ?? plain)
    if (end === ",") continue
    rows.push(row)
    row = []
  }
  return rows
}

/** A table of GitHub Flavored Markdown. */
export const toMarkdown = ({ columns, rows }: Rows): string => {
  if (columns.length === 0) return ""
  return line(columns.map(({ name }) => markdownCell(name))) +
    line(columns.map(({ type }) => type === "number" ? "---:" : "---")) +
    rows.map((row) => line(row.map(markdownCell))).join("")
}

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |\n`

const markdownCell = (cell: Cell): string =>
  cell === null ? "" : String(cell).replace(/[\\|]/g, "\\$&").replace(/\r\n|\r|\n/g, "<br>")

export type TableFormat = "csv" | "markdown"

export const tableText = (table: Rows, format: TableFormat): string =>
  format === "csv" ? toCsv(table) : toMarkdown(table)
