import { maxContext, type TextChange } from "../../../Domain/Calls/Change.ts"
import { noText } from "./Segments.ts"

interface Piece {
  readonly text: string
  /** Where the text was before the write. `undefined` if the write inserts it. */
  readonly origin: number | undefined
}

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
  #text: string | undefined
  pieces: ReadonlyArray<Piece>

  constructor(text: string) {
    this.#before = text
    this.pieces = [{ text, origin: 0 }]
  }

  get text(): string {
    return this.#text ??= this.pieces.map(({ text }) => text).join("")
  }

  /** False where there is no such text. The last line break of a segment stays. */
  replace(index: number, length: number, text: string): boolean {
    if (index < 0 || length < 0) return false
    const [head, rest] = divide(this.pieces, index)
    const [, tail] = divide(rest, length)
    if (tail.length === 0) return false
    this.#text = undefined
    this.pieces = [...head, ...text === "" ? [] : [{ text, origin: undefined }], ...tail]
    return true
  }

  get replacements(): ReadonlyArray<Replacement> {
    const found: Array<Replacement> = []
    let [from, index, inserted] = [0, 0, ""]
    for (const { origin, text } of this.pieces) {
      if (origin === undefined) {
        inserted += text
        continue
      }
      const removed = this.#before.slice(from, origin)
      if (inserted !== "" || removed !== "") found.push({ removed, inserted, from, index })
      from = origin + text.length
      index += inserted.length + text.length
      inserted = ""
    }
    return found
  }
}

const divide = (
  pieces: ReadonlyArray<Piece>,
  at: number
): readonly [before: ReadonlyArray<Piece>, after: ReadonlyArray<Piece>] => {
  let end = 0
  for (const [nth, { origin, text }] of pieces.entries()) {
    const offset = at - end
    end += text.length
    if (end <= at) continue
    const later = { text: text.slice(offset), origin: origin === undefined ? origin : origin + offset }
    return [
      [...pieces.slice(0, nth), ...offset === 0 ? [] : [{ text: text.slice(0, offset), origin }]],
      [later, ...pieces.slice(nth + 1)]
    ]
  }
  return [pieces, []]
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
