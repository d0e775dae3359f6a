import { normalizeText } from "../Writing/NormalizeText.ts"
import type { EditedText } from "./EditedText.ts"
import { isCopied, type Line, type Segment } from "./Segments.ts"

/** A segment, and its text after the edits. */
export interface EditedSegment extends Segment {
  readonly edited: EditedText
}

const characters = new Intl.Segmenter()

/** More than the length of what looks like one character. */
const nearby = 200

/** Whether a character ends where the text up to `to` meets that from `from` on. No text can be inserted elsewhere. */
const isBoundary = (text: string, to: number, from = to): boolean => {
  const left = text.slice(Math.max(0, to - nearby), to)
  return characters.segment(left + text.slice(from, from + nearby)).containing(left.length)?.index === left.length
}

/**
 * Whether the old texts, inserted in the place of the new ones, would have their styles. Inserted text has the style of
 * the text on both sides, if that is one, and a new paragraph that of the one beside it. Some characters that stand for
 * unsupported content cannot be inserted.
 */
export const hasInverse = ({ edited, runs, text }: EditedSegment): boolean =>
  edited.replacements.every(({ from, index, inserted, removed }) => {
    const to = from + removed.length
    const line = runs[from]?.line
    if (line === undefined || from < line.start) return false
    const isFirst = from === line.start
    const [first, ...others] = runs.slice(isFirst && line.gap > 0 ? from : Math.max(0, from - 1), to + 1)
    const styles = new Set(runs.slice(from, to + 1).map((run) => run.line.style))
    return normalizeText(removed) === removed &&
      isBoundary(text, from) && isBoundary(text, to) && isBoundary(text, from, to) &&
      isBoundary(edited.text, index) && isBoundary(edited.text, index + inserted.length) &&
      (removed === ""
        ? [first, ...others].every((run) => run?.kind !== "suggested")
        : first?.kind === "plain" && others.every((run) => run.kind === "plain" && run.style === first.style)) &&
      (!removed.includes("\n") || isCopied(line) && styles.size === 1) &&
      (!/\n[^\n]+$/.test(inserted) || !isFirst || isCopied(line))
  })

/** The paragraphs before the edits whose first text that is left is from `start` to `end` now, and its place. */
export const linesLeft = (
  { edited: { origins }, runs }: EditedSegment,
  start = 0,
  end = origins.length
): ReadonlyArray<{ readonly line: Line; readonly index: number }> => {
  const lineAt = (index: number): Line | undefined => {
    const run = runs[origins[index] ?? -1]
    return run?.kind === "gap" ? undefined : run?.line
  }
  let before = start - 1
  while (before >= 0 && lineAt(before) === undefined) before--
  let last = lineAt(before)
  const found = []
  for (let index = start; index < end; index++) {
    const line = lineAt(index)
    if (line === undefined || line === last) continue
    found.push({ line, index })
    last = line
  }
  return found
}

/** Whether a write has left the styles of all other texts, and those of the paragraphs that the old texts return to. */
export const keepsStyles = (before: EditedSegment, after: Segment): boolean =>
  before.edited.origins.every((origin, index) => {
    const [was, is] = [before.runs[origin], after.runs[index]]
    return was === undefined || was.kind === is?.kind && was.style === is.style
  }) &&
  linesLeft(before).every(({ index, line }) => line.style === after.runs[index]?.line.style) &&
  before.edited.replacements.every(({ from, index, inserted, removed }) =>
    !removed.includes("\n") ||
    [index, index + inserted.length].every((at) => after.runs[at]?.line.style === before.runs[from]?.line.style)
  )
