import type { Cell, Table } from "./Table.ts"

type Rows = Pick<Table, "columns" | "rows">

export const tableFormats = ["csv", "csv_raw", "markdown"] as const
export type TableFormat = typeof tableFormats[number]

/** The text of a table is the head and then the lines of its rows. Without columns, there is no text. */
export const tableText = ({ columns, rows }: Rows, format: TableFormat): string =>
  columns.length === 0 ? "" : tableHead(columns, format) + rows.map((row) => tableLine(row, format)).join("")

export const tableHead = (columns: Rows["columns"], format: TableFormat): string => {
  const names = tableLine(columns.map(({ name }) => name), format)
  return format === "markdown" ? names + line(columns.map(({ type }) => type === "number" ? "---:" : "---")) : names
}

export const tableLine = (row: ReadonlyArray<Cell>, format: TableFormat): string => {
  switch (format) {
    case "csv":
      return rawCsvLine(row.map(withoutFormula))
    case "csv_raw":
      return rawCsvLine(row)
    case "markdown":
      return line(row.map(markdownCell))
  }
}

/**
 * RFC 4180. A line without a character would be skipped by readers. `Csv` of Effect encodes streams alone, and would
 * bring them to the threads and the dashboard.
 */
const rawCsvLine = (row: ReadonlyArray<Cell>): string => `${row.map(csvField).join() || "\"\""}\r\n`

/** Spreadsheets run a text that begins like a formula. */
const withoutFormula = (cell: Cell): Cell =>
  typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) && !isNumber.test(cell) ? `'${cell}` : cell

const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

const csvField = (cell: Cell): string => {
  if (cell === null) return ""
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** A row of a table in GitHub Flavored Markdown. */
const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |\n`

/** A cell makes no HTML, image or link. */
const markdownCell = (cell: Cell): string =>
  cell === null ? "" : String(cell).replace(/[\\|]/g, "\\$&").replaceAll("<", "&lt;")
    .replace(/!(?=\[)|\](?=\()/g, "$&\\").replace(/\r\n|\r|\n/g, "<br>")
