import { Schema } from "effect"
import type { Segment } from "./Segments.ts"

/** The texts that a write has replaced in a segment, and the paragraphs that it left. */
export const WrittenTexts = Schema.Struct({
  tabId: Schema.String,
  segmentId: Schema.String,
  paragraphs: Schema.Array(Schema.Struct({ start: Schema.Int, hash: Schema.String })),
  texts: Schema.Array(Schema.Struct({ index: Schema.Int, inserted: Schema.String, removed: Schema.String }))
})
export type WrittenTexts = typeof WrittenTexts.Type

/** What an undo replaces, and where that is now. It has no index if it is no longer as the write left it. */
export const findTexts = (segments: ReadonlyArray<Segment>, written: ReadonlyArray<WrittenTexts>) =>
  written.flatMap(({ paragraphs, segmentId, tabId, texts }) => {
    const { lines = [], text = "" } = segments.find((one) => one.tabId === tabId && one.segmentId === segmentId) ?? {}
    const placeOf = placesIn(paragraphs, lines.map(({ hash }) => ({ hash: hash() })))
    return texts.map(({ index, inserted: removed, removed: inserted }) => {
      const first = paragraphAt(index, paragraphs)
      const line = lines[placeOf(first, first + removed.split("\n").length) ?? -1]
      const place = line && line.start + index - (paragraphs[first]?.start ?? 0)
      return { tabId, segmentId, text, removed, inserted, index: text.startsWith(removed, place) ? place : undefined }
    })
  })

/** The last one that starts there or before. They are in the order of their starts. */
const paragraphAt = (index: number, paragraphs: WrittenTexts["paragraphs"]): number => {
  let [from, to] = [0, paragraphs.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if ((paragraphs[middle]?.start ?? 0) <= index) from = middle + 1
    else to = middle
  }
  return from - 1
}

type Hashed = ReadonlyArray<{ readonly hash: string }>

/** Finds paragraphs that are as they were left, like those beside them. Equal ones elsewhere leave the place open. */
const placesIn = (left: Hashed, now: Hashed) => {
  const isSame = left.length === now.length && isAt(0, now, left)
  const isOnly = [isOnlyIn(left), isOnlyIn(now)]
  return (first: number, end: number): number | undefined => {
    const from = Math.max(0, first - 1)
    const ends = [left.slice(from, end), left.slice(first, end + 1)]
    if (!isSame && !isOnly.every((isOnly) => ends.every(isOnly))) return undefined
    // Edits above or below may have moved it.
    const moved = [0, now.length - left.length].find((by) => isAt(from + by, now, left.slice(from, end + 1)))
    return moved === undefined ? undefined : first + moved
  }
}

/** Whether paragraphs are there once. Looks at the places of the rarest, as many can be blank. */
const isOnlyIn = (all: Hashed) => {
  const places = Map.groupBy(all.keys(), (nth) => all[nth]?.hash)
  return (part: Hashed): boolean => {
    const [rarest] = part.map(({ hash }, nth) => ({ nth, found: places.get(hash) ?? [] }))
      .toSorted((one, other) => one.found.length - other.found.length)
    return rarest?.found.filter((at) => isAt(at - rarest.nth, all, part)).length === 1
  }
}

const isAt = (place: number, all: Hashed, part: Hashed): boolean =>
  part.every(({ hash }, nth) => hash === all[place + nth]?.hash)
