import { Schema } from "effect"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { append } from "../../../Domain/Lists.ts"
import { boundariesOf } from "./Characters.ts"
import { isInseparable, isSameParagraph, KeptParagraph, type PlacedParagraph, textOfParagraph } from "./Paragraphs.ts"
import { noText } from "./Texts.ts"

/** Paragraphs that a write has changed, as they were and as it left them. */
export const KeptRegion = Schema.Struct({
  tabId: Schema.String,
  segmentId: Schema.String,
  container: Schema.String,
  /** The number of paragraphs before and after the region in its container. */
  above: Schema.Int,
  below: Schema.Int,
  before: Schema.Array(KeptParagraph),
  after: Schema.Array(KeptParagraph),
  /** The common end is cut off before the common start. */
  endFirst: Schema.Boolean
})
export type KeptRegion = typeof KeptRegion.Type

type Container = Pick<PlacedParagraph, "container" | "segmentId" | "tabId">

export const containerOf = ({ container, segmentId, tabId }: Container): string => `${tabId}/${segmentId}${container}`

/** The paragraphs of a cell, and those between tables, are apart. */
export const byContainer = (
  paragraphs: ReadonlyArray<PlacedParagraph>
): ReadonlyMap<string, ReadonlyArray<PlacedParagraph>> => Map.groupBy(paragraphs, containerOf)

/** `undefined` where a change has no exact inverse. */
export const changedRegions = (
  before: ReadonlyArray<PlacedParagraph>,
  after: ReadonlyArray<PlacedParagraph>
): ReadonlyArray<KeptRegion> | undefined => {
  const [old, now] = [byContainer(before), byContainer(after)]
  if (old.size !== now.size) return undefined
  const regions: Array<KeptRegion> = []
  for (const [container, was] of old) {
    const is = now.get(container)
    const found = is === undefined ? undefined : regionsOf(was, is)
    if (found === undefined || !found.every(isRestorable)) return undefined
    append(regions, found)
  }
  return regions
}

const regionsOf = (
  was: ReadonlyArray<PlacedParagraph>,
  is: ReadonlyArray<PlacedParagraph>
): ReadonlyArray<KeptRegion> | undefined => changedSpans(was, is, isSameParagraph)?.map((span) => region(was, is, span))

interface Span {
  /** The number of paragraphs before and after it. */
  readonly above: number
  readonly below: number
  /** The common end is cut off before the common start. */
  readonly endFirst: boolean
}

/** The paragraphs that differ. `undefined` where no paragraph stays whose end could. */
export const changedSpans = <A>(
  was: ReadonlyArray<A>,
  is: ReadonlyArray<A>,
  isSame: (one: A, other: A) => boolean
): ReadonlyArray<Span> | undefined => {
  const areSame = (one: A | undefined, other: A | undefined) =>
    one !== undefined && other !== undefined && isSame(one, other)
  if (was.length === is.length) {
    return was.flatMap((old, index) =>
      areSame(old, is[index]) ? [] : [{ above: index, below: is.length - index - 1, endFirst: false }]
    )
  }
  const shorter = Math.min(was.length, is.length)
  let above = 0
  while (above < shorter && areSame(was[above], is[above])) above++
  let below = 0
  while (below < shorter - above && areSame(was.at(-1 - below), is.at(-1 - below))) below++
  // Both sides need a paragraph, whose end stays.
  const isEmpty = above === was.length - below || above === is.length - below
  const endFirst = isEmpty && above === 0
  if (isEmpty && above > 0) above--
  else if (isEmpty) below--
  return below < 0 ? undefined : [{ above, below, endFirst }]
}

const region = (
  was: ReadonlyArray<PlacedParagraph>,
  is: ReadonlyArray<PlacedParagraph>,
  { above, below, endFirst }: Span
): KeptRegion => ({
  tabId: was[above]?.tabId ?? "",
  segmentId: was[above]?.segmentId ?? "",
  container: was[above]?.container ?? "",
  above,
  below,
  before: was.slice(above, was.length - below).map(kept),
  after: is.slice(above, is.length - below).map(kept),
  endFirst
})

