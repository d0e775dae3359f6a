import type { Table } from "mdast"
import type { Paragraph, ParagraphElement, StructuralElement, Table as TableElement } from "../Responses.ts"
import {
  type Inline,
  objectReplacement,
  paragraphInlines,
  plainText,
  type ReadContext,
  untrimmedInlines
} from "./Inlines.ts"
import { type ItemNumbers, type ListMarker, makeNumbering } from "./Numbering.ts"
import {
  hasBottomBorder,
  type HeadingStyle,
  headingStyleOf,
  isMonospaced,
  isShaded,
  type Nesting,
  nestingOf
} from "./ParagraphStyle.ts"
import { elementContent, isInserted, joinParagraphs } from "./Suggestions.ts"
import { readTable, visibleCells } from "./Tables.ts"

interface Extent {
  readonly start: number
  readonly end: number
}

export interface TextBlock extends Extent, Nesting {
  readonly kind: "text"
  readonly headingStyle: HeadingStyle | undefined
  readonly headingId: string | undefined
  readonly inlines: ReadonlyArray<Inline>
  readonly marker: ListMarker | undefined
}

export interface CodeLine extends Extent, Nesting {
  readonly kind: "code"
  /** Several lines, where the document has line breaks within a paragraph or a table around the code. */
  readonly line: string
  /** How many texts in the code have marks or links, which code does not show. */
  readonly marked: number
  readonly asText?: TextBlock | undefined
  readonly inTable?: true
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
  const blocks = joinParagraphs(content, tab.suggestions).flatMap(
    ({ endIndex: end = 0, paragraph, startIndex: start = 0, table }) => {
      if (paragraph !== undefined) return paragraphBlocks(paragraph, { start, end }, tab, numberItem)
      if (table === undefined) return [gap({ start, end })]
      const code = codeInCell(table, tab)
      if (code !== undefined) {
        return [{ kind: "code", ...code, inTable: true, start, end, quoteLevels: 0, listLevels: 0 } satisfies CodeLine]
      }
      const read = readTable(table, tab, numberItem)
      return [read === undefined ? gap({ start, end }) : { kind: "table" as const, table: read, start, end }]
    }
  )
  return blocks.map((block, position) => {
    const [before, after] = [blocks[position - 1], blocks[position + 1]]
    if (block.kind === "code") {
      return block.line.trim().includes("\n") || isCodeParagraph(before) || isCodeParagraph(after)
        ? block
        : block.asText ?? block
    }
    return isCodeEnd(block, before) ? gap(block) : block
  })
}

const gap = ({ end, start }: Extent): GapBlock => ({ kind: "gap", code: false, start, end })

const isCodeParagraph = (block: Block | undefined): boolean => block?.kind === "code" && block.inTable !== true

const isCodeEnd = (block: Block, before: Block | undefined): boolean =>
  before?.kind === "code" && block.kind === "text" && block.marker === undefined &&
  plainText(block.inlines) === objectReplacement

const paragraphBlocks = (
  paragraph: Paragraph,
  extent: Extent,
  tab: ReadContext,
  numberItem: ItemNumbers
): ReadonlyArray<Block> => {
  const all = paragraph.elements ?? []
  const elements = tab.suggestions === "hide" ? all.filter((element) => !isInserted(elementContent(element))) : all
  const inlines = paragraphInlines(paragraph, tab, elements)
  if (elements.length === 0 && inlines.length === 0) return [gap(extent)]
  const nesting = nestingOf(paragraph)
  const marker = paragraph.bullet === undefined ? undefined : numberItem(paragraph.bullet)
  const rules = elements.filter(({ horizontalRule }) => horizontalRule !== undefined)
    .map((): RuleBlock => ({ kind: "rule", ...extent, ...nesting }))
  const headingStyle = headingStyleOf(paragraph)
  const headingId = paragraph.paragraphStyle?.headingId
  const text: TextBlock = { kind: "text", headingStyle, headingId, inlines, marker, ...extent, ...nesting }
  if (marker === undefined && headingStyle === undefined && isCodeLine(paragraph, elements)) {
    const code: CodeLine = {
      kind: "code",
      line: lineOf(elements, tab),
      marked: markedRuns(elements),
      asText: isShaded(paragraph) ? undefined : text,
      ...extent,
      ...nesting
    }
    const floats = inlines.filter((inline) => inline.kind === "node" && inline.floats === true)
    return floats.length === 0 ? [code] : [code, { ...text, inlines: floats }]
  }
  if (inlines.length > 0 || marker !== undefined) return [...rules, text]
  if (rules.length > 0) return rules
  return hasBottomBorder(paragraph)
    ? [{ kind: "rule", ...extent, ...nesting }]
    : [{ kind: "gap", code: isShaded(paragraph) || newlineIsMonospaced(elements), ...extent }]
}

