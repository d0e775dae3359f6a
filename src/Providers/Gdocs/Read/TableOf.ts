import type { PhrasingContent, Table, TableCell as Cell, TableRow as Row } from "mdast"
import { type Atom, atomsOf, bridged, noMarks, type ReadingTab } from "./Atoms.ts"
import type { StructuralElement, Table as TableAnswer, TableCell } from "./DocumentAnswer.ts"
import { makeNumbering } from "./Numbering.ts"
import { phrasingOf } from "./Phrasing.ts"
import { isInserted } from "./Suggestions.ts"

/** A table as GFM has it: one line a cell, every row as wide as the table, merged cells padded with empty ones. */
export const tableOf = (table: TableAnswer, tab: ReadingTab): Table | undefined => {
  const hidden = (part: TableAnswer | TableCell) => tab.suggestions === "hide" && isInserted(part)
  if (hidden(table)) return undefined
  const rows = (table.tableRows ?? []).filter((row) => !hidden(row))
    .map((row) => (row.tableCells ?? []).filter((cell) => !hidden(cell)))
  const width = Math.max(table.columns ?? 0, ...rows.map((cells) => cells.length))
  if (rows.length === 0 || width === 0) return undefined
  const grid = spread(rows, width)
  return {
    type: "table",
    align: Array.from({ length: width }, (_, column) => alignmentOf(grid.map((row) => row[column]))),
    children: grid.map((cells, index) => rowOf(cells, index === 0, tab))
  }
}

/**
 * Cells in their columns. What a merged cell covers is there as empty cells, or is left out; then the row is shorter than
 * the table, and its cells stand further to the right.
 */
const spread = (
  rows: ReadonlyArray<ReadonlyArray<TableCell>>,
  width: number
): ReadonlyArray<ReadonlyArray<TableCell | undefined>> => {
  /** How many more rows of each column are covered from above. */
  const covered = Array.from({ length: width }, () => 0)
  return rows.map((cells) => {
    const isWhole = cells.length === width
    const waiting = [...cells]
    const row: Array<TableCell | undefined> = []
    while (row.length < width) {
      const column = row.length
      const above = covered[column] ?? 0
      if (above > 0) {
        covered[column] = above - 1
        row.push(isWhole ? waiting.shift() : undefined)
        continue
      }
      const cell = waiting.shift()
      const { columnSpan = 1, rowSpan = 1 } = cell?.tableCellStyle ?? {}
      for (let at = column; at < Math.min(width, column + columnSpan); at++) {
        covered[at] = rowSpan - 1
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

const rowOf = (cells: ReadonlyArray<TableCell | undefined>, isHead: boolean, tab: ReadingTab): Row => {
  const contents = cells.map((cell) => cellAtoms(cell?.content ?? [], tab))
  const bold = isHead && contents.every((atoms) => atoms.every(isStrong))
  return {
    type: "tableRow",
    children: contents.map((atoms): Cell => ({
      type: "tableCell",
      children: cellPhrasing(bold ? atoms.map(notStrong) : atoms)
    }))
  }
}

const cellPhrasing = (atoms: ReadonlyArray<Atom>): Array<PhrasingContent> => phrasingOf(atoms)

/** The head of a table is bold anyway. */
const isStrong = (atom: Atom): boolean => atom.kind !== "text" || atom.marks.strong || atom.value.trim() === ""

const notStrong = (atom: Atom): Atom =>
  atom.kind === "whole" ? atom : { ...atom, marks: { ...atom.marks, strong: false } }

/** A cell's paragraphs with a line break between; a table in the cell is a line a row. */
const cellAtoms = (content: ReadonlyArray<StructuralElement>, tab: ReadingTab): ReadonlyArray<Atom> => {
  const mark = makeNumbering(tab.contents)
  const lines = content.flatMap(({ paragraph, table }): ReadonlyArray<ReadonlyArray<Atom>> => {
    if (table !== undefined) return nestedLines(table, tab)
    if (paragraph === undefined) return []
    const atoms = atomsOf(paragraph.elements ?? [], tab)
    if (paragraph.bullet === undefined) return [atoms]
    const { checkbox, number } = mark(paragraph.bullet)
    return [[text(number === undefined ? checkbox ? "☐ " : "• " : `${number}. `), ...atoms]]
  })
  const first = lines.findIndex((line) => line.length > 0)
  return first === -1 ? [] : joined(lines.slice(first, lines.findLastIndex((line) => line.length > 0) + 1))
}

const nestedLines = (table: TableAnswer, tab: ReadingTab): ReadonlyArray<ReadonlyArray<Atom>> =>
  (table.tableRows ?? []).map(({ tableCells = [] }) =>
    tableCells.map((cell) => cellAtoms(cell.content ?? [], tab)).filter((atoms) => atoms.length > 0)
      .flatMap((atoms, index) => index === 0 ? atoms : [text(" / "), ...atoms])
  )

const joined = (lines: ReadonlyArray<ReadonlyArray<Atom>>): ReadonlyArray<Atom> =>
  bridged(
    lines.flatMap((line, index): ReadonlyArray<Atom> =>
      index === 0 ? line : [{ kind: "break", marks: noMarks }, ...line]
    )
  )

const text = (value: string): Atom => ({ kind: "text", value, marks: noMarks })
