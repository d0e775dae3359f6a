import { blocksOf } from "../Reading/Blocks.ts"
import { type Heading, outlineOf } from "../Reading/Outline.ts"
import { cellsOf, type Paragraph, type StructuralElement } from "../Responses.ts"
import type { TabView } from "../Tabs.ts"
import { matchHeading } from "./HeadingMatch.ts"
import type { NewBlock, NewParagraph } from "./NewBlocks.ts"

export interface InsertionPoint {
  readonly split?: number
  readonly index: number
  /** `fill`: the last block becomes the paragraph at `index`. `push`: that paragraph stays below the blocks. */
  readonly mode: "fill" | "push"
  readonly inTable: boolean
}

export type Placement =
  | { readonly kind: "inline"; readonly index: number; readonly inTable: boolean; readonly paragraph: NewParagraph }
  | { readonly kind: "blocks"; readonly point: InsertionPoint; readonly heading?: Heading }

export type PlacementResult = Placement | {
  readonly field: "heading" | "occurrence" | "index"
  readonly message: string
}

export const headingsOf = ({ body, contents: { lists = {} }, id }: TabView): ReadonlyArray<Heading> =>
  outlineOf(blocksOf(body, { tabId: id, contents: { lists }, suggestions: "hide", footnotePrefix: "" }), id)

export const placeAtHeading = (
  tab: TabView,
  wanted: string,
  { occurrence, placement }: {
    readonly occurrence?: number
    readonly placement: "below_heading" | "section_end"
  }
): PlacementResult => {
  const headings = headingsOf(tab)
  const match = matchHeading(headings, wanted, occurrence)
  if (!("heading" in match)) return match
  const { heading } = match
  const point = placement === "below_heading" ? belowHeading(tab, heading) : endOfSection(tab, headings, heading)
  return { kind: "blocks", point, heading }
}

export const endOfTab = ({ body, endIndex }: Pick<TabView, "body" | "endIndex">): InsertionPoint => {
  const last = editableParagraphs(body).at(-1)
  return last !== undefined && isEmpty(last)
    ? { index: last.start, mode: "fill", inTable: false }
    : splitAfter(endIndex, false)
}

const belowHeading = ({ body }: TabView, { end }: Heading): InsertionPoint =>
  body.some(({ paragraph, startIndex }) => startIndex === end && paragraph !== undefined)
    ? { index: end, mode: "push", inTable: false }
    : splitAfter(end, false)

const endOfSection = (
  tab: TabView,
  headings: ReadonlyArray<Heading>,
  { level, start, style }: Heading
): InsertionPoint => {
  const next = headings.find((each) =>
    each.start > start && (style === "title" ? each.style === "title" : each.level <= level)
  )
  return next === undefined ? endOfTab(tab) : { index: next.start, mode: "push", inTable: false }
}

const splitAfter = (end: number, inTable: boolean): InsertionPoint => ({
  split: end - 1,
  index: end,
  mode: "fill",
  inTable
})

interface EditableParagraph {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly inTable: boolean
}

const isEmpty = ({ end, start }: EditableParagraph): boolean => end - start === 1

const editableParagraphs = (
  content: ReadonlyArray<StructuralElement>,
  inTable = false
): ReadonlyArray<EditableParagraph> =>
  content.flatMap(
    ({ endIndex: end = 0, paragraph, startIndex: start = 0, table }): ReadonlyArray<EditableParagraph> => {
      if (paragraph !== undefined) return [{ start, end, text: textOf(paragraph), inTable }]
      return cellsOf(table).flatMap((cell) => editableParagraphs(cell.content ?? [], true))
    }
  )

const textOf = ({ elements = [] }: Paragraph): string =>
  elements.map(({ endIndex = 0, startIndex = 0, textRun }) =>
    textRun?.content ?? "\uFFFC".repeat(endIndex - startIndex)
  )
    .join("")

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

export const placeAtIndex = (tab: TabView, index: number, blocks: ReadonlyArray<NewBlock>): PlacementResult => {
  const last = tab.endIndex - 1
  if (index > last) return invalidIndex(`The index must be between 1 and ${last}, the end of the tab's text.`)
  const paragraphs = editableParagraphs(tab.body)
  const paragraph = paragraphs.find(({ end, start }) => start <= index && index < end)
  if (paragraph === undefined) {
    const nearest = [paragraphs.findLast(({ end }) => end <= index), paragraphs.find(({ start }) => start > index)]
      .flatMap((each) => each === undefined ? [] : [describeExtent(each)])
    return invalidIndex(`Index ${index} is not inside a paragraph. The nearest reach ${nearest.join(" and ")}.`)
  }
  const { end, inTable, start, text } = paragraph
  if (isEmpty(paragraph)) return { kind: "blocks", point: { index, mode: "fill", inTable } }
  if (index === start) return { kind: "blocks", point: { index, mode: "push", inTable } }
  const character = graphemes.segment(text).containing(index - start)
  if (character !== undefined && start + character.index !== index) {
    const before = start + character.index
    return invalidIndex(
      `Index ${index} is in the middle of a character, such as an emoji. The indexes around it are ${before} ` +
        `and ${before + character.segment.length}.`
    )
  }
  const inline = inlineParagraph(blocks)
  if (inline !== undefined) return { kind: "inline", index, inTable, paragraph: inline }
  if (index === end - 1) return { kind: "blocks", point: splitAfter(end, inTable) }
  return invalidIndex(
    `Index ${index} is in the middle of a paragraph, which reaches ${describeExtent(paragraph)}: ` +
      "only text without paragraphs of its own can go there, anything else before it or after it, at one of these two."
  )
}

const describeExtent = ({ end, start }: EditableParagraph): string => `from ${start} to ${end - 1}`

const invalidIndex = (message: string): PlacementResult => ({ field: "index", message })

const inlineParagraph = ([block, ...others]: ReadonlyArray<NewBlock>): NewParagraph | undefined => {
  if (block?.kind !== "paragraphs" || others.length > 0) return undefined
  const [paragraph, ...more] = block.paragraphs
  if (paragraph === undefined || more.length > 0) return undefined
  const { kind, listLevels, namedStyle, quoteLevels } = paragraph.style
  return kind === "text" && namedStyle === "NORMAL_TEXT" && listLevels === 0 && quoteLevels === 0
    ? paragraph
    : undefined
}
