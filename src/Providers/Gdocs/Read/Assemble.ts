import type { BlockContent, Blockquote, Code, DefinitionContent, List, ListItem } from "mdast"
import type { Role } from "./Looks.ts"
import { phrasingOf } from "./Phrasing.ts"
import type { CodePiece, Piece, TextPiece } from "./Pieces.ts"

type Flow = BlockContent | DefinitionContent

interface Container {
  readonly children: Array<Flow>
}

/** A list being built: where it stands, and its open items from the outermost in. */
interface Open {
  readonly level: number
  readonly listId: string
  readonly list: List
  readonly item: ListItem
}

interface Session {
  readonly quotes: number
  readonly open: Array<Open>
}

const depths: Readonly<Record<Role, 1 | 2 | 3 | 4 | 5 | 6>> = {
  title: 1,
  subtitle: 2,
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 5,
  6: 6
}

/** Paragraphs in a row become what they are together: lists with items in items, quotes, blocks of code. */
export const assemble = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Flow> => {
  const root: Container = { children: [] }
  /** Whether what comes next may still belong to the quote or the code just before. */
  let joins = false
  let session: Session | undefined
  let emptyLines = 0

  /** The innermost quote that is open at that depth below `container`, or a new one. */
  const quoteIn = (container: Container, quotes: number): Container => {
    if (quotes === 0) return container
    const last = container.children.at(-1)
    if (joins && last?.type === "blockquote") return quoteIn(last, quotes - 1)
    const quote: Blockquote = { type: "blockquote", children: [] }
    container.children.push(quote)
    return quoteIn(quote, quotes - 1)
  }

  /** Where a paragraph without a bullet belongs: below an open item whose text it is aligned with, or outside. */
  const containerOf = ({ items, quotes }: { readonly items: number; readonly quotes: number }): Container => {
    if (session !== undefined && items > 0 && quotes >= session.quotes) {
      while (session.open.length > items) session.open.pop()
      const inner = session.open.length === items ? session.open.at(-1) : undefined
      if (inner !== undefined) return quoteIn(inner.item, quotes - session.quotes)
    }
    session = undefined
    return quoteIn(root, quotes)
  }

  /** A table stands in an item when its list, or a paragraph of the item, goes on below the table. */
  const tableContainer = (following: ReadonlyArray<Piece>): Container => {
    const next = following.find(({ kind }) => kind !== "gap")
    const level = levelBelow(next, session)
    if (session === undefined || level === undefined) {
      session = undefined
      return root
    }
    while ((session.open.at(-1)?.level ?? -1) > level) session.open.pop()
    return session.open.at(-1)?.item ?? root
  }

  const addItem = (piece: TextPiece, { level, listId, number, ...mark }: NonNullable<TextPiece["item"]>): void => {
    if (session?.quotes !== piece.quotes) session = { quotes: piece.quotes, open: [] }
    const { open } = session
    while ((open.at(-1)?.level ?? -1) > level) open.pop()
    const sibling = open.at(-1)?.level === level ? open.pop() : undefined
    const item = itemOf(piece, mark.checkbox)
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
    const container = parent === undefined ? quoteIn(root, piece.quotes) : parent.item
    container.children.push(list)
    open.push({ level, listId, list, item })
  }

  const addCode = (piece: CodePiece): void => {
    const container = containerOf(piece)
    const last = container.children.at(-1)
    if (joins && last?.type === "code") {
      last.value += `${"\n".repeat(emptyLines + 1)}${piece.line}`
    } else {
      const code: Code = { type: "code", lang: null, meta: null, value: piece.line }
      container.children.push(code)
    }
  }

  for (const [position, piece] of pieces.entries()) {
    switch (piece.kind) {
      case "gap":
        if (piece.code) emptyLines++
        else joins = false
        continue
      case "code":
        addCode(piece)
        break
      case "table":
        tableContainer(pieces.slice(position + 1)).children.push(piece.table)
        break
      case "rule":
        containerOf(piece).children.push({ type: "thematicBreak" })
        break
      case "text":
        if (piece.item === undefined) containerOf(piece).children.push(blockOf(piece))
        else addItem(piece, piece.item)
    }
    joins = true
    emptyLines = 0
  }
  spreadItems(root.children)
  return root.children
}

const levelBelow = (next: Piece | undefined, session: Session | undefined): number | undefined => {
  if (session === undefined || next === undefined || next.kind === "gap" || next.kind === "table") return undefined
  if (next.quotes !== session.quotes) return undefined
  if (next.kind !== "text" || next.item === undefined) {
    return session.open[next.items - 1]?.level
  }
  const { level, listId } = next.item
  return session.open.some((each) => each.level === level && each.listId === listId) ? level : undefined
}

const blockOf = ({ atoms, role }: TextPiece): Flow =>
  role === undefined
    ? { type: "paragraph", children: phrasingOf(atoms) }
    : { type: "heading", depth: depths[role], children: phrasingOf(atoms) }

const itemOf = (piece: TextPiece, checkbox: boolean): ListItem => ({
  type: "listItem",
  spread: false,
  checked: checkbox ? false : null,
  children: piece.atoms.length === 0 && !checkbox ? [] : [blockOf(piece)]
})

const continues = ({ list, listId }: Open, nextId: string, number: number | undefined): boolean =>
  listId === nextId && list.ordered === (number !== undefined) &&
  (number === undefined || number === (list.start ?? 1) + list.children.length)

/** An item of more than its text and its lists has blank lines between them. */
const spreadItems = (nodes: ReadonlyArray<Flow>): void => {
  for (const node of nodes) {
    if (node.type === "blockquote") spreadItems(node.children)
    if (node.type !== "list") continue
    for (const item of node.children) {
      item.spread = item.children.slice(1).some(({ type }) => type !== "list")
      spreadItems(item.children)
    }
  }
}
