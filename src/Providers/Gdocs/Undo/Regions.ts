import { Schema } from "effect"
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
  hashes: Schema.Array(Schema.String),
  /** Where the text is, from the start of the first paragraph. */
  offset: Schema.Int,
  inserted: Schema.String,
  removed: Schema.String
})
export type ReplacedText = typeof ReplacedText.Type

export const regionsIn = (
  { lines, runs, segmentId, tabId }: Segment,
  replacements: ReadonlyArray<Replacement>
): ReadonlyArray<ReplacedText> =>
  replacements.flatMap(({ index, inserted, removed }) => {
    const [first, last] = [runs[index]?.line, runs[index + inserted.length]?.line]
    if (first === undefined || last === undefined) return []
    const hashes = lines.slice(first.nth, last.nth + 1).map(hashOf)
    const below = lines.length - last.nth - 1
    return [{ tabId, segmentId, above: first.nth, below, hashes, offset: index - first.start, inserted, removed }]
  })

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

const undoIn = ({ lines, segmentId, tabId, text }: Segment, regions: ReadonlyArray<ReplacedText>) => {
  const found: Array<ReplacedText> = []
  const changes: Array<TextChange> = []
  let above = 0
  for (const region of regions) {
    if (region.tabId !== tabId || region.segmentId !== segmentId) continue
    const last = found.at(-1)
    // Paragraphs may be equal. Those of two regions stay as far apart as they were, or do not overlap.
    const least = last === undefined ? 0 : above + Math.min(region.above - last.above, last.hashes.length)
    // Edits above or below may have moved it.
    const first = [region.above, lines.length - region.below - region.hashes.length].find((nth) =>
      nth >= least && isAt(region, lines, nth)
    )
    const line = first === undefined ? undefined : lines[first]
    if (line === undefined) continue
    found.push(region)
    above = line.nth
    const index = line.start + region.offset
    changes.push(changeOf(tabId, text, { removed: region.inserted, inserted: region.removed, from: index, index }))
  }
  const scope = { ...segmentId === "" ? {} : { segmentId }, tabId }
  // From the end, so that indexes stay.
  const requests = changes.toReversed().flatMap(({ index, inserted, removed }): ReadonlyArray<Request> => [
    ...removed === "" ? [] : [{
      deleteContentRange: { range: { ...scope, startIndex: index, endIndex: index + removed.length } }
    }],
    ...inserted === "" ? [] : [{ insertText: { location: { ...scope, index }, text: inserted } }]
  ])
  return { found, changes, requests }
}

const isAt = ({ hashes }: ReplacedText, lines: ReadonlyArray<Line>, first: number): boolean =>
  hashes.every((kept, nth) => {
    const line = lines[first + nth]
    return line !== undefined && (nth === 0 || line.gap === 0) && hashOf(line) === kept
  })

const known = new WeakMap<Line, string>()

const hashOf = (line: Line): string => {
  const found = known.get(line) ?? hash("sha256", canonicalJson([line.fields, line.parts]), "base64url")
  known.set(line, found)
  return found
}
