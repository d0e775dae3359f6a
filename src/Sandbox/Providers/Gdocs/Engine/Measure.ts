import { memoize } from "effect/Function"
import { type Block, type Cell, type Content, type Inline, isTextRun, type TableRow } from "./Document.ts"

/*
 * Widths in UTF-16 code units. A section break is 1 wide. A table adds 1 at its start, 1 at its end, and 1 for each row
 * and cell.
 */

export const inlineWidth = (inline: Inline): number => isTextRun(inline) ? inline.text.length : inline.width

export const inlinesWidth = (inlines: ReadonlyArray<Inline>): number =>
  inlines.reduce((width, inline) => width + inlineWidth(inline), 0)

export const cellWidth = (cell: Cell): number => 1 + contentWidth(cell.content)

export const rowWidth = (row: TableRow): number => row.cells.reduce((width, cell) => width + cellWidth(cell), 1)

export const blockWidth: (block: Block) => number = memoize((block) => {
  switch (block.kind) {
    case "paragraph":
      return inlinesWidth(block.inlines)
    case "table":
      return block.rows.reduce((width, row) => width + rowWidth(row), 2)
    case "tableOfContents":
      return block.width
    case "sectionBreak":
      return 1
  }
})

export const contentWidth = (content: Content): number => content.reduce((width, block) => width + blockWidth(block), 0)
