import { Option, Schema } from "effect"
import type { TextChange } from "../../../Domain/Calls/Change.ts"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { ParagraphStyle, TextStyle } from "../Generated.ts"
import type { Request } from "../Writing/Requests.ts"
import {
  firstCharacter,
  isSameParagraph,
  type KeptParagraph,
  type PlacedParagraph,
  textOfParagraph
} from "./Paragraphs.ts"
import {
  byContainer,
  containerOf,
  counterpart,
  differenceOf,
  type KeptRegion,
  type TextDifference,
  textOfRegion
} from "./Regions.ts"
import { textChange } from "./TextEdits.ts"

/** What takes the regions back, and those that are no longer as the write left them. */
export const undoRegions = (regions: ReadonlyArray<KeptRegion>, paragraphs: ReadonlyArray<PlacedParagraph>) => {
  const containers = byContainer(paragraphs)
  const ends = new Map<string, number>()
  const placed = regions.map((region) => {
    const container = containerOf(region)
    const paragraphs = containers.get(container) ?? []
    const found = find(region, paragraphs, ends.get(container) ?? 0)
    if (found !== undefined) ends.set(container, found + region.after.length)
    return { region, first: found === undefined ? undefined : paragraphs[found] }
  })
  // From the end, so that indexes stay.
  const undone = placed.flatMap(({ first, region }) => first === undefined ? [] : [undoRegion(region, first.start)])
    .toSorted((one, other) => other.start - one.start)
  return {
    conflicts: placed.flatMap(({ first, region }) => first === undefined ? [conflictOf(region)] : []),
    changes: undone.map(({ change }) => change),
    requests: undone.flatMap((each) => each.requests)
  }
}

/**
 * The first paragraph of the region, if it is as the write left it. Other edits may have moved it. Regions do not
 * overlap, though their paragraphs may be equal.
 */
const find = (
  { above, after, below }: KeptRegion,
  container: ReadonlyArray<PlacedParagraph>,
  from: number
): number | undefined =>
  [above, container.length - below - after.length].find((start) =>
    start >= from &&
    // The last end of a container cannot be removed.
    (below === 0 || start + after.length < container.length) &&
    after.every((paragraph, index) => isSame(paragraph, container[start + index]))
  )

const isSame = (paragraph: KeptParagraph, found: PlacedParagraph | undefined): boolean =>
  found !== undefined && isSameParagraph(paragraph, found)

const conflictOf = ({ after, tabId }: KeptRegion): TextChange => ({
  tab: tabId,
  index: 0,
  removed: textOfRegion(after),
  inserted: ""
})

interface RegionUndo {
  readonly start: number
  readonly change: TextChange
  readonly requests: ReadonlyArray<Request>
}

const undoRegion = (region: KeptRegion, start: number): RegionUndo => {
  const { segmentId, tabId } = region
  const scope = { ...(segmentId === "" ? {} : { segmentId }), tabId }
  const difference = differenceOf(region)
  const { inserted, offset, removed } = difference
  const index = start + offset
  const texts: ReadonlyArray<Request> = [
    ...inserted === "" ? [] : [{ insertText: { location: { ...scope, index }, text: inserted } }],
    ...removed === "" ? [] : [{
      deleteContentRange: {
        range: { ...scope, startIndex: index + inserted.length, endIndex: index + inserted.length + removed.length }
      }
    }]
  ]
  const hadBullets = region.after.some(({ bullet }) => bullet !== null)
  const left = stylesLeft(region, difference)
  let at = start
  const styles = region.before.flatMap((paragraph, nth): ReadonlyArray<Request> => {
    const from = at
    at += textOfRegion([paragraph]).length
    const range = { ...scope, startIndex: from, endIndex: at }
    const now = counterpart(region, nth)
    const isRestyled = now === undefined || canonicalJson(now.style) !== canonicalJson(paragraph.style)
    const bulletStyle = paragraph.bullet?.["textStyle"] ?? {}
    const isOtherBullet = paragraph.bullet !== null &&
      canonicalJson(bulletStyle) !== canonicalJson(now?.bullet?.["textStyle"] ?? {})
    return [
      ...hadBullets && paragraph.bullet === null ? [{ deleteParagraphBullets: { range } }] : [],
      ...isRestyled || hadBullets && paragraph.bullet === null ? [paragraphStyle(paragraph, range)] : [],
      ...isOtherBullet ? [textStyle(range, bulletStyle)] : [],
      ...textStyles(paragraph, isRestyled || isOtherBullet ? [] : left.slice(from - start, at - start), from, scope)
    ]
  })
  return {
    start,
    change: { ...textChange(tabId, textOfRegion(region.after), offset, { removed, inserted }), index },
    requests: [...texts, ...styles]
  }
}

