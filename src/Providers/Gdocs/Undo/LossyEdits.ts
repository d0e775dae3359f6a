import { isSuggested, type KeptParagraph, type PlacedParagraph } from "./Paragraphs.ts"
import { editTexts, type TextEdit } from "./TextEdits.ts"
import type { SegmentText } from "./Texts.ts"

interface MarkedSegment extends SegmentText {
  /**
   * For each character of the text, what its paragraph cannot get back: `b` a bullet, `h` a heading's ID, `x` both. `s`
   * is suggested text, `o` no text.
   */
  readonly marks: string
}

const bullet = /[bsx]/
const heading = /[hsx]/
const either = /[bhsx]/

/** Whether edits take a bullet, the ID of a heading or a suggestion away. No request can set these again. */
export const isLossy = (
  segments: ReadonlyArray<SegmentText>,
  paragraphs: ReadonlyArray<PlacedParagraph>,
  edits: ReadonlyArray<TextEdit>
): boolean => {
  const before = segments.map((segment) => ({ ...segment, marks: marksOf(segment, paragraphs) }))
  let after: ReadonlyArray<MarkedSegment> = before
  for (const edit of edits) {
    const place = placeOf(edit)
    const edited = after.map((segment) => {
      const { segmentId = "", tabId = after[0]?.tabId } = place ?? segment
      return segment.tabId === tabId && segment.segmentId === segmentId ? applyEdit(segment, edit) : segment
    })
    const kept = edited.filter((segment) => segment !== undefined)
    if (kept.length < edited.length) return true
    after = kept
  }
  return before.some((segment, index) => losesMiddle(segment, after[index] ?? segment))
}

const marksOf = ({ segmentId, tabId, text }: SegmentText, paragraphs: ReadonlyArray<PlacedParagraph>): string => {
  let marks = ""
  for (const paragraph of paragraphs) {
    if (paragraph.tabId !== tabId || paragraph.segmentId !== segmentId) continue
    const mark = markOf(paragraph)
    const own = paragraph.pieces.map(({ other, text }) => markOfPiece(other, mark).repeat(text.length)).join("")
    // The end of a paragraph with text goes to what is inserted before it.
    marks = marks.padEnd(paragraph.start, ".") + (own.length > 1 && own.endsWith(mark) ? own.slice(0, -1) + "." : own)
  }
  return marks.padEnd(text.length, ".")
}

const markOf = ({ bullet, style }: PlacedParagraph): string => {
  const hasId = style["headingId"] !== undefined
  if (bullet !== null) return hasId ? "x" : "b"
  return hasId ? "h" : "."
}

const markOfPiece = (other: KeptParagraph["pieces"][number]["other"], mark: string): string => {
  if (other === undefined) return mark
  return isSuggested(other) ? "s" : "o"
}

/** `undefined` for all tabs. */
const placeOf = (edit: TextEdit) => {
  if ("insertText" in edit) return edit.insertText.location ?? edit.insertText.endOfSegmentLocation ?? {}
  return rangeOf(edit)
}

const rangeOf = (edit: TextEdit) => {
  if ("deleteContentRange" in edit) return edit.deleteContentRange.range
  if ("createParagraphBullets" in edit) return edit.createParagraphBullets.range
  if ("deleteParagraphBullets" in edit) return edit.deleteParagraphBullets.range
  if ("updateTextStyle" in edit) return edit.updateTextStyle.range
  if ("updateParagraphStyle" in edit) return edit.updateParagraphStyle.range
  return undefined
}

/** `undefined` for an edit that is lossy. */
const applyEdit = (segment: MarkedSegment, edit: TextEdit): MarkedSegment | undefined => {
  const range = rangeOf(edit)
  if (range !== undefined) {
    const marks = marksOfLines(segment, range.startIndex, range.endIndex - 1)
    const own = segment.marks.slice(range.startIndex, range.endIndex)
    if ("updateTextStyle" in edit && (/[os]/.test(own) || stylesBullets(segment, range))) return undefined
    const takesBullets = "createParagraphBullets" in edit || "deleteParagraphBullets" in edit
    if (takesBullets && bullet.test(marks)) return undefined
    if ("updateParagraphStyle" in edit) {
      const isNamed = /\*|namedStyleType/.test(edit.updateParagraphStyle.fields)
      if (isNamed && heading.test(marks)) return undefined
    }
  }
  let { marks, text } = segment
  for (const { index, inserted, removed } of editTexts([segment], [edit])?.changes ?? []) {
    const end = index + removed.length
    if (losesParagraph({ ...segment, marks, text }, index, removed, inserted)) return undefined
    marks = marks.slice(0, index) + ".".repeat(inserted.length) + marks.slice(end)
    text = text.slice(0, index) + inserted + text.slice(end)
  }
  return { ...segment, marks, text }
}

/** The bullet of a paragraph takes the style of its end, and no request sets it apart. */
const stylesBullets = (
  segment: MarkedSegment,
  { endIndex, startIndex }: { readonly startIndex: number; readonly endIndex: number }
): boolean => {
  const { text } = segment
  for (let end = text.indexOf("\n", startIndex); end !== -1 && end < endIndex; end = text.indexOf("\n", end + 1)) {
    if (bullet.test(marksOfLines(segment, end, end))) return true
  }
  return false
}

const losesParagraph = (segment: MarkedSegment, index: number, removed: string, inserted: string): boolean => {
  const end = index + removed.length
  // What is inserted into suggested text becomes suggested.
  if (segment.marks.slice(Math.max(0, index - 1), end + 1).includes("s")) return true
  const startsLine = lineStart(segment.text, index) === index
  if (removed.includes("\n")) {
    const isWhole = startsLine && removed.endsWith("\n")
    return either.test(isWhole ? segment.marks.slice(index, end) : marksOfLines(segment, index, end))
  }
  const splits = inserted.includes("\n") && startsLine && (removed !== "" || !inserted.endsWith("\n"))
  return splits && heading.test(marksOfLines(segment, index, end))
}

const lineStart = (text: string, index: number): number => index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1

const marksOfLines = ({ marks, text }: MarkedSegment, first: number, last: number): string => {
  const end = text.indexOf("\n", last)
  return marks.slice(lineStart(text, first), end === -1 ? undefined : end + 1)
}

/** What lies between lines that are added or removed in several places is written anew. */
const losesMiddle = (before: MarkedSegment, after: MarkedSegment): boolean => {
  if (before.text === after.text) return false
  const [was, is] = [linesOf(before), linesOf(after)]
  if (was.length === is.length) return false
  const shorter = Math.min(was.length, is.length)
  let above = 0
  while (above < shorter && was[above]?.text === is[above]?.text) above++
  let below = 0
  while (below < shorter - above && was.at(-1 - below)?.text === is.at(-1 - below)?.text) below++
  return was.slice(above + 1, was.length - below).some(({ marks }) => either.test(marks))
}

const linesOf = ({ marks, text }: MarkedSegment) => {
  let at = 0
  return text.split(/(?<=\n)/).map((line) => {
    const start = at
    at += line.length
    return { text: line, marks: marks.slice(start, at) }
  })
}
