import type { Table } from "mdast"
import { type Atom, atomsOf, plainOf, type ReadingTab, unknownThing } from "./Atoms.ts"
import type { Paragraph, ParagraphElement, StructuralElement } from "./DocumentAnswer.ts"
import { hasBottomBorder, isMonospaced, isShaded, type Nesting, nestingOf, type Role, roleOf } from "./Looks.ts"
import { type ItemMark, makeNumbering } from "./Numbering.ts"
import { isInserted, thingIn } from "./Suggestions.ts"
import { tableOf } from "./TableOf.ts"

interface Common {
  readonly start: number
  readonly end: number
}

export interface TextPiece extends Common, Nesting {
  readonly kind: "text"
  readonly role: Role | undefined
  readonly headingId?: string
  readonly atoms: ReadonlyArray<Atom>
  readonly item?: ItemMark
}

export interface CodePiece extends Common, Nesting {
  readonly kind: "code"
  readonly line: string
  /** What it is unless there is more code next to it: only shaded lines are code by themselves. */
  readonly alone?: TextPiece
}

export interface RulePiece extends Common, Nesting {
  readonly kind: "rule"
}

export interface TablePiece extends Common {
  readonly kind: "table"
  readonly table: Table
}

/** Nothing that markdown can hold; `code` where it may be an empty line of code. */
export interface GapPiece extends Common {
  readonly kind: "gap"
  readonly code: boolean
}

/** What can be shown, or left out, by itself: a paragraph or a table, with its place in the tab. */
export type Piece = TextPiece | CodePiece | RulePiece | TablePiece | GapPiece

export const piecesOf = (content: ReadonlyArray<StructuralElement>, tab: ReadingTab): ReadonlyArray<Piece> => {
  const mark = makeNumbering(tab.contents)
  const pieces = content.flatMap(({ endIndex: end = 0, paragraph, startIndex: start = 0, table }) => {
    if (paragraph !== undefined) return paragraphPieces(paragraph, { start, end }, tab, mark)
    const read = table === undefined ? undefined : tableOf(table, tab)
    return [read === undefined ? gap({ start, end }) : { kind: "table" as const, table: read, start, end }]
  })
  return pieces.map((piece, position) => {
    const [before, after] = [pieces[position - 1], pieces[position + 1]]
    if (piece.kind === "code") return before?.kind === "code" || after?.kind === "code" ? piece : piece.alone ?? piece
    return isCodeEnd(piece, before) ? gap(piece) : piece
  })
}

const gap = ({ end, start }: Common): GapPiece => ({ kind: "gap", code: false, start, end })

/** The provider's own code blocks end with a paragraph of the character that also begins them. */
const isCodeEnd = (piece: Piece, before: Piece | undefined): boolean =>
  before?.kind === "code" && piece.kind === "text" && piece.item === undefined && plainOf(piece.atoms) === unknownThing

const paragraphPieces = (
  paragraph: Paragraph,
  place: Common,
  tab: ReadingTab,
  mark: ReturnType<typeof makeNumbering>
): ReadonlyArray<Piece> => {
  const all = paragraph.elements ?? []
  const elements = tab.suggestions === "hide" ? all.filter((element) => !isInserted(thingIn(element))) : all
  if (elements.length === 0 && all.length > 0) return [gap(place)]
  const nesting = nestingOf(paragraph)
  const item = paragraph.bullet === undefined ? undefined : mark(paragraph.bullet)
  const rules = elements.filter(({ horizontalRule }) => horizontalRule !== undefined)
    .map((): RulePiece => ({ kind: "rule", ...place, ...nesting }))
  const role = roleOf(paragraph)
  const atoms = atomsOf(elements, tab)
  const headingId = paragraph.paragraphStyle?.headingId
  const text: TextPiece = {
    kind: "text",
    role,
    ...(headingId === undefined ? {} : { headingId }),
    atoms,
    ...(item === undefined ? {} : { item }),
    ...place,
    ...nesting
  }
  if (item === undefined && role === undefined && isCodeLine(paragraph, elements)) {
    return [{
      kind: "code",
      line: lineOf(elements),
      ...(isShaded(paragraph) ? {} : { alone: text }),
      ...place,
      ...nesting
    }]
  }
  if (atoms.length > 0 || item !== undefined) return [...rules, text]
  if (rules.length > 0) return rules
  return hasBottomBorder(paragraph)
    ? [{ kind: "rule", ...place, ...nesting }]
    : [{ kind: "gap", code: isShaded(paragraph) || newlineIsMonospaced(elements), ...place }]
}

/** Stands for a thing without text; the provider's own code blocks begin and end with one. */
const frame = /\uE907/g

const lineOf = (elements: ReadonlyArray<ParagraphElement>): string =>
  elements.map(({ textRun }) => textRun?.content ?? "").join("").replace(frame, "").replace(/\n$/, "")
    .replaceAll("\u000B", "\n")

/** A line of code: nothing but monospaced text, and shaded or monospaced up to its newline. */
const isCodeLine = (paragraph: Paragraph, elements: ReadonlyArray<ParagraphElement>): boolean => {
  const visible = elements.filter(({ textRun }) => (textRun?.content ?? "").replace(frame, "").trim() !== "")
  return visible.length > 0 &&
    elements.every(({ textRun }) => textRun !== undefined) &&
    visible.every(({ textRun }) => isMonospaced(textRun?.textStyle)) &&
    (isShaded(paragraph) || newlineIsMonospaced(elements))
}

const newlineIsMonospaced = (elements: ReadonlyArray<ParagraphElement>): boolean =>
  isMonospaced(elements.at(-1)?.textRun?.textStyle)

/** The text of a piece that is a heading, and nothing otherwise. */
export const headingText = (piece: Piece): string | undefined =>
  piece.kind === "text" && piece.role !== undefined
    ? plainOf(piece.atoms).replace(/\s+/g, " ").trim()
    : undefined
