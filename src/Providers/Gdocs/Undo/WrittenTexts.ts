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

/** The texts that an undo replaces, with their current index. A text that has changed since the write has none. */
export const findTexts = (segments: ReadonlyArray<Segment>, written: ReadonlyArray<WrittenTexts>) =>
  written.flatMap(({ paragraphs, segmentId, tabId, texts }) => {
    const { lines = [], text = "" } = segments.find((one) => one.tabId === tabId && one.segmentId === segmentId) ?? {}
    const placeOf = placesIn(paragraphs, lines.map(({ hash }) => ({ hash: hash() })))
    return texts.map(({ index, inserted: removed, removed: inserted }) => {
      const first = paragraphs.findLastIndex(({ start }) => start <= index)
      const line = lines[placeOf(first, first + removed.split("\n").length) ?? -1]
      const place = line && line.start + index - (paragraphs[first]?.start ?? 0)
      return { tabId, segmentId, text, removed, inserted, index: text.startsWith(removed, place) ? place : undefined }
    })
  })

type Hashed = ReadonlyArray<{ readonly hash: string }>

/** Finds paragraphs that are unchanged, like those beside them. Finds nothing if equal ones make the place unclear. */
const placesIn = (left: Hashed, now: Hashed) => {
  const isSame = left.length === now.length && isAt(0, now, left)
  const counts = [countIn(left), countIn(now)]
  return (first: number, end: number): number | undefined => {
    const from = Math.max(0, first - 1)
    const ends = [left.slice(from, end), left.slice(first, end + 1)]
    if (!isSame && !counts.every((count) => ends.every((part) => count(part) === 1))) return undefined
    // Edits above or below may have moved it.
    const moved = [0, now.length - left.length].find((by) => isAt(from + by, now, left.slice(from, end + 1)))
    return moved === undefined ? undefined : first + moved
  }
}

const countIn = (all: Hashed) => {
  const places = Map.groupBy(all.keys(), (nth) => all[nth]?.hash)
  return (part: Hashed): number => (places.get(part[0]?.hash) ?? []).filter((at) => isAt(at, all, part)).length
}

const isAt = (place: number, all: Hashed, part: Hashed): boolean =>
  part.every(({ hash }, nth) => hash === all[place + nth]?.hash)
