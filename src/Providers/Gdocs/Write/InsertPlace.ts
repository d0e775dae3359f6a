import type { DocumentTab } from "../Read/DocumentAnswer.ts"
import { type Heading, outlineOf } from "../Read/Outline.ts"
import { piecesOf } from "../Read/Pieces.ts"
import type { TabView } from "../Read/Tabs.ts"
import type { Block, Line } from "./Blocks.ts"
import { matchHeading } from "./HeadingMatch.ts"
import { belowHeading, endOfSection, positionOf, type Room, roomsOf, type Spot } from "./Spots.ts"

export type Place =
  /** Into a paragraph, whose style the text takes. */
  | { readonly kind: "inline"; readonly index: number; readonly inTable: boolean; readonly line: Line }
  | { readonly kind: "blocks"; readonly spot: Spot; readonly heading?: Heading }

export type Placed = Place | { readonly field: "heading" | "occurrence" | "index"; readonly message: string }

export interface HeadingWish {
  readonly heading: string
  readonly occurrence: number | undefined
  readonly placement: "below_heading" | "section_end"
}

export const headingsOf = (tab: TabView): ReadonlyArray<Heading> =>
  outlineOf(
    piecesOf(tab.body, {
      tabId: tab.id,
      contents: withoutLooks(tab.contents),
      suggestions: "hide",
      footnotePrefix: ""
    }),
    tab.id
  )

const withoutLooks = ({ lists = {} }: DocumentTab): DocumentTab => ({ lists })

export const placeByHeading = (tab: TabView, { heading: wanted, occurrence, placement }: HeadingWish): Placed => {
  const headings = headingsOf(tab)
  const match = matchHeading(headings, wanted, occurrence)
  if (!("heading" in match)) return match
  const { heading } = match
  const spot = placement === "below_heading"
    ? belowHeading(tab, heading)
    : endOfSection(tab, headings, heading, roomsOf(tab.body).at(-1))
  return { kind: "blocks", spot, heading }
}

export const placeByIndex = (tab: TabView, index: number, blocks: ReadonlyArray<Block>): Placed => {
  const last = tab.endIndex - 1
  if (index > last) return wrong(`The index has to be between 1 and ${last}, the end of the tab's text.`)
  const position = positionOf(roomsOf(tab.body), index)
  if (position.kind === "outside") {
    const nearest = [position.before, position.after].flatMap((room) => room === undefined ? [] : [reach(room)])
    return wrong(`Index ${index} is not inside a paragraph. The nearest reach ${nearest.join(" and ")}.`)
  }
  if (position.kind === "inside a character") {
    return wrong(`Index ${index} is in the middle of a character, such as an emoji.`)
  }
  const { room, spot } = position
  if (position.kind === "start") return { kind: "blocks", spot }
  const line = onlyLine(blocks)
  if (line !== undefined) return { kind: "inline", index, inTable: room.inTable, line }
  if (position.kind === "end") return { kind: "blocks", spot }
  return wrong(
    `Index ${index} is in the middle of a paragraph, which reaches ${
      reach(room)
    }: only text without paragraphs of its own ` +
      "can go there, anything else before it or after it, at one of these two."
  )
}

const reach = ({ end, start }: Room): string => `from ${start} to ${end - 1}`

const wrong = (message: string): Placed => ({ field: "index", message })

/** Text that needs no paragraph of its own. */
const onlyLine = ([block, ...others]: ReadonlyArray<Block>): Line | undefined => {
  if (block?.kind !== "paragraphs" || others.length > 0) return undefined
  const [line, ...more] = block.lines
  if (line === undefined || more.length > 0) return undefined
  const { items, kind, named, quotes } = line.look
  return kind === "text" && named === "NORMAL_TEXT" && items === 0 && quotes === 0 ? line : undefined
}
