import { type Block, type Content, isTextRun, type Paragraph, type Table } from "./Document.ts"
import { asString, isObject, type Json, type JsonObject } from "./Json.ts"
import { blockWidth, cellWidth, inlineWidth } from "./Measure.ts"
import { cellsOf, startsOfRows } from "./Tree.ts"

export const structuralElements = (content: Content, start = 0): ReadonlyArray<JsonObject> => {
  let at = start
  return content.map((block) => {
    const blockStart = at
    at += blockWidth(block)
    return { ...indexes(blockStart, at), ...blockFields(block, blockStart) }
  })
}

const indexes = (startIndex: number, endIndex: number): JsonObject =>
  startIndex === 0 ? { endIndex } : { startIndex, endIndex }

const blockFields = (block: Block, start: number): JsonObject => {
  switch (block.kind) {
    case "paragraph":
      return { paragraph: paragraphResource(block, start) }
    case "table":
      return { table: tableResource(block, start) }
    case "tableOfContents":
      return { tableOfContents: block.rest }
    case "sectionBreak":
      return { sectionBreak: block.rest }
  }
}

const paragraphResource = ({ bullet, inlines, rest, style }: Paragraph, start: number): JsonObject => {
  let at = start
  return {
    elements: inlines.map((inline) => {
      const from = at
      at += inlineWidth(inline)
      return {
        ...indexes(from, at),
        ...(isTextRun(inline)
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

const tableResource = (table: Table, start: number): JsonObject => {
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
        endIndex: inRow.reduce((end, { cell }) => end + cellWidth(cell), startIndex + 1),
        tableCells: inRow.map(({ cell, start: cellStart }) => ({
          startIndex: cellStart,
          endIndex: cellStart + cellWidth(cell),
          content: structuralElements(cell.content, cellStart + 1),
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

/** A one-tab document that is read without tabs has links of an older form. */
export const legacyLinks = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === "link" ? legacyLink(member) : legacyLinksIn(member)])
  )

const legacyLinksIn = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(legacyLinksIn)
  return isObject(value) ? legacyLinks(value) : value
}

const legacyLink = (link: Json): Json => {
  if (!isObject(link)) return link
  const { bookmark, heading, ...rest } = link
  if (isObject(heading)) return { ...rest, headingId: asString(heading["id"]) }
  return isObject(bookmark) ? { ...rest, bookmarkId: asString(bookmark["id"]) } : link
}
