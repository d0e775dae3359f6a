import type {
  BlockContent,
  Code,
  DefinitionContent,
  FootnoteDefinition,
  Html,
  List as ListNode,
  ListItem as ListItemNode,
  RootContent,
  Table as TableNode
} from "mdast"
import {
  type Block,
  emptyLine,
  grouped,
  type Line,
  type List,
  type ListKind,
  type ListLine,
  type Look,
  type NamedStyle,
  plain,
  type Table
} from "./Blocks.ts"
import { continueLists } from "./ContinueLists.ts"
import { definitionsOf, type Destination, isComment, lineFrom, linesOf, type Reading } from "./Lines.ts"
import { parseMarkdown } from "./Parse.ts"
import { normalizeText } from "./Text.ts"
import type { Unsupported } from "./Unsupported.ts"

type Flow = RootContent | BlockContent | DefinitionContent

/** Where a block stands: how deep in quotes, below how many levels of items, and how deep in quotes in the last item. */
interface Context {
  readonly quotes: number
  readonly items: number
  readonly innerQuotes: number
}

const lookIn = ({ innerQuotes, items, quotes }: Context): Look => ({ ...plain, items, quotes: quotes + innerQuotes })

const namedStyles: Readonly<Record<1 | 2 | 3 | 4 | 5 | 6, NamedStyle>> = {
  1: "HEADING_1",
  2: "HEADING_2",
  3: "HEADING_3",
  4: "HEADING_4",
  5: "HEADING_5",
  6: "HEADING_6"
}

/** `ListProperties`: nine levels. */
const deepestLevel = 8

/** Markdown as the blocks of a document. */
export const blocksFromMarkdown = (
  markdown: string,
  destination: Destination,
  unsupported: Unsupported
): ReadonlyArray<Block> => {
  const root = parseMarkdown(markdown)
  const reading: Reading = { definitions: definitionsOf(root), destination, unsupported }
  return continueLists(grouped(flow(root.children, { quotes: 0, items: 0, innerQuotes: 0 }, reading)))
}

const flow = (nodes: ReadonlyArray<Flow>, context: Context, reading: Reading): ReadonlyArray<Block> => {
  const shown = nodes.filter((node) => node.type !== "definition" && (node.type !== "html" || !isComment(node.value)))
  return shown.flatMap((node, position) => [
    ...(merges(shown[position - 1], node) ? [{ kind: "paragraphs" as const, lines: [emptyLine] }] : []),
    ...blocksOf(node, context, reading)
  ])
}

/** Two quotes, or two blocks of code, that stand next to each other would become one without something between them. */
const merges = (before: Flow | undefined, node: Flow): boolean =>
  before?.type === node.type && (node.type === "code" || node.type === "blockquote")

const blocksOf = (node: Flow, context: Context, reading: Reading): ReadonlyArray<Block> => {
  const look = lookIn(context)
  switch (node.type) {
    case "paragraph":
      return paragraphs([lineFrom(node.children, look, reading)])
    case "heading":
      return paragraphs([lineFrom(node.children, { ...look, named: namedStyles[node.depth] }, reading)])
    case "thematicBreak":
      return [{ kind: "paragraphs", lines: [{ text: "", runs: [], look: { ...look, kind: "rule" } }] }]
    case "code":
      return code(node, look, reading.unsupported)
    case "html":
      return html(node, look, reading.unsupported)
    case "blockquote":
      return flow(node.children, quoted(context), reading)
    case "list": {
      if (context.innerQuotes > 0) reading.unsupported.add("quote around a list in an item", "")
      const list = listOf(node, { ...context, innerQuotes: 0 }, reading)
      return context.items > 0 && isBlank(list.lines) ? [] : [list]
    }
    case "table":
      if (look.quotes > 0) reading.unsupported.add("quote around a table", "")
      return [tableOf(node, reading)]
    case "footnoteDefinition":
      return footnote(node, context, reading)
    default:
      return []
  }
}

/** Items are indented by their list, so that a quote around them shows only from outside of the list. */
const quoted = (context: Context): Context =>
  context.items === 0
    ? { ...context, quotes: context.quotes + 1 }
    : { ...context, innerQuotes: context.innerQuotes + 1 }

/** A paragraph without text is none. */
const paragraphs = (lines: ReadonlyArray<Line>): ReadonlyArray<Block> => {
  const kept = lines.filter(({ text }) => text !== "")
  return kept.length === 0 ? [] : [{ kind: "paragraphs", lines: kept }]
}

const code = ({ lang, value }: Code, look: Look, unsupported: Unsupported): ReadonlyArray<Block> => {
  if (typeof lang === "string" && lang !== "") unsupported.add("code language", lang)
  if (value.trim() === "") return []
  const lines = normalizeText(value).replaceAll("\u000B", "\n").replace(/^(?:[ \t]*\n)+|(?:\n[ \t]*)+$/g, "").split(
    "\n"
  )
  return [{ kind: "paragraphs", lines: lines.map((text) => codeLine(text, look)) }]
}

const codeLine = (text: string, look: Look): Line => ({
  text,
  runs: text === "" ? [] : [{ start: 0, end: text.length, marks: { code: true } }],
  look: { ...look, kind: "code" }
})

const html = ({ value }: Html, look: Look, unsupported: Unsupported): ReadonlyArray<Block> => {
  if (/^\s*<br\s*\/?>\s*$/i.test(value)) return []
  unsupported.add("raw HTML", value)
  return paragraphs(normalizeText(value).split("\n").map((text) => ({ text: text.trim(), runs: [], look })))
}

