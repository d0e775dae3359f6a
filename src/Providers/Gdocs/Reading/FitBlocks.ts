import type { Block } from "./Blocks.ts"

export interface FittedText {
  readonly text: string
  readonly next?: number
}

/**
 * Writes at least one block and never cuts one. The text grows with its blocks, so a search finds the last that fits.
 * It alternates interpolation, which is fast, and bisection, which is bounded.
 */
export const fitBlocks = (
  blocks: ReadonlyArray<Block>,
  maxChars: number,
  write: (blocks: ReadonlyArray<Block>) => string
): FittedText => {
  const ends = blocks.flatMap(({ kind }, position) => kind === "gap" ? [] : [position + 1])
  const attempt = (count: number): Attempt => ({ count, text: write(blocks.slice(0, ends[count - 1] ?? 0)) })
  let fits: Attempt = { count: 0, text: "" }
  let tooMany = attempt(firstGuess(blocks, ends, maxChars))
  while (tooMany.text.length <= maxChars) {
    if (tooMany.count === ends.length) return { text: tooMany.text }
    fits = tooMany
    tooMany = attempt(Math.min(ends.length, 2 * tooMany.count))
  }
  for (let bisect = false; tooMany.count - fits.count > 1; bisect = !bisect) {
    const tried = attempt(between(fits, tooMany, bisect ? 0.5 : expectedShare(fits, tooMany, maxChars)))
    if (tried.text.length <= maxChars) fits = tried
    else tooMany = tried
  }
  const shown = fits.count === 0 ? attempt(1) : fits
  const next = blocks.slice(ends[shown.count - 1]).find(({ kind }) => kind !== "gap")
  return { text: shown.text, ...(next === undefined ? {} : { next: next.start }) }
}

interface Attempt {
  readonly count: number
  readonly text: string
}

const expectedShare = (fits: Attempt, tooMany: Attempt, maxChars: number): number =>
  (maxChars - fits.text.length) / (tooMany.text.length - fits.text.length)

const between = (fits: Attempt, tooMany: Attempt, part: number): number =>
  Math.min(tooMany.count - 1, Math.max(fits.count + 1, Math.round(fits.count + part * (tooMany.count - fits.count))))

const firstGuess = (blocks: ReadonlyArray<Block>, ends: ReadonlyArray<number>, maxChars: number): number => {
  let width = 0
  const beyond = ends.findIndex((end) => {
    const block = blocks[end - 1]
    width += block === undefined ? 0 : block.end - block.start
    return width > maxChars
  })
  return beyond === -1 ? ends.length : beyond + 1
}
