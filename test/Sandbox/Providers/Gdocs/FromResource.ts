import type {
  Block,
  Bullet,
  Cell,
  Content,
  Document,
  Inline,
  Paragraph,
  Segment,
  Tab,
  Table,
  TableRow
} from "../../../../src/Sandbox/Providers/Gdocs/Engine/Document.ts"
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type Json,
  type JsonObject,
  without
} from "../../../../src/Sandbox/Providers/Gdocs/Engine/Json.ts"
import { contentWidth } from "../../../../src/Sandbox/Providers/Gdocs/Engine/Measure.ts"

export const fromResource = (document: JsonObject): Document => {
  const tabs = asArray(document["tabs"]).map((tab) => readTab(asObject(tab)))
  return {
    documentId: asString(document["documentId"]),
    title: asString(document["title"]),
    revision: 0,
    minted: 0,
    tabs: tabs.length > 0 ? tabs : [{ ...readContents(document), tabId: "t.0", title: "Tab 1", children: [] }]
  }
}

const readTab = (tab: JsonObject): Tab => {
  const { iconEmoji, tabId, title } = asObject(tab["tabProperties"])
  return {
    ...readContents(asObject(tab["documentTab"])),
    tabId: asString(tabId),
    title: asString(title),
    ...(iconEmoji === undefined ? {} : { iconEmoji: asString(iconEmoji) }),
    children: asArray(tab["childTabs"]).map((child) => readTab(asObject(child)))
  }
}

const readContents = (contents: JsonObject): Omit<Tab, "tabId" | "title" | "children"> => ({
  body: readContent(asObject(contents["body"])["content"]),
  headers: readSegments(contents["headers"], "headerId"),
  footers: readSegments(contents["footers"], "footerId"),
  footnotes: readSegments(contents["footnotes"], "footnoteId"),
  lists: mapValues(asObject(contents["lists"]), asObject),
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

const mapValues = <A>(value: JsonObject, change: (member: Json) => A): Readonly<Record<string, A>> =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]))

const readSegments = (segments: Json | undefined, idName: string): Readonly<Record<string, Segment>> =>
  mapValues(asObject(segments), (segment) => ({
    content: readContent(asObject(segment)["content"]),
    rest: without(asObject(segment), "content", idName)
  }))

const readContent = (content: Json | undefined): Content =>
  asArray(content).map((element) => readBlock(asObject(element)))

const readBlock = (element: JsonObject): Block => {
  if (element["table"] !== undefined) return readTable(asObject(element["table"]))
  if (element["sectionBreak"] !== undefined) return { kind: "sectionBreak", rest: asObject(element["sectionBreak"]) }
  if (element["tableOfContents"] !== undefined) {
    const rest = asObject(element["tableOfContents"])
    return { kind: "tableOfContents", width: 2 + contentWidth(readContent(rest["content"])), rest }
  }
  return readParagraph(asObject(element["paragraph"]))
}

const readParagraph = (paragraph: JsonObject): Paragraph => {
  const bullet = paragraph["bullet"]
  return {
    kind: "paragraph",
    inlines: asArray(paragraph["elements"]).map((element) => readInline(asObject(element))),
    style: asObject(paragraph["paragraphStyle"]),
    ...(bullet === undefined ? {} : { bullet: readBullet(asObject(bullet)) }),
    rest: without(paragraph, "elements", "paragraphStyle", "bullet")
  }
}

const readBullet = (bullet: JsonObject): Bullet => ({
  listId: asString(bullet["listId"]),
  nestingLevel: asNumber(bullet["nestingLevel"]),
  textStyle: asObject(bullet["textStyle"])
})

const readInline = (element: JsonObject): Inline => {
  const { endIndex, startIndex, textRun, ...thing } = element
  if (textRun === undefined) return { width: Math.max(1, asNumber(endIndex) - asNumber(startIndex)), element: thing }
  const run = asObject(textRun)
  return {
    text: asString(run["content"]),
    style: asObject(run["textStyle"]),
    rest: without(run, "content", "textStyle")
  }
}

const readTable = (table: JsonObject): Table => ({
  kind: "table",
  columns: asNumber(table["columns"]),
  rows: asArray(table["tableRows"]).map((row) => readRow(asObject(row))),
  style: asObject(table["tableStyle"]),
  rest: without(table, "rows", "columns", "tableRows", "tableStyle")
})

const readRow = (row: JsonObject): TableRow => ({
  cells: asArray(row["tableCells"]).map((cell) => readCell(asObject(cell))),
  style: asObject(row["tableRowStyle"]),
  rest: without(row, "startIndex", "endIndex", "tableCells", "tableRowStyle")
})

const readCell = (cell: JsonObject): Cell => ({
  content: readContent(cell["content"]),
  style: asObject(cell["tableCellStyle"]),
  rest: without(cell, "startIndex", "endIndex", "content", "tableCellStyle")
})
