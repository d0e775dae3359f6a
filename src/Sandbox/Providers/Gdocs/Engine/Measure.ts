import { type Block, type Cell, type Content, type Inline, isRun, type Row } from "./State.ts"

/*
 * Widths in UTF-16 code units. A section break takes one, a table one for itself, one for each row and each cell before
 * their content, and one after its last row; a table of contents one before and one after its content.
 */

export const widthOfInline = (inline: Inline): number => isRun(inline) ? inline.text.length : inline.width

export const widthOfInlines = (inlines: ReadonlyArray<Inline>): number =>
  inlines.reduce((width, inline) => width + widthOfInline(inline), 0)

export const widthOfCell = (cell: Cell): number => 1 + widthOf(cell.content)

export const widthOfRow = (row: Row): number => row.cells.reduce((width, cell) => width + widthOfCell(cell), 1)

/** A block never changes, so its width is worked out once. */
const widths = new WeakMap<Block, number>()

export const widthOfBlock = (block: Block): number => {
  const known = widths.get(block)
  if (known !== undefined) return known
  const width = measure(block)
  widths.set(block, width)
  return width
}

const measure = (block: Block): number => {
  switch (block.kind) {
    case "paragraph":
      return widthOfInlines(block.inlines)
    case "table":
      return block.rows.reduce((width, row) => width + widthOfRow(row), 2)
    case "tableOfContents":
      return 2 + widthOf(block.content)
    case "sectionBreak":
      return 1
  }
}

export const widthOf = (content: Content): number => content.reduce((width, block) => width + widthOfBlock(block), 0)
