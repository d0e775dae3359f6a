import { Option, Schema, Struct } from "effect"
import type { UnkeptReason } from "../../../Domain/Calls/UndoReason.ts"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { type Range, type ReplaceAllTextRequest, Request } from "../Generated.ts"
import { straight } from "../Writing/Search.ts"
import type { EditedSegment, SegmentEdit } from "./EditedSegment.ts"
import { type Line, noText } from "./Segments.ts"

const ofText = ["deleteContentRange", "insertText", "replaceAllText"] as const
const ofStyle = ["createParagraphBullets", "deleteParagraphBullets", "updateParagraphStyle", "updateTextStyle"] as const

/** An edit whose effect on the text is known: of text, or of a style that tools give to inserted text. */
const TextEdit = Schema.Struct(Struct.pick(Request.fields, [...ofText, ...ofStyle]))
export type TextEdit = typeof TextEdit.Type

const decode = Schema.decodeUnknownOption(Schema.Array(TextEdit), { onExcessProperty: "error" })

/** `undefined` for edits of styles alone, which have no inverse, and for unknown edits. */
export const decodeTextEdits = (edits: ReadonlyArray<object>): ReadonlyArray<TextEdit> | undefined =>
  edits.some((edit) => ofText.some((kind) => kind in edit)) ? Option.getOrUndefined(decode(edits)) : undefined

/** Returns why an edit could not be applied. */
export const applyEdit = (segments: ReadonlyArray<EditedSegment>, edit: TextEdit): UnkeptReason | undefined => {
  const { insertText, replaceAllText } = edit
  if (replaceAllText !== undefined) return replaceAll(segments, replaceAllText)
  const range = Object.values(edit).map((each) => "range" in each ? each.range : undefined)[0]
  const place = insertText?.location ?? insertText?.endOfSegmentLocation ?? range ?? {}
  const { segmentId = "", tabId = segments[0]?.before.tabId } = place
  const segment = segments.find(({ before }) => before.tabId === tabId && before.segmentId === segmentId)
  const edits = segment && editsIn(segment, edit, range)
  return edits !== undefined && segment?.replace(edits) ? undefined : "no_inverse"
}

/** `undefined` if an older text or paragraph would lose its style. */
const editsIn = (
  { before: { runs }, origins, text }: EditedSegment,
  { createParagraphBullets, deleteContentRange, insertText, updateParagraphStyle, updateTextStyle }: TextEdit,
  { endIndex, startIndex }: typeof Range.Type = { startIndex: -1, endIndex: -1 }
): ReadonlyArray<SegmentEdit> | undefined => {
  if (insertText !== undefined) {
    const { index = 0 } = insertText.location ?? { index: text.length - 1 }
    return [[index, index, insertText.text ?? ""]]
  }
  if (deleteContentRange !== undefined) return [[startIndex, endIndex, ""]]
  const start = text.slice(0, startIndex).lastIndexOf("\n") + 1
  const end = text.indexOf("\n", endIndex - 1) + 1
  // A paragraph stays where the first remaining part of its text is.
  const above = runs[origins.subarray(0, start).findLast((origin) => runs[origin] !== undefined) ?? -1]?.line
  const style = updateParagraphStyle && canonicalJson([updateParagraphStyle.paragraphStyle ?? {}, {}])
  const isKept = (line?: Line) =>
    line === undefined || line === above ||
    createParagraphBullets === undefined && line.isCopied && line.style === (style ?? line.style)
  const isNew = updateTextStyle === undefined || origins.subarray(startIndex, endIndex).every((origin) => origin === -1)
  const areKept = origins.subarray(start, end).every((origin) => isKept(runs[origin]?.line))
  if (end <= start || !isNew || !areKept) return undefined
  // A bullet's nesting replaces the tabs before its text.
  const tabs = createParagraphBullets && text.slice(start, end).matchAll(/(?<=^\uFFFC*)\t+/gm)
  return Array.from(tabs ?? [], ({ 0: found, index }) => [start + index, start + index + found.length, ""] as const)
}

/** The most replacements of one edit. */
const maxReplacements = 2000

const replaceAll = (
  segments: ReadonlyArray<EditedSegment>,
  { containsText, replaceText = "", tabsCriteria: { tabIds = [] } = {} }: typeof ReplaceAllTextRequest.Type
): UnkeptReason | undefined => {
  const { matchCase = false, searchByRegex = false, text: wanted = "" } = containsText
  if (searchByRegex || wanted === "" || wanted.includes(noText) || segments.length === 0) return "no_inverse"
  const pattern = new RegExp(RegExp.escape(comparable(wanted, matchCase)), "g")
  for (const segment of segments.filter(({ before }) => tabIds.length === 0 || tabIds.includes(before.tabId))) {
    const found = [...comparable(segment.text, matchCase).matchAll(pattern)]
    if (found.length > maxReplacements) return "too_large"
    if (!segment.replace(found.map(({ index }) => [index, index + wanted.length, replaceText]))) return "no_inverse"
  }
  return undefined
}

/** Keeps the length, so that indexes stay. */
const lower = (unit: string): string => unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit

const comparable = (text: string, matchCase: boolean): string =>
  matchCase ? straight(text) : straight(text).replace(/[^\0-\x40]/g, lower)
