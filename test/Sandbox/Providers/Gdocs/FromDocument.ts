import { items, type Json, number, props, text, without } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import type {
  Block,
  Bullet,
  Cell,
  Content,
  DocumentState,
  Inline,
  Paragraph,
  Props,
  Row,
  Segment,
  Tab,
  Table
} from "../../../../src/Sandbox/Providers/Gdocs/Engine/State.ts"

/** A document as `documents.get` answers it, with or without tabs, taken into the model. Indexes are worked out anew. */
export const fromDocument = (document: Props): DocumentState => {
  const tabs = items(document["tabs"]).map((tab) => readTab(props(tab)))
  return {
    documentId: text(document["documentId"]),
    title: text(document["title"]),
    revision: 0,
    minted: 0,
    tabs: tabs.length > 0 ? tabs : [{ ...readContents(document), tabId: "t.0", title: "Tab 1", children: [] }]
  }
}

const readTab = (tab: Props): Tab => {
  const { iconEmoji, tabId, title } = props(tab["tabProperties"])
  return {
    ...readContents(props(tab["documentTab"])),
    tabId: text(tabId),
    title: text(title),
    ...(iconEmoji === undefined ? {} : { iconEmoji: text(iconEmoji) }),
    children: items(tab["childTabs"]).map((child) => readTab(props(child)))
  }
}

const readContents = (contents: Props): Omit<Tab, "tabId" | "title" | "children"> => ({
  body: readContent(props(contents["body"])["content"]),
  headers: readSegments(contents["headers"], "headerId"),
  footers: readSegments(contents["footers"], "footerId"),
  footnotes: readSegments(contents["footnotes"], "footnoteId"),
  lists: mapValues(props(contents["lists"]), props),
  rest: without(
    contents,
    "body",
    "headers",
    "footers",
    "footnotes",
    "lists",
    "title",
    "documentId",
    "revisionId",
    "suggestionsViewMode"
  )
})

const mapValues = <A>(value: Props, change: (member: Json) => A): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))

const readSegments = (segments: Json | undefined, idName: string): Readonly<Record<string, Segment>> =>
  mapValues(props(segments), (segment) => ({
    content: readContent(props(segment)["content"]),
    rest: without(props(segment), "content", idName)
  }))

const readContent = (content: Json | undefined): Content => items(content).map((element) => readBlock(props(element)))

const readBlock = (element: Props): Block => {
  if (element["table"] !== undefined) return readTable(props(element["table"]))
  if (element["sectionBreak"] !== undefined) return { kind: "sectionBreak", rest: props(element["sectionBreak"]) }
  if (element["tableOfContents"] !== undefined) {
    const contents = props(element["tableOfContents"])
    return { kind: "tableOfContents", content: readContent(contents["content"]), rest: without(contents, "content") }
  }
  return readParagraph(props(element["paragraph"]))
}

const readParagraph = (paragraph: Props): Paragraph => {
  const bullet = paragraph["bullet"]
  return {
    kind: "paragraph",
    inlines: items(paragraph["elements"]).map((element) => readInline(props(element))),
    style: props(paragraph["paragraphStyle"]),
    ...(bullet === undefined ? {} : { bullet: readBullet(props(bullet)) }),
    rest: without(paragraph, "elements", "paragraphStyle", "bullet")
  }
}

const readBullet = (bullet: Props): Bullet => ({
  listId: text(bullet["listId"]),
  nestingLevel: number(bullet["nestingLevel"]),
  textStyle: props(bullet["textStyle"])
})

const readInline = (element: Props): Inline => {
  const { endIndex, startIndex, textRun, ...thing } = element
  if (textRun === undefined) return { width: Math.max(1, number(endIndex) - number(startIndex)), element: thing }
  const run = props(textRun)
  return {
    text: text(run["content"]),
    style: props(run["textStyle"]),
    rest: without(run, "content", "textStyle")
  }
}

const readTable = (table: Props): Table => ({
  kind: "table",
  columns: number(table["columns"]),
  rows: items(table["tableRows"]).map((row) => readRow(props(row))),
  style: props(table["tableStyle"]),
  rest: without(table, "rows", "columns", "tableRows", "tableStyle")
})

const readRow = (row: Props): Row => ({
  cells: items(row["tableCells"]).map((cell) => readCell(props(cell))),
  style: props(row["tableRowStyle"]),
  rest: without(row, "startIndex", "endIndex", "tableCells", "tableRowStyle")
})

const readCell = (cell: Props): Cell => ({
  content: readContent(cell["content"]),
  style: props(cell["tableCellStyle"]),
  rest: without(cell, "startIndex", "endIndex", "content", "tableCellStyle")
})
