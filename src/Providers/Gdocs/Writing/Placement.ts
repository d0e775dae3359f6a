import { blocksOf } from "../Reading/Blocks.ts"
import { type Heading, outlineOf } from "../Reading/Outline.ts"
import type { TabView } from "../Tabs.ts"
import { matchHeading } from "./HeadingMatch.ts"
import {
  belowHeading,
  type EditableParagraph,
  editableParagraphs,
  endOfSection,
  type InsertionPoint,
  positionOf
} from "./InsertionPoint.ts"
import type { NewBlock, NewParagraph } from "./NewBlocks.ts"

export type Placement =
  | { readonly kind: "inline"; readonly index: number; readonly inTable: boolean; readonly paragraph: NewParagraph }
  | { readonly kind: "blocks"; readonly point: InsertionPoint; readonly heading?: Heading }

export type PlacementResult = Placement | {
  readonly field: "heading" | "occurrence" | "index"
  readonly message: string
}

export interface HeadingPlace {
  readonly heading: string
  readonly occurrence: number | undefined
  readonly placement: "below_heading" | "section_end"
}

export const headingsOf = ({ body, contents: { lists = {} }, id }: TabView): ReadonlyArray<Heading> =>
  outlineOf(blocksOf(body, { tabId: id, contents: { lists }, suggestions: "hide", footnotePrefix: "" }), id)

export const placeAtHeading = (
  tab: TabView,
  { heading: wanted, occurrence, placement }: HeadingPlace
): PlacementResult => {
  const headings = headingsOf(tab)
  const match = matchHeading(headings, wanted, occurrence)
  if (!("heading" in match)) return match
  const { heading } = match
  const point = placement === "below_heading"
    ? belowHeading(tab, heading)
    : endOfSection(tab, headings, heading, editableParagraphs(tab.body).at(-1))
  return { kind: "blocks", point, heading }
}

export const placeAtIndex = (tab: TabView, index: number, blocks: ReadonlyArray<NewBlock>): PlacementResult => {
  const last = tab.endIndex - 1
  if (index > last) return invalidIndex(`The index must be between 1 and ${last}, the end of the tab's text.`)
  const position = positionOf(editableParagraphs(tab.body), index)
  if (position.kind === "outside") {
    const nearest = [position.before, position.after].flatMap((each) =>
      each === undefined ? [] : [describeExtent(each)]
    )
    return invalidIndex(`Index ${index} is not inside a paragraph. The nearest reach ${nearest.join(" and ")}.`)
  }
  if (position.kind === "inside a character") {
    return invalidIndex(
      `Index ${index} is in the middle of a character, such as an emoji. The indexes around it are ${position.before} ` +
        `and ${position.after}.`
    )
  }
  const { paragraph, point } = position
  if (position.kind === "start") return { kind: "blocks", point }
  const inline = inlineParagraph(blocks)
  if (inline !== undefined) return { kind: "inline", index, inTable: paragraph.inTable, paragraph: inline }
  if (position.kind === "end") return { kind: "blocks", point }
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
