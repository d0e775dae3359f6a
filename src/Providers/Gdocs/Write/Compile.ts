import { type Block, type Line, type List, type ListKind, type Paragraphs, plain, type Table } from "./Blocks.ts"
import {
  createBullets,
  deleteBullets,
  insertTable,
  insertText,
  markText,
  type Request,
  resetText,
  type Scope,
  setParagraph,
  type Span
} from "./Requests.ts"
import { directionOf } from "./Text.ts"

/** Where blocks go: at the start of a paragraph that is either to be the last of them or to stay below them. */
export interface Anchor {
  readonly index: number
  /** `fill`: the last block becomes the paragraph that is there. `push`: every block gets a newline of its own. */
  readonly mode: "fill" | "push"
  /** Which of two presets of the same look numbered lists get, so that they join the list above or do not. */
  readonly number: "number" | "otherNumber"
}

export interface Compiled {
  readonly requests: ReadonlyArray<Request>
  /** How much longer the document gets, in UTF-16 code units. */
  readonly width: number
}

/**
 * Blocks as requests, the last block first and each at the same index: what is already written moves down, so nothing
 * that happens in it (tabs taken out of lists, tables, emoji) changes an index that is still to be used. Each block is
 * reset before it gets its own styles, for what is inserted takes the styles and the bullets of where it is inserted.
 */
export const compile = (blocks: ReadonlyArray<Block>, anchor: Anchor, scope: Scope): Compiled => {
  const compiled = blocks.map((block, at) => {
    const below = blocks[at + 1]
    /** The newline that a table puts before itself ends the block above it. */
    const newline = below === undefined ? anchor.mode === "push" : below.kind !== "table"
    return compileBlock(block, { newline, above: blocks[at - 1], last: below === undefined }, anchor, scope)
  })
  return { requests: compiled.toReversed().flatMap(({ requests }) => requests), width: total(compiled) }
}

const total = (compiled: ReadonlyArray<Compiled>): number => compiled.reduce((sum, { width }) => sum + width, 0)

interface Position {
  /** Whether the block's last paragraph brings its own newline. */
  readonly newline: boolean
  readonly above: Block | undefined
  readonly last: boolean
}

const compileBlock = (block: Block, position: Position, anchor: Anchor, scope: Scope): Compiled => {
  switch (block.kind) {
    case "paragraphs":
      return compileParagraphs(block, position, anchor, scope)
    case "list":
      return compileList(block, position, anchor, scope)
    case "table":
      return compileTable(block, position, anchor, scope)
  }
}

/** A line with the place that it has once it is inserted; `to` takes in its newline where that is inserted too. */
interface Placed extends Span {
  readonly line: Line
  readonly textFrom: number
}

/** What all inserted paragraphs need: the text, no bullets, their own paragraph styles and text styles. */
const insertLines = (
  lines: ReadonlyArray<{ readonly line: Line; readonly tabs: number }>,
  { newline }: Position,
  index: number,
  scope: Scope
): { readonly requests: ReadonlyArray<Request>; readonly span: Span } => {
  const text = lines.map(({ line, tabs }) => "\t".repeat(tabs) + line.text).join("\n") + (newline ? "\n" : "")
  let at = index
  const placed = lines.map(({ line, tabs }): Placed => {
    const from = at
    at += tabs + line.text.length + 1
    return { line, from, textFrom: from + tabs, to: at }
  })
  /** Without a newline of its own the last paragraph reaches to that of the paragraph which it fills. */
  const end = index + text.length
  const last = placed.at(-1)
  const span = { from: index, to: last !== undefined && last.from === end ? end + 1 : end }
  return {
    span,
    requests: [
      ...(text === "" ? [] : [insertText(scope, index, text)]),
      deleteBullets(scope, span),
      ...alike(placed).map(({ from, line, to }) =>
        setParagraph(scope, { from, to: Math.min(to, span.to) }, line.look, line.text)
      ),
      ...(text === "" ? [] : [resetText(scope, { from: index, to: end })]),
      ...placed.flatMap((each) => markLine(each, end, scope))
    ]
  }
}

/** Neighbouring lines of one paragraph style, as one span. */
const alike = (placed: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const spans: Array<Placed> = []
  for (const each of placed) {
    const before = spans.at(-1)
    if (before !== undefined && sameParagraph(before.line, each.line)) {
      spans[spans.length - 1] = { ...before, to: each.to }
    } else spans.push(each)
  }
  return spans
}

const sameParagraph = (left: Line, right: Line): boolean =>
  left.look.named === right.look.named && left.look.quotes === right.look.quotes &&
  left.look.items === right.look.items &&
  left.look.kind === right.look.kind && left.look.align === right.look.align &&
  directionOf(left.text) === directionOf(right.text)

