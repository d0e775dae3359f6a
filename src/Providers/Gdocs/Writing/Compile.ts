import { Equal } from "effect"
import {
  type ListKind,
  type NewBlock,
  type NewCell,
  type NewListItem,
  type NewParagraph,
  type NewTable,
  plainStyle
} from "./NewBlocks.ts"
import {
  applyMarks,
  createBullets,
  deleteBullets,
  directionOf,
  insertTable,
  insertText,
  type Request,
  resetTextStyle,
  type Scope,
  setParagraphStyle,
  type Span
} from "./Requests.ts"

export interface Anchor {
  readonly index: number
  readonly mode: "fill" | "push"
  readonly number: "number" | "otherNumber"
}

export interface Compiled {
  readonly requests: ReadonlyArray<Request>
  readonly width: number
}

/**
 * Inserts the blocks at the same index, the last first, so that no request shifts the index of a later one. Inserted
 * text inherits styles and bullets, so each block resets them first.
 */
export const compileBlocks = (blocks: ReadonlyArray<NewBlock>, anchor: Anchor, scope: Scope): Compiled => {
  const compiled = blocks.map((block, at) => {
    const below = blocks[at + 1]
    const newline = below === undefined ? anchor.mode === "push" : below.kind !== "table"
    return compileBlock(block, { newline, above: blocks[at - 1], last: below === undefined }, anchor, scope)
  })
  return { requests: compiled.toReversed().flatMap(({ requests }) => requests), width: totalWidth(compiled) }
}

const totalWidth = (compiled: ReadonlyArray<Compiled>): number => compiled.reduce((sum, { width }) => sum + width, 0)

interface BlockPosition {
  readonly newline: boolean
  readonly above: NewBlock | undefined
  readonly last: boolean
}

const compileBlock = (block: NewBlock, position: BlockPosition, anchor: Anchor, scope: Scope): Compiled => {
  switch (block.kind) {
    case "paragraphs": {
      const items = block.paragraphs.map((paragraph) => ({ paragraph, level: 0, below: [] }))
      return compileItems(items, undefined, position, anchor, scope)
    }
    case "list": {
      const kind = block.listKind === "number" ? anchor.number : block.listKind
      return compileItems(block.items, kind, position, anchor, scope)
    }
    case "table":
      return compileTable(block, position, anchor, scope)
  }
}

interface PlacedParagraph extends Span {
  readonly paragraph: NewParagraph
  readonly textFrom: number
}

/**
 * Paragraphs, with bullets those of a list: one range for all items, because separate ranges would restart the numbers.
 * Blocks inside the items are inserted afterwards, the last first.
 */
const compileItems = (
  items: ReadonlyArray<NewListItem>,
  bullets: ListKind | "otherNumber" | undefined,
  { newline }: BlockPosition,
  { index }: Anchor,
  scope: Scope
): Compiled => {
  const lines = items.map(({ level, paragraph }) => "\t".repeat(level) + paragraph.text)
  const text = lines.join("\n") + (newline ? "\n" : "")
  let at = index
  const placed = items.map(({ level, paragraph }): PlacedParagraph => {
    const from = at
    at += level + paragraph.text.length + 1
    return { paragraph, from, textFrom: from + level, to: at }
  })
  const end = index + text.length
  const last = placed.at(-1)
  const span = { from: index, to: last !== undefined && last.from === end ? end + 1 : end }
  // Bullets take the place of the tabs.
  let itemEnd = index - 1
  const below = items.map(({ below, paragraph }): Compiled => {
    itemEnd += paragraph.text.length + 1
    if (below.length === 0) return { requests: [], width: 0 }
    const compiled = compileBlocks(below, { index: itemEnd + 1, mode: "fill", number: "number" }, scope)
    return { requests: [insertText(scope, itemEnd, "\n"), ...compiled.requests], width: compiled.width + 1 }
  })
  return {
    requests: [
      ...(text === "" ? [] : [insertText(scope, index, text)]),
      deleteBullets(scope, span),
      ...groupByStyle(placed).map(({ from, paragraph, to }) =>
        setParagraphStyle(scope, { from, to: Math.min(to, span.to) }, paragraph.style, paragraph.text)
      ),
      ...(text === "" ? [] : [resetTextStyle(scope, { from: index, to: end })]),
      ...placed.flatMap((each) => markParagraph(each, end, scope)),
      ...(bullets === undefined ? [] : [createBullets(scope, span, bullets)]),
      ...below.toReversed().flatMap(({ requests }) => requests)
    ],
    width: widthOf(items.map(({ paragraph }) => paragraph)) - (newline ? 0 : 1) + totalWidth(below)
  }
}

