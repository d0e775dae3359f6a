import type {
  BlockContent,
  DefinitionContent,
  FootnoteDefinition,
  List as ListNode,
  ListItem as ListItemNode,
  RootContent
} from "mdast"
import { type Extension, fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { append } from "../../../../Domain/Lists.ts"
import type { LinkTargets } from "../LinkTargets.ts"
import {
  emptyParagraph,
  type ListKind,
  mergeParagraphs,
  type NewBlock,
  type NewList,
  type NewListItem,
  type NewParagraph,
  type ParagraphStyle,
  plainStyle
} from "../NewBlocks.ts"
import { normalizeText } from "../NormalizeText.ts"
import type { UnsupportedContent } from "../UnsupportedContent.ts"
import { continueLists } from "./ContinueLists.ts"
import { codeBlock, headingParagraph, htmlBlock, nonEmptyParagraphs, tableBlock } from "./LeafBlocks.ts"
import { definitionsOf, isComment, type MarkdownContext, paragraphOf } from "./Paragraphs.ts"

/** The transforms would also link escaped addresses. The micromark extension links the others. */
const mdastExtensions = gfmFromMarkdown().map((extension): Extension => ({ ...extension, transforms: [] }))

const extensions = [gfm({ singleTilde: false })]

type FlowNode = RootContent | BlockContent | DefinitionContent

interface Nesting {
  readonly quoteLevels: number
  readonly listLevels: number
  readonly innerQuoteLevels: number
}

const styleIn = ({ innerQuoteLevels, listLevels, quoteLevels }: Nesting): ParagraphStyle => ({
  ...plainStyle,
  listLevels,
  quoteLevels: quoteLevels + innerQuoteLevels
})

const deepestLevel = 8

export const blocksFromMarkdown = (
  markdown: string,
  linkTargets: LinkTargets,
  unsupported: UnsupportedContent
): ReadonlyArray<NewBlock> => {
  const root = fromMarkdown(normalizeText(markdown), { extensions, mdastExtensions })
  const context: MarkdownContext = { definitions: definitionsOf(root), linkTargets, unsupported }
  const nesting: Nesting = { quoteLevels: 0, listLevels: 0, innerQuoteLevels: 0 }
  return continueLists(mergeParagraphs(flowBlocks(root.children, nesting, context)))
}

const flowBlocks = (
  nodes: ReadonlyArray<FlowNode>,
  nesting: Nesting,
  context: MarkdownContext
): ReadonlyArray<NewBlock> => {
  const shown = nodes.filter((node) => node.type !== "definition" && (node.type !== "html" || !isComment(node.value)))
  return shown.flatMap((node, position) => [
    ...(wouldMerge(shown[position - 1], node) ? [{ kind: "paragraphs" as const, paragraphs: [emptyParagraph] }] : []),
    ...nodeBlocks(node, nesting, context)
  ])
}

const wouldMerge = (before: FlowNode | undefined, node: FlowNode): boolean =>
  before?.type === node.type && (node.type === "code" || node.type === "blockquote")

const nodeBlocks = (node: FlowNode, nesting: Nesting, context: MarkdownContext): ReadonlyArray<NewBlock> => {
  const style = styleIn(nesting)
  switch (node.type) {
    case "paragraph":
      return nonEmptyParagraphs([paragraphOf(node.children, style, context)])
    case "heading":
      return nonEmptyParagraphs([headingParagraph(node, style, context)])
    case "thematicBreak":
      return [{ kind: "paragraphs", paragraphs: [{ text: "", runs: [], style: { ...style, kind: "rule" } }] }]
    case "code":
      return codeBlock(node, style, context.unsupported)
    case "html":
      return htmlBlock(node, style, context.unsupported)
    case "blockquote":
      return flowBlocks(node.children, insideQuote(nesting), context)
    case "list": {
      if (nesting.innerQuoteLevels > 0) context.unsupported.add("quote around a list in an item", "")
      const list = listBlock(node, { ...nesting, innerQuoteLevels: 0 }, context)
      return nesting.listLevels > 0 && isBlank(list.items) ? [] : [list]
    }
    case "table":
      if (style.quoteLevels > 0) context.unsupported.add("quote around a table", "")
      return [tableBlock(node, context)]
    case "footnoteDefinition":
      return footnoteBlocks(node, nesting, context)
    default:
      return []
  }
}

const insideQuote = (nesting: Nesting): Nesting =>
  nesting.listLevels === 0
    ? { ...nesting, quoteLevels: nesting.quoteLevels + 1 }
    : { ...nesting, innerQuoteLevels: nesting.innerQuoteLevels + 1 }

const footnoteBlocks = (
  { children, identifier, label }: FootnoteDefinition,
  nesting: Nesting,
  context: MarkdownContext
): ReadonlyArray<NewBlock> => {
  const name = `[^${label ?? identifier}]: `
  context.unsupported.add("footnote", label ?? identifier)
  const [first, ...rest] = flowBlocks(children, nesting, context)
  if (first?.kind !== "paragraphs") {
    return [
      ...nonEmptyParagraphs([{ text: name.trim(), runs: [], style: styleIn(nesting) }]),
      ...(first === undefined ? [] : [first]),
      ...rest
    ]
  }
  const [paragraph = emptyParagraph, ...paragraphs] = first.paragraphs
  return [{ kind: "paragraphs", paragraphs: [withPrefix(name, paragraph), ...paragraphs] }, ...rest]
}

const withPrefix = (prefix: string, { runs, style, text }: NewParagraph): NewParagraph => ({
  text: prefix + text,
  runs: runs.map(({ end, marks, start }) => ({ start: start + prefix.length, end: end + prefix.length, marks })),
  style
})

const listKindOf = ({ ordered }: ListNode, { checked }: ListItemNode): ListKind =>
  ordered === true ? "number" : typeof checked === "boolean" ? "checkbox" : "bullet"

const listBlock = (node: ListNode, nesting: Nesting, context: MarkdownContext): NewList => {
  const [first] = node.children
  const listKind = first === undefined ? "bullet" : listKindOf(node, first)
  const items: Array<NewListItem> = []
  addItems(items, { node, listKind }, nesting, context)
  return { kind: "list", listKind, start: node.start ?? 1, items }
}

const addItems = (
  items: Array<NewListItem>,
  { listKind, node }: { readonly node: ListNode; readonly listKind: ListKind },
  nesting: Nesting,
  context: MarkdownContext
): void => {
  const inner: Nesting = { ...nesting, listLevels: nesting.listLevels + 1 }
  for (const item of node.children) {
    reportTask(item, node, context.unsupported)
    if (listKindOf(node, item) !== listKind) {
      appendBelow(items, [listBlock({ ...node, start: null, children: [item] }, nesting, context)])
      continue
    }
    const [first, ...rest] = item.children
    const text = first?.type === "paragraph" || first?.type === "heading" ? first : undefined
    if (nesting.listLevels > deepestLevel) context.unsupported.add("list deeper than nine levels", "")
    items.push({
      paragraph: itemParagraph(text, nesting, context),
      level: Math.min(nesting.listLevels, deepestLevel),
      below: []
    })
    const children = text === undefined ? item.children : rest
    for (const [position, child] of children.entries()) {
      const before = children[position - 1]
      if (wouldMerge(before, child)) appendBelow(items, [{ kind: "paragraphs", paragraphs: [emptyParagraph] }])
      const nested = child.type === "list" ? child.children[0] : undefined
      const isSameList = child.type === "list" && nested !== undefined && listKindOf(child, nested) === listKind &&
        before?.type !== "list"
      if (!isSameList) {
        appendBelow(items, nodeBlocks(child, inner, context))
        continue
      }
      if (listKind === "number" && (child.start ?? 1) !== 1) {
        context.unsupported.add("list that starts at", `${child.start}`)
      }
      const nestedItems: Array<NewListItem> = []
      addItems(nestedItems, { node: child, listKind }, inner, context)
      if (!isBlank(nestedItems)) append(items, nestedItems)
    }
  }
}

const reportTask = (
  { checked, children }: ListItemNode,
  { ordered }: ListNode,
  unsupported: UnsupportedContent
): void => {
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

const isBlank = (items: ReadonlyArray<NewListItem>): boolean =>
  items.every(({ below, paragraph }) => paragraph.text === "" && below.length === 0)

const appendBelow = (items: Array<NewListItem>, blocks: ReadonlyArray<NewBlock>): void => {
  const last = items.pop()
  if (last !== undefined) items.push({ ...last, below: mergeParagraphs([...last.below, ...blocks]) })
}

const itemParagraph = (
  text: FlowNode | undefined,
  { quoteLevels }: Nesting,
  context: MarkdownContext
): NewParagraph => {
  const style: ParagraphStyle = { ...plainStyle, quoteLevels }
  if (text?.type === "heading") return headingParagraph(text, style, context)
  return text?.type === "paragraph"
    ? withoutTabs(paragraphOf(text.children, style, context))
    : { text: "", runs: [], style }
}

/** The provider takes tabs at the start of an item for its level. */
const withoutTabs = ({ runs, style, text }: NewParagraph): NewParagraph => {
  const tabs = /^\t*/.exec(text)?.[0].length ?? 0
  const moved = (offset: number) => offset === 0 ? 0 : offset + 3 * tabs
  return {
    text: "    ".repeat(tabs) + text.slice(tabs),
    runs: runs.map(({ end, marks, start }) => ({ start: moved(start), end: moved(end), marks })),
    style
  }
}