type Range = NonNullable<NonNullable<Request["updateTextStyle"]>["range"]>

const decodeParagraphStyle = Schema.decodeUnknownOption(ParagraphStyle)
const decodeTextStyle = Schema.decodeUnknownOption(TextStyle)

const { headingId: _, tabStops: __, ...settableFields } = ParagraphStyle.fields
const { pageBreakBefore: ___, ...restoredFields } = settableFields

/** `pageBreakBefore` is refused inside of tables, unless it is set. */
const paragraphStyle = ({ style }: KeptParagraph, range: Range): Request => {
  const { headingId: _, tabStops: __, ...settable } = style
  const fields = Object.keys("pageBreakBefore" in settable ? settableFields : restoredFields)
  const paragraphStyle = Option.getOrElse(decodeParagraphStyle(settable), () => ({}))
  return { updateParagraphStyle: { range, paragraphStyle, fields: fields.join(",") } }
}

/** As JSON, for each character. `undefined` where the undo inserts it. */
const stylesLeft = (
  { after }: KeptRegion,
  { inserted, offset, removed }: TextDifference
): ReadonlyArray<string | undefined> => {
  const styles = after.flatMap(({ pieces }) =>
    pieces.flatMap(({ style, text }) => Array.from<string>({ length: text.length }).fill(canonicalJson(style)))
  )
  const unknown = Array.from<undefined>({ length: inserted.length })
  return [...styles.slice(0, offset), ...unknown, ...styles.slice(offset + removed.length)]
}

const textStyles = (
  paragraph: KeptParagraph,
  left: ReadonlyArray<string | undefined>,
  start: number,
  scope: Pick<Range, "segmentId" | "tabId">
): ReadonlyArray<Request> => {
  let at = 0
  const parts = paragraph.pieces.flatMap(({ other, style, text }) => {
    const from = at
    at += text.length
    if (other !== undefined || text === "") return []
    const whole = { from, to: at, style }
    return paragraph.bullet === null ? [whole] : lostParts(whole, left).flatMap((part) => belowWhole(part, paragraph))
  })
  return parts.map(({ from, style, to }) =>
    textStyle({ ...scope, startIndex: start + from, endIndex: start + to }, style)
  )
}

const textStyle = (range: Range, style: unknown): Request => ({
  updateTextStyle: { range, textStyle: Option.getOrElse(decodeTextStyle(style), () => ({})), fields: "*" }
})

interface StyledPart {
  readonly from: number
  readonly to: number
  readonly style: KeptParagraph["style"]
}

const lostParts = (
  { from, style, to }: StyledPart,
  left: ReadonlyArray<string | undefined>
): ReadonlyArray<StyledPart> => {
  const wanted = canonicalJson(style)
  const lost: Array<StyledPart> = []
  for (let at = from; at < to; at++) {
    const last = lost.at(-1)
    if (left[at] === wanted) continue
    if (last?.to === at) lost[lost.length - 1] = { ...last, to: at + 1 }
    else lost.push({ from: at, to: at + 1, style })
  }
  return lost
}

/** A request that styles the whole text of an item styles its bullet as well. */
const belowWhole = (part: StyledPart, paragraph: KeptParagraph): ReadonlyArray<StyledPart> => {
  const { length } = textOfParagraph(paragraph)
  const first = firstCharacter(paragraph)
  return part.from > 0 || part.to < length - 1 || first >= length - 1
    ? [part]
    : [{ ...part, to: first }, { ...part, from: first }]
}
