import type { Piece } from "./Pieces.ts"

/** A text of as many pieces as fit, and where the next one starts. */
export interface Cut {
  readonly text: string
  /** Absent when nothing is left. */
  readonly next?: number
}

/**
 * Writes as many pieces as fit into `maxChars`, and at least one: a single paragraph or table is never cut through. A
 * text's length grows with its pieces, so the last one that fits is found between what fits and what does not, by turns
 * where it should be by their lengths and in the middle.
 */
export const cut = (
  pieces: ReadonlyArray<Piece>,
  maxChars: number,
  write: (pieces: ReadonlyArray<Piece>) => string
): Cut => {
  const ends = pieces.flatMap(({ kind }, position) => kind === "gap" ? [] : [position + 1])
  const writeFirst = (count: number): Tried => ({ count, text: write(pieces.slice(0, ends[count - 1] ?? 0)) })
  let fits: Tried = { count: 0, text: "" }
  let tooMany = writeFirst(mostThatFit(pieces, ends, maxChars))
  if (tooMany.text.length <= maxChars && tooMany.count === ends.length) return { text: tooMany.text }
  while (tooMany.text.length <= maxChars) {
    fits = tooMany
    tooMany = writeFirst(Math.min(ends.length, 2 * tooMany.count))
    if (tooMany.text.length <= maxChars && tooMany.count === ends.length) return { text: tooMany.text }
  }
  for (let halves = false; tooMany.count - fits.count > 1; halves = !halves) {
    const tried = writeFirst(between(fits, tooMany, halves ? 0.5 : share(fits, tooMany, maxChars)))
    if (tried.text.length <= maxChars) fits = tried
    else tooMany = tried
  }
  const shown = fits.count === 0 ? writeFirst(1) : fits
  const next = pieces.slice(ends[shown.count - 1]).find(({ kind }) => kind !== "gap")
  return { text: shown.text, ...(next === undefined ? {} : { next: next.start }) }
}

interface Tried {
  readonly count: number
  readonly text: string
}

const share = (fits: Tried, tooMany: Tried, maxChars: number): number =>
  (maxChars - fits.text.length) / (tooMany.text.length - fits.text.length)

const between = (fits: Tried, tooMany: Tried, part: number): number =>
  Math.min(tooMany.count - 1, Math.max(fits.count + 1, Math.round(fits.count + part * (tooMany.count - fits.count))))

/** A first guess that costs nothing: text is about as long as what it stands for. */
const mostThatFit = (pieces: ReadonlyArray<Piece>, ends: ReadonlyArray<number>, maxChars: number): number => {
  let width = 0
  const beyond = ends.findIndex((end) => {
    const piece = pieces[end - 1]
    width += piece === undefined ? 0 : piece.end - piece.start
    return width > maxChars
  })
  return beyond === -1 ? ends.length : beyond + 1
}
