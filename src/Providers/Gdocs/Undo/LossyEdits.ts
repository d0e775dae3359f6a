import { isInseparable, isSuggested, type KeptParagraph, type PlacedParagraph } from "./Paragraphs.ts"
import { changedSpans, differenceBetween } from "./Regions.ts"
import { editTexts, type TextEdit } from "./TextEdits.ts"
import { noText, type SegmentText } from "./Texts.ts"

interface MarkedSegment extends SegmentText {
  /**
   * For each character of the text, what its paragraph cannot get back: `b` a bullet, `h` a heading's ID, `x` both, `e`
   * both, and that the style of its text is not that of its bullet. `s` is suggested text, `o` no text. An edit of the
   * style makes a letter a capital, and the point of a character without a mark a comma.
   */
  readonly marks: string
}

const bullet = /[besx]/i
const heading = /[ehsx]/i
const either = /[behsx]/i
const inseparable = /e/i

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
  return before.some((segment, index) => {
    const containers = containersOf(after[index] ?? segment)
    return containersOf(segment).some((container, nth) => {
      const edited = containers[nth] ?? container
      return losesMiddle(container, edited) || losesOther(container, edited)
    })
  })
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

const markOf = (paragraph: PlacedParagraph): string => {
  if (isInseparable(paragraph)) return "e"
  const { bullet, style } = paragraph
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
  let { marks, text } = segment
  const range = rangeOf(edit)
  if (range !== undefined && !("deleteContentRange" in edit)) {
    const { end, start } = linesAround(segment, range.startIndex, range.endIndex - 1)
    const lines = marks.slice(start, end)
    if ("updateTextStyle" in edit && /[os]/.test(marks.slice(range.startIndex, range.endIndex))) return undefined
    if (("updateTextStyle" in edit || "updateParagraphStyle" in edit) && inseparable.test(lines)) return undefined
    const takesBullets = "createParagraphBullets" in edit || "deleteParagraphBullets" in edit
    if (takesBullets && bullet.test(lines)) return undefined
    if ("updateParagraphStyle" in edit) {
      const isNamed = /\*|namedStyleType/.test(edit.updateParagraphStyle.fields)
      if (isNamed && heading.test(lines)) return undefined
    }
    marks = marks.slice(0, start) + lines.replace(/[.behx]/g, (mark) => mark === "." ? "," : mark.toUpperCase()) +
      marks.slice(end)
  }
  for (const { index, inserted, removed } of editTexts([segment], [edit])?.changes ?? []) {
    const end = index + removed.length
    if (losesParagraph({ ...segment, marks, text }, index, removed, inserted)) return undefined
    marks = marks.slice(0, index) + ".".repeat(inserted.length) + marks.slice(end)
    text = text.slice(0, index) + inserted + text.slice(end)
  }
  return { ...segment, marks, text }
}

const losesParagraph = (segment: MarkedSegment, index: number, removed: string, inserted: string): boolean => {
  const { marks, text } = segment
  const end = index + removed.length
  // What is inserted into suggested text becomes suggested.
  if (marks.slice(Math.max(0, index - 1), end + 1).includes("s")) return true
  if (inseparable.test(marks.slice(index, end))) return true
  const lines = linesAround(segment, index, end)
  const lineMarks = marks.slice(lines.start, lines.end)
  const startsLine = lines.start === index
  if (removed.includes("\n")) {
    // A paragraph without text takes the place of one that is inserted after it.
    const isWhole = startsLine && removed.endsWith("\n")
    return either.test(isWhole ? marks.slice(Math.max(0, index - 1), end) : lineMarks)
  }
  const splits = inserted.includes("\n") && startsLine && (removed !== "" || !inserted.endsWith("\n"))
  // The end of a container cannot be removed.
  const isLast = end + 1 === text.length || isStructure(segment, end + 1)
  const isEmpty = lines.end === index + 1
  return splits && (heading.test(lineMarks) || isEmpty && isLast && bullet.test(lineMarks))
}

/** The start of a table, a cell or a section. */
const isStructure = ({ marks, text }: MarkedSegment, index: number): boolean =>
  text[index] === noText && marks[index] === "."

const linesAround = (segment: MarkedSegment, first: number, last: number) => {
  const { text } = segment
  let start = first === 0 ? 0 : text.lastIndexOf("\n", first - 1) + 1
  while (start < first && isStructure(segment, start)) start++
  const end = text.indexOf("\n", last)
  return { start, end: end === -1 ? text.length : end + 1 }
}

interface Marked {
  readonly text: string
  readonly marks: string
}

const containersOf = (segment: MarkedSegment): ReadonlyArray<Marked> => {
  const containers: Array<Marked> = []
  let start = 0
  for (let at = 0; at <= segment.text.length; at++) {
    if (at < segment.text.length && !isStructure(segment, at)) continue
    containers.push({ text: segment.text.slice(start, at), marks: segment.marks.slice(start, at) })
    start = at + 1
  }
  return containers
}

/** What lies between lines that are added or removed in several places is written anew. */
const losesMiddle = (before: Marked, after: Marked): boolean => {
  if (before.text === after.text) return false
  const [was, is] = [linesOf(before), linesOf(after)]
  if (was.length === is.length) return false
  const shorter = Math.min(was.length, is.length)
  let above = 0
  while (above < shorter && isSameLine(was[above], is[above])) above++
  let below = 0
  while (below < shorter - above && isSameLine(was.at(-1 - below), is.at(-1 - below))) below++
  const [first, ...others] = was.slice(above, was.length - below)
  const losesFirst = first !== undefined && either.test(first.marks) && !either.test(is[above]?.marks ?? "")
  return losesFirst || others.some(({ marks }) => either.test(marks))
}

/** What is no text is written anew with what looks like one character with it, or lies between changed lines. */
const losesOther = (before: Marked, after: Marked): boolean => {
  const [was, is] = [linesOf(before), linesOf(after)]
  const spans = changedSpans(was, is, isSameLine)
  return spans === undefined || spans.some((span) => {
    const textOf = (lines: ReadonlyArray<Marked>) =>
      lines.slice(span.above, lines.length - span.below).map(withoutOther).join("")
    const { inserted, removed } = differenceBetween(textOf(is), textOf(was), span)
    return (inserted + removed).includes(noText)
  })
}

const withoutOther = ({ marks, text }: Marked): string =>
  Array.from(marks, (mark, index) => mark === "s" || mark === "o" ? noText : text[index]).join("")

const isSameLine = (one: Marked | undefined, other: Marked | undefined): boolean =>
  one?.text === other?.text && isStyled(one) === isStyled(other)

const isStyled = (line: Marked | undefined): boolean => /[,A-Z]/.test(line?.marks ?? "")

const linesOf = ({ marks, text }: Marked): ReadonlyArray<Marked> => {
  let at = 0
  return text.split(/(?<=\n)/).map((line) => {
    const start = at
    at += line.length
    return { text: line, marks: marks.slice(start, at) }
  })
}
