import type { Table } from "mdast"
import type { Paragraph, ParagraphElement, StructuralElement } from "../Responses.ts"
import { type Inline, inlinesOf, objectReplacement, plainText, type ReadContext } from "./Inlines.ts"
import { type ListMarker, makeNumbering } from "./Numbering.ts"
import {
  hasBottomBorder,
  type HeadingStyle,
  headingStyleOf,
  isMonospaced,
  isShaded,
  type Nesting,
  nestingOf
} from "./ParagraphStyle.ts"
import { elementContent, isInserted } from "./Suggestions.ts"
import { readTable } from "./Tables.ts"

interface Extent {
  readonly start: number
  readonly end: number
}

export interface TextBlock extends Extent, Nesting {
  readonly kind: "text"
  readonly headingStyle: HeadingStyle | undefined
  readonly headingId?: string
  readonly inlines: ReadonlyArray<Inline>
  readonly marker?: ListMarker
}

export interface CodeLine extends Extent, Nesting {
  readonly kind: "code"
  readonly line: string
  readonly asText?: TextBlock
}

export interface RuleBlock extends Extent, Nesting {
  readonly kind: "rule"
}

export interface TableBlock extends Extent {
  readonly kind: "table"
  readonly table: Table
}

export interface GapBlock extends Extent {
  readonly kind: "gap"
  readonly code: boolean
}

export type Block = TextBlock | CodeLine | RuleBlock | TableBlock | GapBlock

export const blocksOf = (content: ReadonlyArray<StructuralElement>, tab: ReadContext): ReadonlyArray<Block> => {
  const numberItem = makeNumbering(tab.contents)
  const blocks = content.flatMap(({ endIndex: end = 0, paragraph, startIndex: start = 0, table }) => {
    if (paragraph !== undefined) return paragraphBlocks(paragraph, { start, end }, tab, numberItem)
    const read = table === undefined ? undefined : readTable(table, tab)
    return [read === undefined ? gap({ start, end }) : { kind: "table" as const, table: read, start, end }]
  })
  return blocks.map((block, position) => {
    const [before, after] = [blocks[position - 1], blocks[position + 1]]
    if (block.kind === "code") return before?.kind === "code" || after?.kind === "code" ? block : block.asText ?? block
    return isCodeEnd(block, before) ? gap(block) : block
  })
}

const gap = ({ end, start }: Extent): GapBlock => ({ kind: "gap", code: false, start, end })

const isCodeEnd = (block: Block, before: Block | undefined): boolean =>
  before?.kind === "code" && block.kind === "text" && block.marker === undefined &&
  plainText(block.inlines) === objectReplacement

const paragraphBlocks = (
  paragraph: Paragraph,
  extent: Extent,
  tab: ReadContext,
  numberItem: ReturnType<typeof makeNumbering>
): ReadonlyArray<Block> => {
  const all = paragraph.elements ?? []
  const elements = tab.suggestions === "hide" ? all.filter((element) => !isInserted(elementContent(element))) : all
  if (elements.length === 0 && all.length > 0) return [gap(extent)]
  const nesting = nestingOf(paragraph)
  const marker = paragraph.bullet === undefined ? undefined : numberItem(paragraph.bullet)
  const rules = elements.filter(({ horizontalRule }) => horizontalRule !== undefined)
    .map((): RuleBlock => ({ kind: "rule", ...extent, ...nesting }))
  const headingStyle = headingStyleOf(paragraph)
  const inlines = inlinesOf(elements, tab)
  const headingId = paragraph.paragraphStyle?.headingId
  const text: TextBlock = {
    kind: "text",
    headingStyle,
    ...(headingId === undefined ? {} : { headingId }),
    inlines,
    ...(marker === undefined ? {} : { marker }),
    ...extent,
    ...nesting
  }
  if (marker === undefined && headingStyle === undefined && isCodeLine(paragraph, elements)) {
    return [{
      kind: "code",
      line: lineOf(elements),
      ...(isShaded(paragraph) ? {} : { asText: text }),
      ...extent,
      ...nesting
    }]
  }
  if (inlines.length > 0 || marker !== undefined) return [...rules, text]
  if (rules.length > 0) return rules
  return hasBottomBorder(paragraph)
    ? [{ kind: "rule", ...extent, ...nesting }]
    : [{ kind: "gap", code: isShaded(paragraph) || newlineIsMonospaced(elements), ...extent }]
}

const codeFrame = /\uE907/g

const lineOf = (elements: ReadonlyArray<ParagraphElement>): string =>
  elements.map(({ textRun }) => textRun?.content ?? "").join("").replace(codeFrame, "").replace(/\n$/, "")
    .replaceAll("\u000B", "\n")

const isCodeLine = (paragraph: Paragraph, elements: ReadonlyArray<ParagraphElement>): boolean => {
  const visible = elements.filter(({ textRun }) => (textRun?.content ?? "").replace(codeFrame, "").trim() !== "")
  return visible.length > 0 &&
    elements.every(({ textRun }) => textRun !== undefined) &&
    visible.every(({ textRun }) => isMonospaced(textRun?.textStyle)) &&
    (isShaded(paragraph) || newlineIsMonospaced(elements))
}

const newlineIsMonospaced = (elements: ReadonlyArray<ParagraphElement>): boolean =>
  isMonospaced(elements.at(-1)?.textRun?.textStyle)
