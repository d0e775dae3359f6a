import { normalizeText } from "../Writing/NormalizeText.ts"
import { EditedText } from "./EditedText.ts"
import type { Line, Segment } from "./Segments.ts"

/** Puts a text in the place of what is from `start` to `end`. */
export type SegmentEdit = readonly [start: number, end: number, text: string]

/** A text that edits put in the place of another. */
export interface Replacement {
  readonly removed: string
  readonly inserted: string
  /** Its place before the edits, and after them. */
  readonly from: number
  readonly index: number
}

/** A segment while edits change its text. */
export class EditedSegment {
  readonly before: Segment
  readonly now: EditedText

  constructor(before: Segment) {
    this.before = before
    this.now = new EditedText(before.text)
  }

  /** Takes edits in the order of the text. False where there is no such text. The last line break of a segment stays. */
  replace(edits: ReadonlyArray<SegmentEdit>): boolean {
    const { length } = this.now
    if (edits.some(([start, end]) => start < 0 || end < start || end >= length)) return false
    // From the end, so that indexes stay.
    for (const [start, end, text] of edits.toReversed()) this.now.replace(start, end, text)
    return true
  }

  get replacements(): ReadonlyArray<Replacement> {
    const found: Array<Replacement> = []
    let [from, index, inserted] = [0, 0, ""]
    for (const { origin, text } of this.now.pieces) {
      if (origin === -1) {
        inserted += text
        continue
      }
      if (inserted !== "" || from < origin) {
        found.push({ removed: this.before.text.slice(from, origin), inserted, from, index })
      }
      from = origin + text.length
      index += inserted.length + text.length
      inserted = ""
    }
    return found
  }

  /**
   * Whether the old texts, inserted in the place of the new ones, would have their styles: that of the text on both
   * sides, if that is one, and that of the paragraph beside a new one. Unsupported characters cannot be inserted.
   */
  get hasInverse(): boolean {
    const { before: { runs, text }, now } = this
    return this.replacements.every(({ from, index, inserted, removed }) => {
      const to = from + removed.length
      const line = runs[from]?.line
      const around = runs.slice(runs[from - 1] === undefined ? from : from - 1, to + 1)
      return line !== undefined && normalizeText(removed) === removed &&
        isBoundary(text, from) && isBoundary(text, to) && isBoundary(text, from, to) &&
        isBoundary(now.text, index) && isBoundary(now.text, index + inserted.length) &&
        around.every((run) =>
          removed === "" ? run?.kind !== "suggested" : run?.kind === "plain" && run.style === around[0]?.style
        ) &&
        (!removed.includes("\n") ||
          line.isCopied && runs.slice(from, to + 1).every((run) => run?.line.style === line.style)) &&
        (!/\n[^\n]+$/.test(inserted) || from > line.start || line.isCopied)
    })
  }

  /** Whether a write has left this text, the styles of all that was there before, and those of its paragraphs. */
  isLeftIn(after: Segment | undefined): boolean {
    if (after?.text !== this.now.text) return false
    let [last, index]: [Line | undefined, number] = [undefined, 0]
    for (const { origin, text } of this.now.pieces) {
      const runs = origin === -1 ? [] : this.before.runs.slice(origin, origin + text.length)
      for (const [at, was] of runs.entries()) {
        const is = after.runs[index + at]
        if (was === undefined) continue
        if (was.style !== is?.style || was.line !== last && was.line.style !== is.line.style) return false
        last = was.line
      }
      index += text.length
    }
    return true
  }
}

const characters = new Intl.Segmenter()

/** Whether a character ends where the text up to `to` meets that from `from` on. No text can be inserted elsewhere. */
const isBoundary = (text: string, to: number, from = to): boolean => {
  // What looks like one character is shorter.
  const left = text.slice(Math.max(0, to - 200), to)
  return characters.segment(left + text.slice(from, from + 200)).containing(left.length)?.index === left.length
}
