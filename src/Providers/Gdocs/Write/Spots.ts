import type { Paragraph, StructuralElement } from "../Read/DocumentAnswer.ts"
import type { Heading } from "../Read/Outline.ts"
import type { TabView } from "../Read/Tabs.ts"

/** Where blocks can be written. */
export interface Spot {
  /** Where a newline has to be put first, so that there is a paragraph of its own for what is written. */
  readonly split?: number
  /** Where what is written begins. */
  readonly index: number
  readonly mode: "fill" | "push"
  readonly inTable: boolean
}

/** A paragraph that can be written into. */
export interface Room {
  readonly start: number
  /** Just after its newline. */
  readonly end: number
  readonly text: string
  readonly inTable: boolean
}

const splitAfter = (end: number, inTable: boolean): Spot => ({ split: end - 1, index: end, mode: "fill", inTable })

const isEmpty = ({ end, start }: Room): boolean => end - start === 1

/** After the last paragraph, or in it when it is empty. */
export const endOfTab = ({ endIndex }: Pick<TabView, "endIndex">, last: Room | undefined): Spot =>
  last !== undefined && isEmpty(last)
    ? { index: last.start, mode: "fill", inTable: false }
    : splitAfter(endIndex, false)

/** Directly below a heading: before the paragraph that follows, or after the heading where none does. */
export const belowHeading = ({ body }: TabView, { end }: Heading): Spot =>
  body.some(({ paragraph, startIndex }) => startIndex === end && paragraph !== undefined)
    ? { index: end, mode: "push", inTable: false }
    : splitAfter(end, false)

/** Before the next heading that does not belong to this one's section. */
export const endOfSection = (
  tab: TabView,
  headings: ReadonlyArray<Heading>,
  heading: Heading,
  last: Room | undefined
): Spot => {
  const next = headings.find((each) => each.start > heading.start && closes(each, heading))
  return next === undefined ? endOfTab(tab, last) : { index: next.start, mode: "push", inTable: false }
}

/** A title's section ends with the next title; a subtitle does not end it. */
const closes = (next: Heading, { level, style }: Heading): boolean => {
  if (style === "title") return next.style === "title"
  return next.level <= level
}

/** Every paragraph that can be written into, in the order of the tab. A table of contents writes itself. */
export const roomsOf = (content: ReadonlyArray<StructuralElement>, inTable = false): ReadonlyArray<Room> =>
  content.flatMap(({ endIndex: end = 0, paragraph, startIndex: start = 0, table }): ReadonlyArray<Room> => {
    if (paragraph !== undefined) return [{ start, end, text: textOf(paragraph), inTable }]
    return (table?.tableRows ?? []).flatMap((row) => row.tableCells ?? [])
      .flatMap((cell) => roomsOf(cell.content ?? [], true))
  })

/** One character a unit; what is no text is U+FFFC. */
const textOf = ({ elements = [] }: Paragraph): string =>
  elements.map(({ endIndex = 0, startIndex = 0, textRun }) =>
    textRun?.content ?? "\uFFFC".repeat(endIndex - startIndex)
  )
    .join("")

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

export type Position =
  | { readonly kind: "outside"; readonly before: Room | undefined; readonly after: Room | undefined }
  | { readonly kind: "inside a character" }
  | { readonly kind: "start" | "middle"; readonly room: Room; readonly spot: Spot }
  | { readonly kind: "end"; readonly room: Room; readonly spot: Spot }

/** What is at an index. */
export const positionOf = (rooms: ReadonlyArray<Room>, index: number): Position => {
  const room = rooms.find(({ end, start }) => start <= index && index < end)
  if (room === undefined) {
    return {
      kind: "outside",
      before: rooms.findLast(({ end }) => end <= index),
      after: rooms.find(({ start }) => start > index)
    }
  }
  const { inTable } = room
  const offset = index - room.start
  if (isEmpty(room)) return { kind: "start", room, spot: { index, mode: "fill", inTable } }
  if (offset === 0) return { kind: "start", room, spot: { index, mode: "push", inTable } }
  if (graphemes.segment(room.text).containing(offset)?.index !== offset) return { kind: "inside a character" }
  return index === room.end - 1
    ? { kind: "end", room, spot: splitAfter(room.end, inTable) }
    : { kind: "middle", room, spot: splitAfter(room.end, inTable) }
}
