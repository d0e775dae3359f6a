import type { Piece } from "./Pieces.ts"

/** A text of as many pieces as fit, and where the next one starts. */
export interface Cut {
  readonly text: string
  /** Absent when nothing is left. */
  readonly next?: number
}

/**
 * Writes as many pieces as fit into `maxChars`, and at least one: a single paragraph or table is never cut through. A
 * text's length grows with its pieces, so the last one that fits is found by halving.
 */
export const cut = (
  pieces: ReadonlyArray<Piece>,
  maxChars: number,
  write: (pieces: ReadonlyArray<Piece>) => string
): Cut => {
  const shown = pieces.filter((piece) => piece.kind !== "gap")
  const upTo = (count: number) => {
    const last = shown[count - 1]
    return last === undefined ? [] : pieces.slice(0, pieces.indexOf(last) + 1)
  }
  const most = mostThatFit(shown, maxChars)
  const all = write(upTo(most))
  if (most === shown.length && all.length <= maxChars) return { text: all }
  let fits = 1
  let tooMany = all.length <= maxChars ? most + 1 : most
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (write(upTo(middle)).length <= maxChars) fits = middle
    else tooMany = middle
  }
  const next = shown[fits]
  return { text: write(upTo(fits)), ...(next === undefined ? {} : { next: next.start }) }
}

/** An upper bound that costs nothing to find: written text is hardly ever shorter than half of what it stands for. */
const mostThatFit = (shown: ReadonlyArray<Piece>, maxChars: number): number => {
  let width = 0
  const beyond = shown.findIndex(({ end, start }) => {
    width += end - start
    return width > 2 * maxChars
  })
  return beyond === -1 ? shown.length : Math.max(1, beyond)
}
