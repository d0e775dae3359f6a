import CliTable from "cli-table3"
import { append } from "../Domain/Lists.ts"
import { sanitize, type Style, type Tone } from "./Output.ts"

export interface Column<A> {
  readonly head: string
  readonly value: (row: A) => string
  readonly tone?: (row: A) => Tone | undefined
  readonly width?: number
}

const gap = 2

const borders =
  "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid " +
  "middle"
const borderless = Object.fromEntries(borders.split(" ").map((name) => [name, ""]))

const layout = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  columns: ReadonlyArray<{ readonly width?: number }> = []
): string => {
  const table = new CliTable({
    chars: borderless,
    style: { "padding-left": 0, "padding-right": gap, head: [], border: [] },
    colWidths: columns.map(({ width }) => width === undefined ? null : width + gap),
    wordWrap: true
  })
  append(table, rows.map((row) => [...row]))
  return table.toString().split("\n").map((text) => text.trimEnd()).join("\n")
}

const cell = <A>({ tone, value }: Column<A>, row: A, style: Style): string => {
  const color = tone?.(row)
  const text = sanitize(value(row))
  return color === undefined ? text : style[color](text)
}

export const table = <A>(columns: ReadonlyArray<Column<A>>, rows: ReadonlyArray<A>, style: Style): string =>
  layout([heads(columns, style), ...cells(columns, rows, style)], columns)

export const moreRows = <A>(columns: ReadonlyArray<Column<A>>, rows: ReadonlyArray<A>, style: Style): string =>
  layout(cells(columns, rows, style), columns)

const heads = <A>(columns: ReadonlyArray<Column<A>>, style: Style) =>
  columns.map(({ head }) => style.bold(head.toUpperCase()))

const cells = <A>(columns: ReadonlyArray<Column<A>>, rows: ReadonlyArray<A>, style: Style) =>
  rows.map((row) => columns.map((column) => cell(column, row, style)))

export const record = <A>(columns: ReadonlyArray<Column<A>>, row: A, style: Style): string =>
  layout(
    columns.map((column) => [style.dim(column.head), cell(column, row, style)] as const)
      .filter(([, text]) => text !== "")
  )