/** Code takes its newline along, which tells an empty line of code from any other empty line. */
const markLine = ({ line, textFrom, to }: Placed, end: number, scope: Scope): ReadonlyArray<Request> =>
  line.look.kind === "code"
    ? textFrom === Math.min(to, end) ? [] : [markText(scope, { from: textFrom, to: Math.min(to, end) }, { code: true })]
    : line.runs.map(({ end: runEnd, marks, start }) =>
      markText(scope, { from: textFrom + start, to: textFrom + runEnd }, marks)
    )

const compileParagraphs = ({ lines }: Paragraphs, position: Position, { index }: Anchor, scope: Scope): Compiled => {
  const { requests } = insertLines(lines.map((line) => ({ line, tabs: 0 })), position, index, scope)
  return { requests, width: widthOf(lines) - (position.newline ? 0 : 1) }
}

/** With a newline each. */
const widthOf = (lines: ReadonlyArray<Line>): number => lines.reduce((width, { text }) => width + text.length + 1, 0)

/**
 * The items of one list become bullets together, in one range, or their numbers would begin anew after whatever stands
 * between them. That is put in afterwards, below its item, from the last to the first.
 */
const compileList = ({ lines, list }: List, position: Position, anchor: Anchor, scope: Scope): Compiled => {
  const inserted = insertLines(lines.map(({ level, line }) => ({ line, tabs: level })), position, anchor.index, scope)
  const kind: ListKind | "otherNumber" = list === "number" ? anchor.number : list
  const own = lines.map(({ line }) => line)
  const below = lines.map(({ after }, at): Compiled => {
    if (after.length === 0) return { requests: [], width: 0 }
    const itemEnd = anchor.index + widthOf(own.slice(0, at + 1)) - 1
    const compiled = compile(after, { index: itemEnd + 1, mode: "fill", number: "number" }, scope)
    return { requests: [insertText(scope, itemEnd, "\n"), ...compiled.requests], width: compiled.width + 1 }
  })
  return {
    requests: [
      ...inserted.requests,
      createBullets(scope, inserted.span, kind),
      ...below.toReversed().flatMap(({ requests }) => requests)
    ],
    width: widthOf(own) - (position.newline ? 0 : 1) + total(below)
  }
}

/** The newline before a table, the table itself, its rows and its cells with an empty paragraph each. */
const emptyTableWidth = (rows: number, columns: number): number => 3 + rows * (1 + 2 * columns)

/** Where a cell's text begins as long as the cells are empty, for a table that is inserted at `index`. */
const cellStart = (index: number, columns: number, row: number, column: number): number =>
  index + 4 + row * (1 + 2 * columns) + 2 * column

const compileTable = (
  { columns, rows }: Table,
  { above, last }: Position,
  { index, mode }: Anchor,
  scope: Scope
): Compiled => {
  const empty = emptyTableWidth(rows.length, columns)
  const cells = rows.flatMap((row, rowAt) =>
    row.map(({ lines }, column) => ({ lines, isHead: rowAt === 0, start: cellStart(index, columns, rowAt, column) }))
  )
  const below = index + empty
  return {
    requests: [
      insertTable(scope, index, rows.length, columns),
      ...(last && mode === "fill" ? resetEmpty(scope, below) : []),
      ...cells.toReversed().flatMap((cell) => fillCell(cell, { ...scope, inTable: true })),
      ...(above === undefined || above.kind === "table" ? resetEmpty(scope, index) : [])
    ],
    width: empty + cells.reduce((width, { lines }) => width + widthOf(lines) - 1, 0)
  }
}

const resetEmpty = (scope: Scope, index: number): ReadonlyArray<Request> => {
  const span = { from: index, to: index + 1 }
  return [deleteBullets(scope, span), setParagraph(scope, span, plain, "")]
}

const fillCell = (
  { isHead, lines, start }: { readonly isHead: boolean; readonly lines: ReadonlyArray<Line>; readonly start: number },
  scope: Scope
): ReadonlyArray<Request> => {
  const text = lines.map((line) => line.text).join("\n")
  const [first] = lines
  if (first === undefined || (text === "" && first.look.align === undefined)) return []
  const end = start + text.length
  let at = start
  return [
    ...(text === "" ? [] : [insertText(scope, start, text)]),
    setParagraph(scope, { from: start, to: end + 1 }, first.look, text),
    ...(text === "" ? [] : [resetText(scope, { from: start, to: end }, isHead)]),
    ...lines.flatMap(({ runs, text: own }) => {
      const from = at
      at += own.length + 1
      return runs.map((run) => markText(scope, { from: from + run.start, to: from + run.end }, run.marks))
    })
  ]
}
