import { Schema, Struct } from "effect"
import { hash } from "node:crypto"
import type { TextChange } from "../../../Domain/Calls/Change.ts"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import type { Request } from "../Writing/Requests.ts"
import { changeOf, type Replacement } from "./EditedText.ts"
import type { Line, Segment } from "./Segments.ts"

/** A text that a write has replaced, in the paragraphs that it left. */
export const ReplacedText = Schema.Struct({
  tabId: Schema.String,
  segmentId: Schema.String,
  /** The number of paragraphs before and after these in their segment. */
  above: Schema.Int,
  below: Schema.Int,
  /** A hash for each paragraph: many texts of one paragraph may be replaced. */
  paragraphs: Schema.Array(Schema.String),
  /** A hash of the segment. */
  segment: Schema.String,
  /** Hashes of the paragraphs before and after, if each alone tells these from equal ones. Empty at an end. */
  beside: Schema.optionalKey(Schema.Struct({ before: Schema.String, after: Schema.String })),
  /** Where the text is, from the start of the first paragraph. */
  offset: Schema.Int,
  inserted: Schema.String,
  removed: Schema.String
})
export type ReplacedText = typeof ReplacedText.Type

export const regionsIn = (
  { lines, runs, segmentId, tabId }: Segment,
  replacements: ReadonlyArray<Replacement>
): ReadonlyArray<ReplacedText> => {
  if (replacements.length === 0) return []
  const paragraphs = new Paragraphs(lines)
  return replacements.flatMap(({ index, inserted, removed }) => {
    const [first, last] = [runs[index]?.line, runs[index + inserted.length]?.line]
    if (first === undefined || last === undefined) return []
    const hashes = paragraphs.hashes.slice(first.nth, last.nth + 1)
    const beside = { before: paragraphs.hashOf(first.nth - 1), after: paragraphs.hashOf(last.nth + 1) }
    return [{
      tabId,
      segmentId,
      above: first.nth,
      below: lines.length - last.nth - 1,
      paragraphs: hashes,
      segment: paragraphs.segment,
      ...paragraphs.find(hashes, beside) === first.nth ? { beside } : {},
      offset: index - first.start,
      inserted,
      removed
    }]
  })
}

/** What takes the regions back, and those that are no longer as the write left them. */
export const undoRegions = (segments: ReadonlyArray<Segment>, regions: ReadonlyArray<ReplacedText>) => {
  const undone = segments.map((segment) => undoIn(segment, regions))
  const found = new Set(undone.flatMap(({ found }) => found))
  return {
    changes: undone.flatMap(({ changes }) => changes),
    conflicts: regions.filter((region) => !found.has(region)).map(({ inserted, removed, tabId }): TextChange => ({
      tab: tabId,
      index: 0,
      removed: inserted,
      inserted: removed
    })),
    requests: undone.flatMap(({ requests }) => requests)
  }
}

const undoIn = ({ lines, segmentId, tabId, text }: Segment, all: ReadonlyArray<ReplacedText>) => {
  const regions = all.filter((region) => region.tabId === tabId && region.segmentId === segmentId)
  if (regions.length === 0) return { found: [], changes: [], requests: [] }
  const paragraphs = new Paragraphs(lines)
  const found = regions.flatMap((region) => {
    const line = lines[paragraphs.placeOf(region) ?? -1]
    return line === undefined ? [] : [{ region, index: line.start + region.offset }]
  })
  // Paragraphs may have been moved.
  const changes = found.toSorted((one, other) => one.index - other.index).map(({ index, region }) =>
    changeOf(tabId, text, { removed: region.inserted, inserted: region.removed, from: index, index })
  )
  const scope = { ...segmentId === "" ? {} : { segmentId }, tabId }
  // From the end, so that indexes stay.
  const requests = changes.toReversed().flatMap(({ index, inserted, removed }): ReadonlyArray<Request> => [
    ...removed === "" ? [] : [{
      deleteContentRange: { range: { ...scope, startIndex: index, endIndex: index + removed.length } }
    }],
    ...inserted === "" ? [] : [{ insertText: { location: { ...scope, index }, text: inserted } }]
  ])
  return { found: found.map(({ region }) => region), changes, requests }
}

class Paragraphs {
  readonly hashes: ReadonlyArray<string>
  readonly segment: string
  readonly #lines: ReadonlyArray<Line>
  readonly #places: ReadonlyMap<string, ReadonlyArray<number>>

  constructor(lines: ReadonlyArray<Line>) {
    this.#lines = lines
    this.hashes = lines.map(({ elements, fields }) =>
      hashed([fields, elements.map((element) => Struct.omit(element, ["endIndex", "startIndex"]))])
    )
    this.segment = hashed([lines.map(({ gap }) => gap), this.hashes])
    this.#places = Map.groupBy(this.hashes.keys(), (nth) => this.hashOf(nth))
  }

  hashOf(nth: number): string {
    return this.hashes[nth] ?? ""
  }

  /** Where the region is. Equal paragraphs elsewhere, of which one may have gone or come, leave it open. */
  placeOf({ above, below, beside, paragraphs: hashes, segment }: ReplacedText): number | undefined {
    if (segment === this.segment) return above
    const place = beside && this.find(hashes, beside)
    // Edits above or below may have moved it.
    return place === above || place === this.#lines.length - below - hashes.length ? place : undefined
  }

  /** Where the paragraph before these, and the one after, are each found with them once. */
  find(hashes: ReadonlyArray<string>, { after, before }: NonNullable<ReplacedText["beside"]>): number | undefined {
    const places = (this.#places.get(hashes[0] ?? "") ?? []).filter((first) =>
      hashes.every((kept, nth) =>
        this.hashes[first + nth] === kept && (nth === 0 || this.#lines[first + nth]?.gap === 0)
      )
    )
    const below = places.filter((first) => before === "" || this.hashOf(first - 1) === before)
    const above = places.filter((first) => after === "" || this.hashOf(first + hashes.length) === after)
    return below.length === 1 && above.length === 1 && below[0] === above[0] ? below[0] : undefined
  }
}

const hashed = (value: unknown): string => hash("sha256", canonicalJson(value), "base64url")