const codeFrame = /\uE907/g

const lineOf = (elements: ReadonlyArray<ParagraphElement>, tab: ReadContext): string =>
  plainText(untrimmedInlines(
    elements.map((element) => ({
      ...element,
      textRun: { ...element.textRun, content: element.textRun?.content?.replace(codeFrame, "") ?? "" }
    })),
    tab
  ))

const isCodeLine = (paragraph: Paragraph, elements: ReadonlyArray<ParagraphElement>): boolean =>
  visibleRuns(elements).length > 0 && isAllCode(elements) &&
  (isShaded(paragraph) || newlineIsMonospaced(elements) ||
    elements.map(({ textRun }) => textRun?.content ?? "").join("").trim().includes("\u000B"))

const visibleRuns = (elements: ReadonlyArray<ParagraphElement>): ReadonlyArray<ParagraphElement> =>
  elements.filter(({ textRun }) => (textRun?.content ?? "").replace(codeFrame, "").trim() !== "")

const isAllCode = (elements: ReadonlyArray<ParagraphElement>): boolean =>
  elements.every(({ textRun }) => textRun !== undefined) &&
  visibleRuns(elements).every(({ textRun }) => isMonospaced(textRun?.textStyle))

/** The code in a table that is only a frame around it. */
const codeInCell = (
  table: TableElement,
  tab: ReadContext
): Pick<CodeLine, "line" | "marked"> | undefined => {
  const [cells = [], ...rows] = visibleCells(table, tab) ?? []
  const [{ content = [] } = {}, ...others] = cells
  if (rows.length > 0 || others.length > 0) return undefined
  const paragraphs = content.flatMap(({ paragraph }) => paragraph === undefined ? [] : [paragraph])
  const isCode = paragraphs.length === content.length &&
    paragraphs.every((paragraph) =>
      isAllCode(paragraph.elements ?? []) && paragraph.bullet === undefined &&
      headingStyleOf(paragraph) === undefined &&
      paragraph.positionedObjectIds === undefined
    ) &&
    paragraphs.some(({ elements = [] }) => visibleRuns(elements).length > 0)
  if (!isCode) return undefined
  const lines = paragraphs.flatMap(({ elements = [] }) => lineOf(elements, tab).split("\n"))
  return {
    line: lines.slice(
      lines.findIndex((line) => line.trim() !== ""),
      lines.findLastIndex((line) => line.trim() !== "") + 1
    )
      .join("\n"),
    marked: paragraphs.reduce((sum, { elements = [] }) => sum + markedRuns(elements), 0)
  }
}

const markedRuns = (elements: ReadonlyArray<ParagraphElement>): number =>
  visibleRuns(elements).filter(({ textRun: { textStyle: { bold, italic, link, strikethrough } = {} } = {} }) =>
    bold === true || italic === true || strikethrough === true || link !== undefined
  ).length

export const marksInCode = (blocks: ReadonlyArray<Block>): number =>
  blocks.reduce((sum, block) => sum + (block.kind === "code" ? block.marked : 0), 0)

const newlineIsMonospaced = (elements: ReadonlyArray<ParagraphElement>): boolean =>
  isMonospaced(elements.at(-1)?.textRun?.textStyle)
