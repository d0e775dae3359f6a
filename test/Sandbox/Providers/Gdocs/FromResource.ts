import type {
  Block,
  Content,
  Document,
  Inline,
  Segment,
  Tab,
  TableRow
} from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import { contentWidth } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Measure.ts"

/** The state of the sandbox for a document as the provider sends it. */
export const fromResource = (resource: object): Document => {
  const { documentId = "", tabs = [], title = "" } = Object(resource)
  const only: Tab = { ...readContents(resource), tabId: "t.0", title: "Tab 1", children: [] }
  return { documentId, title, revision: 0, minted: 0, tabs: tabs.length > 0 ? tabs.map(readTab) : [only] }
}

const listOf = (value: unknown = []): ReadonlyArray<unknown> => Object(value)

const readTab = (tab: unknown): Tab => {
  const { childTabs, documentTab, tabProperties: { iconEmoji, tabId, title } } = Object(tab)
  return {
    ...readContents(documentTab),
    tabId,
    title,
    ...iconEmoji !== undefined && { iconEmoji },
    children: listOf(childTabs).map(readTab)
  }
}

const readContents = (contents: unknown): Omit<Tab, "tabId" | "title" | "children"> => {
  const { body, footers, footnotes, headers, lists = {}, ...others } = Object(contents)
  const { documentId: _id, revisionId: _revision, suggestionsViewMode: _view, title: _title, ...rest } = others
  return {
    body: readContent(body?.content),
    headers: readSegments(headers, "headerId"),
    footers: readSegments(footers, "footerId"),
    footnotes: readSegments(footnotes, "footnoteId"),
    lists,
    rest
  }
}

const readSegments = (segments: object = {}, idName: string): Readonly<Record<string, Segment>> =>
  Object.fromEntries(
    Object.entries(segments).map(([id, { content, [idName]: _id, ...rest }]) => [
      id,
      { content: readContent(content), rest }
    ])
  )

const readContent = (content: unknown): Content => listOf(content).map(readBlock)

const readBlock = (element: unknown): Block => {
  const { paragraph = {}, sectionBreak, table, tableOfContents } = Object(element)
  if (table !== undefined) {
    const { columns, rows: _rows, tableRows, tableStyle: style = {}, ...rest } = table
    return { kind: "table", columns, rows: listOf(tableRows).map(readRow), style, rest }
  }
  if (sectionBreak !== undefined) return { kind: "sectionBreak", rest: sectionBreak }
  if (tableOfContents !== undefined) {
    const width = 2 + contentWidth(readContent(tableOfContents.content))
    return { kind: "tableOfContents", width, rest: tableOfContents }
  }
  const { bullet, elements, paragraphStyle: style = {}, ...rest } = paragraph
  return {
    kind: "paragraph",
    inlines: listOf(elements).map(readInline),
    style,
    ...bullet !== undefined && { bullet: { nestingLevel: 0, textStyle: {}, ...bullet } },
    rest
  }
}

const readInline = (element: unknown): Inline => {
  const { endIndex = 0, startIndex = 0, textRun, ...thing } = Object(element)
  if (textRun === undefined) return { width: Math.max(1, endIndex - startIndex), element: thing }
  const { content: text, textStyle: style = {}, ...rest } = textRun
  return { text, style, rest }
}

const readRow = (row: unknown): TableRow => {
  const { endIndex: _end, startIndex: _start, tableCells, tableRowStyle: style = {}, ...rest } = Object(row)
  const cells = listOf(tableCells).map((cell) => {
    const { content, endIndex: _end, startIndex: _start, tableCellStyle: style = {}, ...rest } = Object(cell)
    return { content: readContent(content), style, rest }
  })
  return { cells, style, rest }
}
