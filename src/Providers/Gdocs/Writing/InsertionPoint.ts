import type { Heading } from "../Reading/Outline.ts"
import type { Paragraph, StructuralElement } from "../Responses.ts"
import type { TabView } from "../Tabs.ts"

export interface InsertionPoint {
  readonly split?: number
  readonly index: number
  /** `fill`: the last block becomes the paragraph at `index`. `push`: that paragraph stays below the blocks. */
  readonly mode: "fill" | "push"
  readonly inTable: boolean
}

export interface EditableParagraph {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly inTable: boolean
}

const splitAfter = (end: number, inTable: boolean): InsertionPoint => ({
  split: end - 1,
  index: end,
  mode: "fill",
  inTable
})

const isEmpty = ({ end, start }: EditableParagraph): boolean => end - start === 1

export const endOfTab = (
  { endIndex }: Pick<TabView, "endIndex">,
  last: EditableParagraph | undefined
): InsertionPoint =>
  last !== undefined && isEmpty(last)
    ? { index: last.start, mode: "fill", inTable: false }
    : splitAfter(endIndex, false)

export const belowHeading = ({ body }: TabView, { end }: Heading): InsertionPoint =>
  body.some(({ paragraph, startIndex }) => startIndex === end && paragraph !== undefined)
    ? { index: end, mode: "push", inTable: false }
    : splitAfter(end, false)

export const endOfSection = (
  tab: TabView,
  headings: ReadonlyArray<Heading>,
  heading: Heading,
  last: EditableParagraph | undefined
): InsertionPoint => {
  const next = headings.find((each) => each.start > heading.start && endsSection(each, heading))
  return next === undefined ? endOfTab(tab, last) : { index: next.start, mode: "push", inTable: false }
}

const endsSection = (next: Heading, { level, style }: Heading): boolean =>
  style === "title" ? next.style === "title" : next.level <= level

export const editableParagraphs = (
  content: ReadonlyArray<StructuralElement>,
  inTable = false
): ReadonlyArray<EditableParagraph> =>
  content.flatMap(
    ({ endIndex: end = 0, paragraph, startIndex: start = 0, table }): ReadonlyArray<EditableParagraph> => {
      if (paragraph !== undefined) return [{ start, end, text: textOf(paragraph), inTable }]
      return (table?.tableRows ?? []).flatMap((row) => row.tableCells ?? [])
        .flatMap((cell) => editableParagraphs(cell.content ?? [], true))
    }
  )

const textOf = ({ elements = [] }: Paragraph): string =>
  elements.map(({ endIndex = 0, startIndex = 0, textRun }) =>
    textRun?.content ?? "\uFFFC".repeat(endIndex - startIndex)
  )
    .join("")

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

export type IndexPosition =
  | {
    readonly kind: "outside"
    readonly before: EditableParagraph | undefined
    readonly after: EditableParagraph | undefined
  }
  | { readonly kind: "inside a character"; readonly before: number; readonly after: number }
  | { readonly kind: "start" | "middle" | "end"; readonly paragraph: EditableParagraph; readonly point: InsertionPoint }

export const positionOf = (paragraphs: ReadonlyArray<EditableParagraph>, index: number): IndexPosition => {
  const paragraph = paragraphs.find(({ end, start }) => start <= index && index < end)
  if (paragraph === undefined) {
    return {
      kind: "outside",
      before: paragraphs.findLast(({ end }) => end <= index),
      after: paragraphs.find(({ start }) => start > index)
    }
  }
  const { inTable } = paragraph
  const offset = index - paragraph.start
  if (isEmpty(paragraph)) return { kind: "start", paragraph, point: { index, mode: "fill", inTable } }
  if (offset === 0) return { kind: "start", paragraph, point: { index, mode: "push", inTable } }
  const character = graphemes.segment(paragraph.text).containing(offset)
  if (character !== undefined && character.index !== offset) {
    const before = paragraph.start + character.index
    return { kind: "inside a character", before, after: before + character.segment.length }
  }
  const kind = index === paragraph.end - 1 ? "end" : "middle"
  return { kind, paragraph, point: splitAfter(paragraph.end, inTable) }
}
