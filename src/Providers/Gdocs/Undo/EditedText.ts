import { maxContext, type TextChange } from "../../../Domain/Calls/Change.ts"
import { noText } from "./Segments.ts"

const inserted = -1

/** A text that edits put in the place of another. */
export interface Replacement {
  readonly removed: string
  readonly inserted: string
  /** Its place before the edits, and after them. */
  readonly from: number
  readonly index: number
}

/** The text of a segment while edits change it. */
export class EditedText {
  readonly #before: string
  text: string
  /** For each index, where the text was before the edits, or -1. A long text is copied fast for each of many edits. */
  origins: Int32Array

  constructor(text: string) {
    this.#before = text
    this.text = text
    this.origins = Int32Array.from({ length: text.length }, (_, index) => index)
  }

  /** Takes edits in the order of the text. False where there is no such text. The last line break of a segment stays. */
  replace(edits: ReadonlyArray<{ readonly index: number; readonly length: number; readonly text: string }>): boolean {
    const texts: Array<string> = []
    const origins: Array<Int32Array> = []
    let end = 0
    const keepUntil = (index: number) => {
      texts.push(this.text.slice(end, index))
      origins.push(this.origins.subarray(end, index))
    }
    for (const { index, length, text } of edits) {
      if (index < end || length < 0 || index + length >= this.text.length) return false
      keepUntil(index)
      texts.push(text)
      origins.push(new Int32Array(text.length).fill(inserted))
      end = index + length
    }
    keepUntil(this.text.length)
    this.text = texts.join("")
    this.origins = joined(origins, this.text.length)
    return true
  }

  isInserted(from: number, to: number): boolean {
    return this.origins.subarray(from, to).every((origin) => origin === inserted)
  }

  get replacements(): ReadonlyArray<Replacement> {
    const found: Array<Replacement> = []
    let [from, index] = [0, 0]
    for (const [at, origin] of this.origins.entries()) {
      if (origin === inserted) continue
      if (index < at || from < origin) {
        found.push({ removed: this.#before.slice(from, origin), inserted: this.text.slice(index, at), from, index })
      }
      from = origin + 1
      index = at + 1
    }
    return found
  }
}

const joined = (parts: ReadonlyArray<Int32Array>, length: number): Int32Array => {
  const all = new Int32Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** @param text before the change */
export const changeOf = (tab: string, text: string, { from, index, inserted, removed }: Replacement): TextChange => {
  const end = from + removed.length
  // A slice would hold the whole text. The ends may be half of a character.
  const around = (from: number, to: number) =>
    `${text.slice(Math.max(0, from), to)}|`.slice(0, -1).replaceAll(noText, " ")
      .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
  const context = { before: around(from - maxContext, from), after: around(end, end + maxContext) }
  return { tab, index, removed, inserted, context }
}