const groupByStyle = (placed: ReadonlyArray<PlacedParagraph>): ReadonlyArray<PlacedParagraph> => {
  const spans: Array<PlacedParagraph> = []
  for (const each of placed) {
    const before = spans.at(-1)
    if (before !== undefined && hasSameStyle(before.paragraph, each.paragraph)) {
      spans[spans.length - 1] = { ...before, to: each.to }
    } else spans.push(each)
  }
  return spans
}

const hasSameStyle = (left: NewParagraph, right: NewParagraph): boolean =>
  Equal.equals(left.style, right.style) && directionOf(left.text) === directionOf(right.text)

const markParagraph = (
  { paragraph, textFrom, to }: PlacedParagraph,
  end: number,
  scope: Scope
): ReadonlyArray<Request> =>
  paragraph.style.kind === "code"
    ? textFrom === Math.min(to, end)
      ? []
      : [applyMarks(scope, { from: textFrom, to: Math.min(to, end) }, { code: true })]
    : paragraph.runs.map(({ end: runEnd, marks, start }) =>
      applyMarks(scope, { from: textFrom + start, to: textFrom + runEnd }, marks)
    )

const widthOf = (paragraphs: ReadonlyArray<NewParagraph>): number =>
  paragraphs.reduce((width, { text }) => width + text.length + 1, 0)

/** Includes the newline before the table. */
const emptyTableWidth = (rows: number, columns: number): number => 3 + rows * (1 + 2 * columns)

const cellStart = (index: number, columns: number, row: number, column: number): number =>
  index + 4 + row * (1 + 2 * columns) + 2 * column

const compileTable = (
  { columns, rows }: NewTable,
  { above, last }: BlockPosition,
  { index, mode }: Anchor,
  scope: Scope
): Compiled => {
  const empty = emptyTableWidth(rows.length, columns)
  const inTable = { ...scope, inTable: true }
  const cells = rows.flatMap((row, rowAt) =>
    row.map((cell, column) => fillCell(cell, cellStart(index, columns, rowAt, column), rowAt === 0, inTable))
  )
  const below = index + empty
  return {
    requests: [
      insertTable(scope, index, rows.length, columns),
      ...(last && mode === "fill" ? resetEmpty(scope, below) : []),
      ...cells.toReversed().flat(),
      ...(above === undefined || above.kind === "table" ? resetEmpty(scope, index) : [])
    ],
    width: empty + rows.flat().reduce((width, cell) => width + widthOf(cell) - 1, 0)
  }
}

const resetEmpty = (scope: Scope, index: number): ReadonlyArray<Request> => {
  const span = { from: index, to: index + 1 }
  return [deleteBullets(scope, span), setParagraphStyle(scope, span, plainStyle, "")]
}

const fillCell = (paragraphs: NewCell, start: number, isHead: boolean, scope: Scope): ReadonlyArray<Request> => {
  const text = paragraphs.map((paragraph) => paragraph.text).join("\n")
  const [first] = paragraphs
  if (first === undefined || (text === "" && first.style.alignment === undefined)) return []
  const end = start + text.length
  let at = start
  return [
    ...(text === "" ? [] : [insertText(scope, start, text)]),
    setParagraphStyle(scope, { from: start, to: end + 1 }, first.style, text),
    ...(text === "" ? [] : [resetTextStyle(scope, { from: start, to: end }, isHead)]),
    ...paragraphs.flatMap((paragraph) => {
      const from = at
      at += paragraph.text.length + 1
      return paragraph.runs.map((run) => applyMarks(scope, { from: from + run.start, to: from + run.end }, run.marks))
    })
  ]
}
