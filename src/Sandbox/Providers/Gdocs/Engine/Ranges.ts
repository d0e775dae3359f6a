import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Content, Document } from "./Document.ts"
import { refuse } from "./Errors.ts"
import { plainText, sliceInlines } from "./Inlines.ts"
import { findSegment, type FoundSegment, type SegmentAddress } from "./Segments.ts"
import { endOf, paragraphAt, type Place } from "./Tree.ts"

interface Location extends SegmentAddress {
  readonly index?: number
}

export interface Insertion {
  readonly location?: Location
  readonly endOfSegmentLocation?: SegmentAddress
}

interface Range extends SegmentAddress {
  readonly startIndex?: number
  readonly endIndex?: number
}

export interface FoundRange extends FoundSegment {
  readonly from: number
  readonly to: number
}

export interface InsertionPoint extends FoundSegment {
  readonly index: number
  readonly place: Place
}

const outsideParagraph =
  "The insertion index must be inside the bounds of an existing paragraph. You can still create new paragraphs by " +
  "inserting newlines."

const indexTooLarge = (index: number, end: number) =>
  `Index ${index} must be less than the end index of the referenced segment, ${end}.`

export const insertionPoint = (
  document: Document,
  { endOfSegmentLocation, location }: Insertion
): Result.Result<InsertionPoint, GoogleError> =>
  Result.gen(function*() {
    const found = yield* findSegment(document, location ?? endOfSegmentLocation ?? {})
    const end = endOf(found.content)
    const index = location === undefined ? end - 1 : location.index ?? 0
    if (index >= end) return yield* refuse(indexTooLarge(index, end))
    const place = paragraphAt(found.content, index)
    if (place === undefined) return yield* refuse(outsideParagraph)
    if (!isBoundary(plainText(place.paragraph.inlines), index - place.start)) {
      return yield* refuse("The insertion index cannot be within a grapheme cluster.")
    }
    return { ...found, index, place }
  })

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

const isBoundary = (text: string, offset: number): boolean =>
  offset === 0 || graphemes.segment(text).containing(offset)?.index === offset

export const findRange = (
  document: Document,
  range: Range | undefined
): Result.Result<FoundRange, GoogleError> =>
  Result.gen(function*() {
    if (range === undefined) return yield* refuse("The range must be set.")
    const found = yield* findSegment(document, range)
    const { endIndex: to = 0, startIndex: from = 0 } = range
    const end = endOf(found.content)
    if (from >= end) return yield* refuse(indexTooLarge(from, end))
    if (to > end) return yield* refuse(indexTooLarge(to, end))
    if (to < from) {
      return yield* refuse("Invalid range: end index cannot be less than start index")
    }
    if (to === from) return yield* refuse("The range should not be empty.")
    return { ...found, from, to }
  })

export const cutsSurrogatePair = (content: Content, index: number): boolean => {
  const place = paragraphAt(content, index)
  if (place === undefined || index === place.start) return false
  const offset = index - place.start
  const around = plainText(sliceInlines(place.paragraph.inlines, offset - 1, offset + 1))
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(around)
}
