import { Schema } from "effect"
import { hash } from "node:crypto"
import type { TextChange } from "../../../Domain/Calls/Change.ts"
import { EditedLines } from "../Editing/EditedLines.ts"
import { leadOf, type Line, type Segment, shapeOf, textOf } from "../Editing/Lines.ts"
import { changeOf, type Replacement } from "../Editing/Replacements.ts"
import type { Request } from "../Writing/Requests.ts"

/** A text that a write has replaced, in the paragraphs that it left. */
export const KeptRegion = Schema.Struct({
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
export type KeptRegion = typeof KeptRegion.Type

/** Whether the old texts in the place of the new ones leave everything as it was. */
export const isInverse = (
  before: ReadonlyArray<Line>,
  after: ReadonlyArray<Line>,
  replacements: ReadonlyArray<Replacement>
): boolean => {
  const undone = new EditedLines(after)
  for (const { index, inserted, removed } of replacements.toReversed()) {
    undone.remove(index, inserted.length)
    undone.insert(index, removed)
  }
  return undone.isCertain && undone.lines.length === before.length &&
    undone.lines.every((line, nth) => isSame(line, before[nth]))
}

const isSame = (line: Line, other: Line | undefined): boolean =>
  line === other || line.text === other?.text && shapeOf(line) === shapeOf(other)

export const regionsIn = (
  { lines, segmentId, tabId }: Segment,
  replacements: ReadonlyArray<Replacement>
): ReadonlyArray<KeptRegion> => {
  const places = new EditedLines(lines)
  return replacements.flatMap(({ index, inserted, removed }) => {
    const [first, last] = [places.find(index), places.find(index + inserted.length)]
    if (first === undefined || last === undefined) return []
    const hashes = lines.slice(first.nth, last.nth + 1).map(hashOf)
    const below = lines.length - last.nth - 1
    const offset = first.offset - leadOf(first.line)
    return [{ tabId, segmentId, above: first.nth, below, hashes, offset, inserted, removed }]
  })
}

/** What takes the regions back, and those that are no longer as the write left them. */
export const undoRegions = (segments: ReadonlyArray<Segment>, regions: ReadonlyArray<KeptRegion>) => {
  const undone = segments.map((segment) => undoIn(segment, regions))
  const found = new Set(undone.flatMap(({ found }) => found))
  return {
    changes: undone.flatMap(({ changes }) => changes),
    conflicts: regions.filter((region) => !found.has(region)).map(conflictOf),
    requests: undone.flatMap(({ requests }) => requests)
  }
}

const conflictOf = ({ inserted, removed, tabId }: KeptRegion): TextChange => ({
  tab: tabId,
  index: 0,
  removed: inserted,
  inserted: removed
})

const undoIn = ({ lines, segmentId, tabId }: Segment, regions: ReadonlyArray<KeptRegion>) => {
  const text = textOf(lines)
  const starts = startsOf(lines)
  const found: Array<KeptRegion> = []
  const changes: Array<TextChange> = []
  let above = 0
  for (const region of regions) {
    if (region.tabId !== tabId || region.segmentId !== segmentId) continue
    const last = found.at(-1)
    // Paragraphs may be equal. Those of two regions stay as far apart as they were, or do not overlap.
    const least = last === undefined ? 0 : above + Math.min(region.above - last.above, last.hashes.length)
    const first = placesOf(region, lines).find((nth) => nth >= least && isAt(region, lines, nth))
    if (first === undefined) continue
    found.push(region)
    above = first
    const index = (starts[first] ?? 0) + region.offset
    const { inserted: removed, removed: inserted } = region
    changes.push(changeOf(tabId, text, { removed, inserted, from: index, index }))
  }
  const scope = { ...segmentId === "" ? {} : { segmentId }, tabId }
  // From the end, so that indexes stay.
  return { found, changes, requests: changes.toReversed().flatMap((change) => requestsFor(change, scope)) }
}

const requestsFor = (
  { index, inserted, removed }: TextChange,
  scope: { readonly segmentId?: string; readonly tabId: string }
): ReadonlyArray<Request> => [
  ...removed === "" ? [] : [{
    deleteContentRange: { range: { ...scope, startIndex: index, endIndex: index + removed.length } }
  }],
  ...inserted === "" ? [] : [{ insertText: { location: { ...scope, index }, text: inserted } }]
]

/** Where the text of each paragraph is. */
const startsOf = (lines: ReadonlyArray<Line>): ReadonlyArray<number> => {
  let end = 0
  return lines.map((line) => {
    const start = end + leadOf(line)
    end += line.text.length
    return start
  })
}

/** Edits above or below may have moved it. */
const placesOf = ({ above, below, hashes }: KeptRegion, lines: ReadonlyArray<Line>): ReadonlyArray<number> => [
  above,
  lines.length - below - hashes.length
]

const isAt = ({ hashes }: KeptRegion, lines: ReadonlyArray<Line>, first: number): boolean =>
  hashes.every((kept, nth) => {
    const line = lines[first + nth]
    return line !== undefined && (nth === 0 || leadOf(line) === 0) && hashOf(line) === kept
  })

const known = new WeakMap<Line, string>()

const hashOf = (line: Line): string => {
  const found = known.get(line) ?? hash("sha256", shapeOf(line), "base64url")
  known.set(line, found)
  return found
}
