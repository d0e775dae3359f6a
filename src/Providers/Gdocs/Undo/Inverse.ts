import { normalizeText } from "../Writing/NormalizeText.ts"
import type { Replacement } from "./EditedText.ts"
import { isCopied, type Line, type Segment } from "./Segments.ts"

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
 *
 * @param after the text after the edits
 */
export const hasInverse = (
  { runs, text }: Segment,
  after: string,
  replacements: ReadonlyArray<Replacement>
): boolean =>
  replacements.every(({ from, index, inserted, removed }) => {
    const to = from + removed.length
    const line = runs[from]?.line
    if (line === undefined || from < line.start) return false
    const isFirst = from === line.start
    const [first, ...others] = runs.slice(isFirst && line.gap > 0 ? from : Math.max(0, from - 1), to + 1)
    const styles = new Set(runs.slice(from, to + 1).map((run) => run.line.style))
    return normalizeText(removed) === removed &&
      isBoundary(text, from) && isBoundary(text, to) && isBoundary(text, from, to) &&
      isBoundary(after, index) && isBoundary(after, index + inserted.length) &&
      (removed === ""
        ? [first, ...others].every((run) => run?.kind !== "suggested")
        : first?.kind === "plain" && others.every((run) => run.kind === "plain" && run.style === first.style)) &&
      (!removed.includes("\n") || isCopied(line) && styles.size === 1) &&
      (!/\n[^\n]+$/.test(inserted) || !isFirst || isCopied(line))
  })

/** Whether a write has left the styles of all other texts, and those of the paragraphs that the old texts return to. */
export const keepsStyles = (before: Segment, after: Segment, replacements: ReadonlyArray<Replacement>): boolean => {
  const end = { from: before.text.length, index: after.text.length, inserted: "", removed: "" }
  let [from, index] = [0, 0]
  let line: Line | undefined
  return [...replacements, end].every((next) => {
    for (; from < next.from; from++, index++) {
      const [was, is] = [before.runs[from], after.runs[index]]
      if (was === undefined || is === undefined || was.kind !== is.kind || was.style !== is.style) return false
      if (was.kind === "gap" || was.line === line) continue
      line = was.line
      if (line.style !== is.line.style) return false
    }
    const joined = [index, index + next.inserted.length].map((at) => after.runs[at]?.line.style)
    const style = before.runs[from]?.line.style
    from += next.removed.length
    index += next.inserted.length
    return !next.removed.includes("\n") || joined.every((each) => each === style)
  })
}
