import { normalizeText } from "../Writing/NormalizeText.ts"
import type { Line, Segment } from "./Segments.ts"

/** Replaces the text from `start` to `end`. */
export type SegmentEdit = readonly [start: number, end: number, text: string]

/** A text that edits have replaced. */
export interface Replacement {
  readonly removed: string
  readonly inserted: string
  /** The index before the edits (`from`), and after them (`index`). */
  readonly from: number
  readonly index: number
}

/** A segment while edits change its text. */
export class EditedSegment {
  readonly before: Segment
  text: string
  /** The index of each code unit before the edits, or -1. A typed array, because each edit copies it. */
  origins: Int32Array

  constructor(before: Segment) {
    this.before = before
    this.text = before.text
    this.origins = new Int32Array(before.text.length).map((_, index) => index)
  }

  /** Edits come in the order of the text. False for one outside of it, or of the segment's last line break. */
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
   * Whether the old texts get their styles back when they are inserted again: text takes the style of the text on both
   * sides, if it is the same, a new paragraph that of the one beside it. Unsupported characters cannot be inserted.
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

  /** Whether `after` has this text, with the same styles of the older text and its paragraphs. */
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

/** Whether no character spans the place where the text before `to` meets the text from `from`. Text fits only there. */
const isBoundary = (text: string, to: number, from = to): boolean => {
  // A character has fewer UTF-16 units.
  const left = text.slice(Math.max(0, to - 200), to)
  return characters.segment(left + text.slice(from, from + 200)).containing(left.length)?.index === left.length
}
