import type { Table, TableCell as Cell, TableRow as Row } from "mdast"
import { maxOf } from "../../../Domain/Lists.ts"
import type { StructuralElement, Table as TableElement, TableCell } from "../Responses.ts"
import { type Inline, lineBreak, markLineBreaks, noMarks, paragraphInlines, type ReadContext } from "./Inlines.ts"
import type { ItemNumbers } from "./Numbering.ts"
import { phrasingOf } from "./Phrasing.ts"
import { isInserted, joinParagraphs } from "./Suggestions.ts"

export const visibleCells = (
  table: TableElement,
  tab: ReadContext
): ReadonlyArray<ReadonlyArray<TableCell>> | undefined => {
  const hidden = (part: TableElement | TableCell) => tab.suggestions === "hide" && isInserted(part)
  return hidden(table)
    ? undefined
    : (table.tableRows ?? []).filter((row) => !hidden(row))
      .map((row) => (row.tableCells ?? []).filter((cell) => !hidden(cell)))
}

export const readTable = (table: TableElement, tab: ReadContext, numberItem: ItemNumbers): Table | undefined => {
  const rows = visibleCells(table, tab)
  if (rows === undefined) return undefined
  const width = maxOf(rows.map((cells) => cells.length), Math.min(table.columns ?? 0, maxEmptyColumns))
  if (rows.length === 0 || width === 0) return undefined
  const grid = alignColumns(rows, width)
  return {
    type: "table",
    align: Array.from({ length: width }, (_, column) => alignmentOf(grid.map((row) => row[column]))),
    children: grid.map((cells, index) =>
      rowOf(cells.map((cell) => cellInlines(cell?.content ?? [], tab, numberItem)), index === 0)
    )
  }
}

const maxEmptyColumns = 200

/**
 * Puts cells in their columns. The provider either lists the cells below a merged cell as empty or leaves them out.
 * Then the row is shorter than the table.
 */
const alignColumns = (
  rows: ReadonlyArray<ReadonlyArray<TableCell>>,
  width: number
): ReadonlyArray<ReadonlyArray<TableCell | undefined>> => {
  const coveredRows = Array.from({ length: width }, () => 0)
  return rows.map((cells) => {
    const isWhole = cells.length === width
    const waiting = [...cells]
    const row: Array<TableCell | undefined> = []
    while (row.length < width) {
      const column = row.length
      const above = coveredRows[column] ?? 0
      if (above > 0) {
        coveredRows[column] = above - 1
        row.push(isWhole ? waiting.shift() : undefined)
        continue
      }
      const cell = waiting.shift()
      const { columnSpan = 1, rowSpan = 1 } = cell?.tableCellStyle ?? {}
      for (let at = column; at < Math.min(width, column + columnSpan); at++) {
        coveredRows[at] = rowSpan - 1
        row.push(at === column ? cell : isWhole ? waiting.shift() : undefined)
      }
    }
    return row
  })
}

const alignmentOf = (column: ReadonlyArray<TableCell | undefined>): "center" | "right" | null => {
  const [head, ...body] = column
  const alignments = new Set((body.length === 0 ? [head] : body).map(alignmentIn))
  const [alignment, ...others] = alignments
  if (others.length > 0) return null
  return alignment === "CENTER" ? "center" : alignment === "END" ? "right" : null
}

const alignmentIn = (cell: TableCell | undefined): string =>
  cell?.content?.[0]?.paragraph?.paragraphStyle?.alignment ?? "START"

const rowOf = (contents: ReadonlyArray<ReadonlyArray<Inline>>, isHead: boolean): Row => {
  const bold = isHead && contents.every((inlines) => inlines.every(isStrong))
  return {
    type: "tableRow",
    children: contents.map((inlines): Cell => ({
      type: "tableCell",
      children: phrasingOf(bold ? inlines.map(withoutStrong) : inlines)
    }))
  }
}

const isStrong = (inline: Inline): boolean =>
  inline.kind !== "text" || inline.marks.strong || inline.value.trim() === ""

const withoutStrong = (inline: Inline): Inline =>
  inline.kind === "node" ? inline : { ...inline, marks: { ...inline.marks, strong: false } }

const cellInlines = (
  content: ReadonlyArray<StructuralElement>,
  tab: ReadContext,
  numberItem: ItemNumbers
): ReadonlyArray<Inline> => {
  const lines = joinParagraphs(content, tab.suggestions).flatMap(
    ({ paragraph, table }): ReadonlyArray<ReadonlyArray<Inline>> => {
      if (table !== undefined) return nestedLines(table, tab, numberItem)
      if (paragraph === undefined) return []
      const inlines = paragraphInlines(paragraph, tab)
      const rules = (paragraph.elements ?? []).filter(({ horizontalRule }) => horizontalRule !== undefined)
      if (paragraph.bullet === undefined) return [...rules.map(() => [text("———")]), inlines]
      const { checkbox, number } = numberItem(paragraph.bullet)
      return [[text(number === undefined ? checkbox ? "☐ " : "• " : `${number}. `), ...inlines]]
    }
  )
  const first = lines.findIndex((line) => line.length > 0)
  return first === -1 ? [] : joinLines(lines.slice(first, lines.findLastIndex((line) => line.length > 0) + 1))
}

const nestedLines = (
  table: TableElement,
  tab: ReadContext,
  numberItem: ItemNumbers
): ReadonlyArray<ReadonlyArray<Inline>> =>
  (visibleCells(table, tab) ?? []).map((cells) =>
    cells.map((cell) => cellInlines(cell.content ?? [], tab, numberItem)).filter((inlines) => inlines.length > 0)
      .flatMap((inlines, index) => index === 0 ? inlines : [text(" / "), ...inlines])
  )

const joinLines = (lines: ReadonlyArray<ReadonlyArray<Inline>>): ReadonlyArray<Inline> =>
  markLineBreaks(
    lines.flatMap((line, index): ReadonlyArray<Inline> => index === 0 ? line : [lineBreak, ...line])
  )

const text = (value: string): Inline => ({ kind: "text", value, marks: noMarks })