const kept = ({ bullet, pieces, style }: PlacedParagraph): KeptParagraph => ({ bullet, pieces, style })

export const textOfRegion = (paragraphs: ReadonlyArray<KeptParagraph>): string =>
  paragraphs.map(textOfParagraph).join("")

export interface TextDifference {
  /** In characters from the start of the region. */
  readonly offset: number
  readonly removed: string
  readonly inserted: string
}

const atEnd = (text: string, index: number) => text[text.length - 1 - index]
const atStart = (text: string, index: number) => text[index]

export const differenceOf = ({ after, before, ...span }: KeptRegion): TextDifference =>
  differenceBetween(textOfRegion(after), textOfRegion(before), span)

/** The smallest replacement of the text that the write left by the text before. Keeps the last end of a container. */
export const differenceBetween = (
  from: string,
  to: string,
  { below, endFirst }: Pick<Span, "below" | "endFirst">
): TextDifference => {
  // Each paragraph keeps its own end if whole ones are removed.
  if (!endFirst && below > 0 && from.startsWith(to)) {
    return { offset: to.length, removed: from.slice(to.length), inserted: "" }
  }
  const limit = Math.min(from.length, to.length) - 1
  const common = (most: number, at: (text: string, index: number) => string | undefined) => {
    let length = 0
    while (length < most && at(from, length) === at(to, length)) length++
    return length
  }
  let [start, end] = endFirst
    ? ((end: number) => [common(limit + 1 - end, atStart), end] as const)(common(limit + 1, atEnd))
    : ((start: number) => [start, common(limit + 1 - start, atEnd)] as const)(common(limit, atStart))
  const boundaries = [boundariesOf(from), boundariesOf(to)]
  while (!boundaries.every((isBoundary) => isBoundary(start))) start--
  while (!boundaries.every((isBoundary, index) => isBoundary((index === 0 ? from : to).length - end))) end--
  return { offset: start, removed: from.slice(start, from.length - end), inserted: to.slice(start, to.length - end) }
}

/** The paragraph of the write's result that becomes this one again. `undefined` for one that is inserted. */
export const counterpart = (region: KeptRegion, index: number): KeptParagraph | undefined => {
  const { after, before, endFirst } = region
  if (before.length === after.length) return after[index]
  if (endFirst) return after[after.length - before.length + index]
  if (index > 0) return undefined
  const { inserted, offset, removed } = differenceOf(region)
  if (offset === 0 && inserted.includes("\n")) return undefined
  // Of joined paragraphs, one without text gives way.
  return offset === 0 && inserted === "" && removed.includes("\n") ? after.at(-1) : after[0]
}

const others = (paragraphs: ReadonlyArray<KeptParagraph>): string =>
  canonicalJson(paragraphs.flatMap(({ pieces }) => pieces.flatMap(({ other }) => other === undefined ? [] : [other])))

/** The style of a bullet can be set, unless the item has no parts. */
const keepsBullet = (paragraph: KeptParagraph, now: KeptParagraph | undefined): boolean => {
  if (paragraph.bullet === null) return true
  const { textStyle: _, ...list } = paragraph.bullet
  const { textStyle: __, ...listNow } = now?.bullet ?? {}
  return canonicalJson(list) === canonicalJson(listNow) &&
    (!isInseparable(paragraph) || canonicalJson(paragraph.bullet) === canonicalJson(now?.bullet))
}

const isRestorable = (region: KeptRegion): boolean => {
  const { inserted, removed } = differenceOf(region)
  if (inserted.includes(noText) || removed.includes(noText)) return false
  // No request restores what is no text.
  if (others(region.before) !== others(region.after)) return false
  // No request sets tab stops.
  const tabStops = new Set(
    [...region.before, ...region.after].map(({ style }) => canonicalJson(style["tabStops"] ?? []))
  )
  if (tabStops.size > 1) return false
  return region.before.every((paragraph, index) => {
    const now = counterpart(region, index)
    const { headingId = null } = paragraph.style
    return keepsBullet(paragraph, now) && (headingId === null || headingId === now?.style["headingId"])
  })
}
