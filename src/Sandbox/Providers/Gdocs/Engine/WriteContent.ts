import { isProps, type Json, text } from "./Json.ts"
import { widthOfBlock, widthOfCell, widthOfInline } from "./Measure.ts"
import { type Block, type Content, isRun, type Paragraph, type Props, type Table } from "./State.ts"
import { cellsOf, startsOfRows } from "./Tree.ts"

/** `StructuralElement[]`, with the indexes that follow from the content; an index of 0 is left out. */
export const writeContent = (content: Content, start = 0): ReadonlyArray<Props> => {
  let at = start
  return content.map((block) => {
    const blockStart = at
    at += widthOfBlock(block)
    return { ...indexes(blockStart, at), ...writeBlock(block, blockStart) }
  })
}

const indexes = (startIndex: number, endIndex: number): Props =>
  startIndex === 0 ? { endIndex } : { startIndex, endIndex }

const writeBlock = (block: Block, start: number): Props => {
  switch (block.kind) {
    case "paragraph":
      return { paragraph: writeParagraph(block, start) }
    case "table":
      return { table: writeTable(block, start) }
    case "tableOfContents":
      return { tableOfContents: { content: writeContent(block.content, start + 1), ...block.rest } }
    case "sectionBreak":
      return { sectionBreak: block.rest }
  }
}

const writeParagraph = ({ bullet, inlines, rest, style }: Paragraph, start: number): Props => {
  let at = start
  return {
    elements: inlines.map((inline) => {
      const from = at
      at += widthOfInline(inline)
      return {
        ...indexes(from, at),
        ...(isRun(inline)
          ? { textRun: { content: inline.text, textStyle: inline.style, ...inline.rest } }
          : inline.element)
      }
    }),
    paragraphStyle: style,
    ...(bullet === undefined ? {} : {
      bullet: {
        listId: bullet.listId,
        ...(bullet.nestingLevel === 0 ? {} : { nestingLevel: bullet.nestingLevel }),
        textStyle: bullet.textStyle
      }
    }),
    ...rest
  }
}

const writeTable = (table: Table, start: number): Props => {
  const cells = [...cellsOf(table, start)]
  const rowStarts = startsOfRows(table, start)
  return {
    rows: table.rows.length,
    columns: table.columns,
    tableRows: table.rows.map((row, rowAt) => {
      const inRow = cells.filter((cell) => cell.row === rowAt)
      const startIndex = rowStarts[rowAt] ?? start
      return {
        startIndex,
        endIndex: inRow.reduce((end, { cell }) => end + widthOfCell(cell), startIndex + 1),
        tableCells: inRow.map(({ cell, start: cellStart }) => ({
          startIndex: cellStart,
          endIndex: cellStart + widthOfCell(cell),
          content: writeContent(cell.content, cellStart + 1),
          tableCellStyle: cell.style,
          ...cell.rest
        })),
        tableRowStyle: row.style,
        ...row.rest
      }
    }),
    tableStyle: table.style,
    ...table.rest
  }
}

/** In a document of one tab read without tabs, links to headings and bookmarks have their older form. */
export const legacyLinks = (value: Props): Props =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === "link" ? legacyLink(member) : each(member)])
  )

const each = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(each)
  return isProps(value) ? legacyLinks(value) : value
}

const legacyLink = (link: Json): Json => {
  if (!isProps(link)) return link
  const { bookmark, heading, ...rest } = link
  if (isProps(heading)) return { ...rest, headingId: text(heading["id"]) }
  return isProps(bookmark) ? { ...rest, bookmarkId: text(bookmark["id"]) } : link
}
