import { maxContext, type TextChange } from "../../../Domain/Calls/Change.ts"
import { EditedLines } from "./EditedLines.ts"
import { noText, segmentsOf, textOf } from "./Lines.ts"
import { applyEdits, type EditedSegment, type TextEdits } from "./TextEdits.ts"

/** A text that edits put in the place of another. */
export interface Replacement {
  readonly removed: string
  readonly inserted: string
  /** Its place before the edits, and after them. */
  readonly from: number
  readonly index: number
}

export const editDocument = (document: unknown, edits: TextEdits) => {
  const segments = segmentsOf(document).map((segment) => ({ ...segment, edited: new EditedLines(segment.lines) }))
  const problem = applyEdits(segments, edits)
  return { problem, parts: segments.map((segment) => ({ ...segment, replacements: replacementsIn(segment) })) }
}

const replacementsIn = ({ edited, lines }: EditedSegment): ReadonlyArray<Replacement> => {
  const found: Array<Replacement> = []
  const text = textOf(lines)
  let [from, index, inserted] = [0, 0, ""]
  for (const run of edited.lines.flatMap(({ runs }) => runs)) {
    if (run.origin === undefined) {
      inserted += run.text
      continue
    }
    const removed = text.slice(from, run.origin)
    if (inserted !== "" || removed !== "") found.push({ removed, inserted, from, index })
    from = run.origin + run.text.length
    index += inserted.length + run.text.length
    inserted = ""
  }
  return found
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