const footnote = ({ children, identifier, label }: FootnoteDefinition, context: Context, reading: Reading) => {
  const name = `[^${label ?? identifier}]: `
  reading.unsupported.add("footnote", label ?? identifier)
  const [first, ...rest] = flow(children, context, reading)
  if (first?.kind !== "paragraphs") {
    return [
      ...paragraphs([{ text: name.trim(), runs: [], look: lookIn(context) }]),
      ...(first === undefined ? [] : [first]),
      ...rest
    ]
  }
  const [line = emptyLine, ...lines] = first.lines
  return [{ kind: "paragraphs" as const, lines: [prefixed(name, line), ...lines] }, ...rest]
}

const prefixed = (prefix: string, { look, runs, text }: Line): Line => ({
  text: prefix + text,
  runs: runs.map(({ end, marks, start }) => ({ start: start + prefix.length, end: end + prefix.length, marks })),
  look
})

const kindOf = ({ ordered }: ListNode, { checked }: ListItemNode): ListKind =>
  ordered === true ? "number" : typeof checked === "boolean" ? "checkbox" : "bullet"

const listOf = (node: ListNode, context: Context, reading: Reading): List => {
  const [first] = node.children
  const list = first === undefined ? "bullet" : kindOf(node, first)
  const start = node.start ?? 1
  const lines: Array<ListLine> = []
  addItems(lines, { node, list }, context, reading)
  return { kind: "list", list, start, lines }
}

/** Adds a list's items and, below them, those of the lists of the same kind in it. */
const addItems = (
  lines: Array<ListLine>,
  { list, node }: { readonly node: ListNode; readonly list: ListKind },
  context: Context,
  reading: Reading
): void => {
  const below: Context = { ...context, items: context.items + 1 }
  for (const item of node.children) {
    report(item, node, reading.unsupported)
    if (kindOf(node, item) !== list) {
      append(lines, [listOf({ ...node, start: null, children: [item] }, context, reading)])
      continue
    }
    const [first, ...rest] = item.children
    const own = first?.type === "paragraph" || first?.type === "heading" ? first : undefined
    if (context.items > deepestLevel) reading.unsupported.add("list deeper than nine levels", "")
    lines.push({ line: itemLine(own, context, reading), level: Math.min(context.items, deepestLevel), after: [] })
    for (const [position, child] of (own === undefined ? item.children : rest).entries()) {
      const before = own === undefined ? item.children[position - 1] : rest[position - 1]
      if (merges(before, child)) append(lines, [{ kind: "paragraphs", lines: [emptyLine] }])
      const nested = child.type === "list" ? child.children[0] : undefined
      if (child.type === "list" && nested !== undefined && kindOf(child, nested) === list && before?.type !== "list") {
        if (list === "number" && (child.start ?? 1) !== 1) {
          reading.unsupported.add("list that starts at", `${child.start}`)
        }
        const nestedLines: Array<ListLine> = []
        addItems(nestedLines, { node: child, list }, below, reading)
        if (!isBlank(nestedLines)) lines.push(...nestedLines)
      } else {
        append(lines, blocksOf(child, below, reading))
      }
    }
  }
}

const report = ({ checked, children }: ListItemNode, { ordered }: ListNode, unsupported: Unsupported): void => {
  if (typeof checked !== "boolean") return
  const text = children[0]?.type === "paragraph" ? plainText(children[0].children) : ""
  if (ordered === true) unsupported.add("task in a numbered list", text)
  if (checked) unsupported.add("ticked task", text)
}

const plainText = (nodes: ReadonlyArray<unknown>): string =>
  nodes.map((node) => {
    if (typeof node !== "object" || node === null) return ""
    if ("value" in node && typeof node.value === "string") return node.value
    return "children" in node && Array.isArray(node.children) ? plainText(node.children) : ""
  }).join("")

/** A list of empty items in an item holds nothing, and the parser is not of one mind about what its marks are. */
const isBlank = (lines: ReadonlyArray<ListLine>): boolean =>
  lines.every(({ after, line }) => line.text === "" && after.length === 0)

/** Puts blocks below the last item. */
const append = (lines: Array<ListLine>, blocks: ReadonlyArray<Block>): void => {
  const last = lines.pop()
  if (last !== undefined) lines.push({ ...last, after: grouped([...last.after, ...blocks]) })
}

/** Items are indented by their list, not by their look. */
const itemLine = (own: Flow | undefined, { quotes }: Context, reading: Reading): Line => {
  const look: Look = { ...plain, quotes }
  if (own?.type === "heading") return lineFrom(own.children, { ...look, named: namedStyles[own.depth] }, reading)
  return own?.type === "paragraph" ? lineFrom(own.children, look, reading) : { text: "", runs: [], look }
}

const aligned: Readonly<Record<string, "CENTER" | "END">> = { center: "CENTER", right: "END" }

const tableOf = ({ align, children }: TableNode, reading: Reading): Table => {
  const columns = Math.max(1, ...children.map((row) => row.children.length))
  return {
    kind: "table",
    columns,
    rows: children.map((row) =>
      Array.from({ length: columns }, (_, column) => {
        const alignment = aligned[align?.[column] ?? ""]
        const look: Look = { ...plain, ...(alignment === undefined ? {} : { align: alignment }) }
        return { lines: linesOf(row.children[column]?.children ?? [], look, reading, "\n") }
      })
    )
  }
}
