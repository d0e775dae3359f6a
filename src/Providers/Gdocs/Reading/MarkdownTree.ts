import type { BlockContent, Blockquote, Code, DefinitionContent, List, ListItem } from "mdast"
import type { Block, CodeLine, TextBlock } from "./Blocks.ts"
import type { ListMarker } from "./Numbering.ts"
import type { Nesting } from "./ParagraphStyle.ts"
import { phrasingOf } from "./Phrasing.ts"

type FlowContent = BlockContent | DefinitionContent

interface Container {
  readonly children: Array<FlowContent>
}

interface OpenItem {
  readonly level: number
  readonly listId: string
  readonly list: List
  readonly item: ListItem
}

interface OpenLists {
  readonly quoteLevels: number
  readonly items: Array<OpenItem>
}

export const markdownTree = (blocks: ReadonlyArray<Block>): ReadonlyArray<FlowContent> => {
  const root: Container = { children: [] }
  let joins = false
  let lists: OpenLists | undefined
  let emptyLines = 0
  let before: Block | undefined

  const quoteIn = (container: Container, quoteLevels: number): Container => {
    if (quoteLevels === 0) return container
    const last = container.children.at(-1)
    if (joins && last?.type === "blockquote") return quoteIn(last, quoteLevels - 1)
    const quote: Blockquote = { type: "blockquote", children: [] }
    container.children.push(quote)
    return quoteIn(quote, quoteLevels - 1)
  }

  const containerOf = ({ listLevels, quoteLevels }: Nesting): Container => {
    if (lists !== undefined && listLevels > 0 && quoteLevels >= lists.quoteLevels) {
      while (lists.items.length > listLevels) lists.items.pop()
      const inner = lists.items.length === listLevels ? lists.items.at(-1) : undefined
      if (inner !== undefined) return quoteIn(inner.item, quoteLevels - lists.quoteLevels)
    }
    lists = undefined
    return quoteIn(root, quoteLevels)
  }

  const tableContainer = (next: Block | undefined): Container => {
    const level = levelBelow(next, lists)
    if (lists === undefined || level === undefined) {
      lists = undefined
      return root
    }
    while ((lists.items.at(-1)?.level ?? -1) > level) lists.items.pop()
    return lists.items.at(-1)?.item ?? root
  }

  const addItem = (block: TextBlock, { checkbox, level, listId, number }: ListMarker): void => {
    if (lists?.quoteLevels !== block.quoteLevels) lists = { quoteLevels: block.quoteLevels, items: [] }
    const { items: open } = lists
    while ((open.at(-1)?.level ?? -1) > level) open.pop()
    const sibling = open.at(-1)?.level === level ? open.pop() : undefined
    const item = itemOf(block, checkbox)
    if (sibling !== undefined && continues(sibling, listId, number)) {
      sibling.list.children.push(item)
      open.push({ ...sibling, item })
      return
    }
    const list: List = {
      type: "list",
      ordered: number !== undefined,
      start: number ?? null,
      spread: false,
      children: [item]
    }
    const parent = open.at(-1)
    const container = parent === undefined ? quoteIn(root, block.quoteLevels) : parent.item
    container.children.push(list)
    open.push({ level, listId, list, item })
  }

  const addCode = (block: CodeLine, position: number): void => {
    const isApart = block.inTable === true || (before?.kind === "code" && before.inTable === true)
    const container = block.inTable === true ? tableContainer(nextShown(position)) : containerOf(block)
    const last = container.children.at(-1)
    if (joins && !isApart && last?.type === "code") {
      last.value += `${"\n".repeat(emptyLines + 1)}${block.line}`
    } else {
      const code: Code = { type: "code", lang: null, meta: null, value: block.line }
      container.children.push(code)
    }
  }

  const nextShown = (position: number): Block | undefined => {
    let next = position + 1
    while (blocks[next]?.kind === "gap") next++
    return blocks[next]
  }

  for (const [position, block] of blocks.entries()) {
    switch (block.kind) {
      case "gap":
        if (block.code) emptyLines++
        else joins = false
        continue
      case "code":
        addCode(block, position)
        break
      case "table":
        tableContainer(nextShown(position)).children.push(block.table)
        break
      case "rule":
        containerOf(block).children.push({ type: "thematicBreak" })
        break
      case "text":
        if (block.marker === undefined) containerOf(block).children.push(nodeOf(block))
        else addItem(block, block.marker)
    }
    joins = true
    emptyLines = 0
    before = block
  }
  spreadItems(root.children)
  return root.children
}

const levelBelow = (next: Block | undefined, lists: OpenLists | undefined): number | undefined => {
  if (lists === undefined || next === undefined || next.kind === "gap" || next.kind === "table") return undefined
  if (next.quoteLevels !== lists.quoteLevels) return undefined
  if (next.kind !== "text" || next.marker === undefined) {
    return lists.items[next.listLevels - 1]?.level
  }
  const { level, listId } = next.marker
  return lists.items.some((each) => each.level === level && each.listId === listId) ? level : undefined
}

const nodeOf = ({ inlines, headingStyle }: TextBlock): FlowContent => {
  const children = phrasingOf(inlines)
  if (headingStyle === undefined) return { type: "paragraph", children }
  const depth = headingStyle === "title" ? 1 : headingStyle === "subtitle" ? 2 : headingStyle
  return { type: "heading", depth, children }
}

const itemOf = (block: TextBlock, checkbox: boolean): ListItem => ({
  type: "listItem",
  spread: false,
  checked: checkbox ? false : null,
  children: block.inlines.length === 0 && !checkbox ? [] : [nodeOf(block)]
})

const continues = ({ list, listId }: OpenItem, nextId: string, number: number | undefined): boolean =>
  listId === nextId && list.ordered === (number !== undefined) &&
  (number === undefined || number === (list.start ?? 1) + list.children.length)

const spreadItems = (nodes: ReadonlyArray<FlowContent>): void => {
  for (const node of nodes) {
    if (node.type === "blockquote") spreadItems(node.children)
    if (node.type !== "list") continue
    for (const item of node.children) {
      item.spread = item.children.slice(1).some(({ type }) => type !== "list")
      spreadItems(item.children)
    }
  }
}
