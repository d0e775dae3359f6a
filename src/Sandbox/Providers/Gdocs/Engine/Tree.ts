import type { Block, Cell, Content, Paragraph, Table, TableRow } from "./Document.ts"
import { blockWidth, cellWidth, contentWidth, rowWidth } from "./Measure.ts"

export type Path = ReadonlyArray<number>

export interface Place {
  readonly paragraph: Paragraph
  readonly start: number
  readonly path: Path
  readonly inTable: boolean
}

export const paragraphAt = (content: Content, index: number, start = 0): Place | undefined => {
  let at = start
  for (const [position, block] of content.entries()) {
    const end = at + blockWidth(block)
    if (index < end) return index < at ? undefined : placeWithin(block, index, at, position)
    at = end
  }
  return undefined
}

const placeWithin = (block: Block, index: number, start: number, position: number): Place | undefined => {
  switch (block.kind) {
    case "paragraph":
      return { paragraph: block, start, path: [position], inTable: false }
    case "sectionBreak":
    case "tableOfContents":
      return undefined
    case "table":
      for (const { cell, column, row, start: cellStart } of cellsOf(block, start)) {
        if (index >= cellStart + 1 && index < cellStart + cellWidth(cell)) {
          return placeBelow(paragraphAt(cell.content, index, cellStart + 1), [position, row, column])
        }
      }
      return undefined
  }
}

const placeBelow = (place: Place | undefined, path: Path): Place | undefined =>
  place === undefined ? undefined : { ...place, path: [...path, ...place.path], inTable: true }

export function* cellsOf(table: Table, start: number): Generator<{
  readonly cell: Cell
  readonly row: number
  readonly column: number
  readonly start: number
}> {
  let rowStart = start + 1
  for (const [row, { cells }] of table.rows.entries()) {
    let cellStart = rowStart + 1
    for (const [column, cell] of cells.entries()) {
      yield { cell, row, column, start: cellStart }
      cellStart += cellWidth(cell)
    }
    rowStart = cellStart
  }
}

export const replaceAt = (content: Content, [position = 0, ...inner]: Path, blocks: Content): Content => {
  const block = content[position]
  if (block === undefined) return content
  const replaced = inner.length === 0 ? blocks : [replaceInside(block, inner, blocks)]
  return [...content.slice(0, position), ...replaced, ...content.slice(position + 1)]
}

const replaceInside = (block: Block, path: Path, blocks: Content): Block => {
  if (block.kind !== "table") return block
  const [rowAt, columnAt, ...inner] = path
  return mapCells(
    block,
    (cell, row, column) =>
      row === rowAt && column === columnAt ? { ...cell, content: replaceAt(cell.content, inner, blocks) } : cell
  )
}

export const mapCells = (table: Table, change: (cell: Cell, row: number, column: number) => Cell): Table => ({
  ...table,
  rows: table.rows.map((row, rowAt): TableRow => ({
    ...row,
    cells: row.cells.map((cell, column) => change(cell, rowAt, column))
  }))
})

export const mapParagraphs = (
  content: Content,
  [from, to]: readonly [from: number, to: number],
  change: (paragraph: Paragraph, start: number) => Paragraph,
  start = 0
): Content => {
  let at = start
  return content.map((block) => {
    const blockStart = at
    at += blockWidth(block)
    if (at <= from || blockStart >= to) return block
    switch (block.kind) {
      case "paragraph":
        return change(block, blockStart)
      case "sectionBreak":
      case "tableOfContents":
        return block
      case "table": {
        const starts = [...cellsOf(block, blockStart)].map((cell) => cell.start)
        return mapCells(block, (cell) => ({
          ...cell,
          content: mapParagraphs(cell.content, [from, to], change, (starts.shift() ?? 0) + 1)
        }))
      }
    }
  })
}

export const paragraphBefore = (content: Content, [position = 0, ...inner]: Path): Paragraph | undefined => {
  const block = content[inner.length === 0 ? position - 1 : position]
  if (inner.length === 0) return block?.kind === "paragraph" ? block : undefined
  const [row = 0, column = 0, ...deeper] = inner
  return block?.kind === "table" ? paragraphBefore(block.rows[row]?.cells[column]?.content ?? [], deeper) : undefined
}

export const endOf = (content: Content, start = 0): number => start + contentWidth(content)

export const startsOfRows = (table: Table, start: number): ReadonlyArray<number> => {
  let at = start + 1
  return table.rows.map((row) => {
    const rowStart = at
    at += rowWidth(row)
    return rowStart
  })
}
