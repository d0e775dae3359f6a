import { normalizeText } from "../Writing/NormalizeText.ts"
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
  text: string
  /** For each index, where the text was before the edits, or -1. A long text is copied fast for each of many edits. */
  origins: Int32Array

  constructor(before: Segment) {
    this.before = before
    this.text = before.text
    this.origins = new Int32Array(before.text.length).map((_, index) => index)
  }

  /** Takes edits in the order of the text. False where there is no such text. The last line break of a segment stays. */
  replace(edits: ReadonlyArray<SegmentEdit>): boolean {
    const { length } = this.text
    if (edits.some(([start, end]) => start < 0 || end < start || end >= length)) return false
    const growth = edits.reduce((sum, [start, end, text]) => sum + text.length - (end - start), 0)
    const origins = new Int32Array(length + growth).fill(-1)
    let [text, from] = ["", 0]
    for (const [start, end, inserted] of [...edits, [length, length, ""] as const]) {
      origins.set(this.origins.subarray(from, start), text.length)
      text += this.text.slice(from, start) + inserted
      from = end
    }
    this.text = text
    this.origins = origins
    return true
  }

  get replacements(): ReadonlyArray<Replacement> {
    const found: Array<Replacement> = []
    let [from, index] = [0, 0]
    this.origins.forEach((origin, at) => {
      if (origin === -1) return
      if (index < at || from < origin) {
        found.push({ removed: this.before.text.slice(from, origin), inserted: this.text.slice(index, at), from, index })
      }
      from = origin + 1
      index = at + 1
    })
    return found
  }

  /**
   * Whether the old texts, inserted in the place of the new ones, would have their styles: that of the text on both
   * sides, if that is one, and that of the paragraph beside a new one. Unsupported characters cannot be inserted.
   */
  get hasInverse(): boolean {
    const { runs, text } = this.before
    return this.replacements.every(({ from, index, inserted, removed }) => {
      const to = from + removed.length
      const line = runs[from]?.line
      const around = runs.slice(runs[from - 1] === undefined ? from : from - 1, to + 1)
      return line !== undefined && normalizeText(removed) === removed &&
        isBoundary(text, from) && isBoundary(text, to) && isBoundary(text, from, to) &&
        isBoundary(this.text, index) && isBoundary(this.text, index + inserted.length) &&
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
    let last: Line | undefined
    return after?.text === this.text && this.origins.every((origin, index) => {
      const [was, is] = [this.before.runs[origin], after.runs[index]]
      const isFirst = was?.line !== last
      last = was?.line ?? last
      return was === undefined || was.style === is?.style && (!isFirst || was.line.style === is.line.style)
    })
  }
}

const characters = new Intl.Segmenter()

/** Whether a character ends where the text up to `to` meets that from `from` on. No text can be inserted elsewhere. */
const isBoundary = (text: string, to: number, from = to): boolean => {
  // What looks like one character is shorter.
  const left = text.slice(Math.max(0, to - 200), to)
  return characters.segment(left + text.slice(from, from + 200)).containing(left.length)?.index === left.length
}
