import { Option, Schema } from "effect"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { copyOf, type EditedLines } from "./EditedLines.ts"
import { cut, fieldsOf, leadOf, type Line, noText, type Segment, textOf } from "./Lines.ts"

const Id = Schema.optionalKey(Schema.String)
const Location = Schema.Struct({ index: Schema.Int, segmentId: Id, tabId: Id })
const End = Schema.Struct({ segmentId: Id, tabId: Id })
const Range = Schema.Struct({ startIndex: Schema.Int, endIndex: Schema.Int, segmentId: Id, tabId: Id })

const Edit = Schema.Union([
  Schema.Struct({
    insertText: Schema.Struct({
      text: Schema.String,
      location: Schema.optionalKey(Location),
      endOfSegmentLocation: Schema.optionalKey(End)
    })
  }),
  Schema.Struct({ deleteContentRange: Schema.Struct({ range: Range }) }),
  Schema.Struct({
    replaceAllText: Schema.Struct({
      replaceText: Schema.optionalKey(Schema.String),
      containsText: Schema.Struct({ text: Schema.String, matchCase: Schema.optionalKey(Schema.Boolean) }),
      tabsCriteria: Schema.optionalKey(Schema.Struct({ tabIds: Schema.optionalKey(Schema.Array(Schema.String)) }))
    })
  }),
  Schema.Struct({ createParagraphBullets: Schema.Struct({ range: Range, bulletPreset: Id }) }),
  Schema.Struct({ deleteParagraphBullets: Schema.Struct({ range: Range }) }),
  Schema.Struct({ updateTextStyle: Schema.Struct({ range: Range, textStyle: Schema.Unknown, fields: Schema.String }) }),
  Schema.Struct({
    updateParagraphStyle: Schema.Struct({ range: Range, paragraphStyle: Schema.Unknown, fields: Schema.String })
  })
])
type Edit = typeof Edit.Type

/** Edits whose effect on the text is known: those of texts, and the styles that tools give to what they insert. */
export const TextEdits = Schema.Array(Edit)
export type TextEdits = typeof TextEdits.Type

const decode = Schema.decodeUnknownOption(TextEdits)

export const decodeTextEdits = (edits: ReadonlyArray<object>): TextEdits | undefined =>
  Option.getOrUndefined(decode(edits, { onExcessProperty: "error" }))

export const isOfText = (edit: Edit): boolean =>
  "insertText" in edit || "deleteContentRange" in edit || "replaceAllText" in edit

/** Replacements of one edit. */
const maxReplacements = 2000

/** A segment, and its paragraphs after the edits. */
export interface EditedSegment extends Segment {
  readonly edited: EditedLines
}

/** Returns why edits could not be applied. */
export const applyEdits = (
  segments: ReadonlyArray<EditedSegment>,
  edits: TextEdits
): "no_inverse" | "too_large" | undefined => {
  for (const edit of edits) {
    if ("replaceAllText" in edit) {
      if (!replaceAll(segments, edit.replaceAllText)) return "too_large"
    } else if (!applyEdit(segments, edit)) return "no_inverse"
  }
  return undefined
}

const applyEdit = (
  segments: ReadonlyArray<EditedSegment>,
  edit: Exclude<Edit, { readonly replaceAllText: unknown }>
): boolean => {
  const find = ({ segmentId = "", tabId = segments[0]?.tabId }: typeof End.Type) =>
    segments.find((segment) => segment.tabId === tabId && segment.segmentId === segmentId)?.edited
  if ("insertText" in edit) {
    const { endOfSegmentLocation, location, text } = edit.insertText
    const edited = find(location ?? endOfSegmentLocation ?? {})
    return edited?.insert(location?.index ?? textOf(edited.lines).length - 1, text) ?? false
  }
  const [change] = Object.values(edit)
  const edited = change && find(change.range)
  if (change === undefined || edited === undefined) return false
  const { endIndex, startIndex } = change.range
  if ("deleteContentRange" in edit) return edited.remove(startIndex, endIndex - startIndex)
  const indents: Array<readonly [index: number, tabs: number]> = []
  edited.restyle(startIndex, endIndex, (line, from, to, start) => {
    if ("updateTextStyle" in edit) return withoutTextStyle(line, from, to)
    if ("createParagraphBullets" in edit) {
      indents.unshift([start + leadOf(line), /^\uFFFC*(\t*)/.exec(line.text)?.[1]?.length ?? 0])
    } else if (isSet(line, edit)) return line
    return { ...line, style: undefined }
  })
  // A bullet's nesting replaces the tabs before its text.
  return indents.every(([index, tabs]) => edited.remove(index, tabs))
}

const withoutTextStyle = ({ runs, style, text }: Line, from: number, to: number): Line => {
  const changed = cut(runs, from, to).map((run) => ({ ...run, style: undefined }))
  // The style of a whole text is that of its bullet, too.
  return { text, runs: [...cut(runs, 0, from), ...changed, ...cut(runs, to)], style: copyOf(style) }
}

/** Whether a paragraph already has the style that an edit gives to it. */
const isSet = (
  { style }: Line,
  edit: Extract<Edit, { readonly deleteParagraphBullets: unknown } | { readonly updateParagraphStyle: unknown }>
): boolean => {
  if (style === undefined || "deleteParagraphBullets" in edit) return style !== undefined && !("bullet" in style)
  const { fields, paragraphStyle } = edit.updateParagraphStyle
  const [was, is] = [fieldsOf(style["paragraphStyle"]), fieldsOf(paragraphStyle)]
  return !/[*.]/.test(fields) &&
    fields.split(",").every((field) => canonicalJson(was[field]) === canonicalJson(is[field]))
}

const replaceAll = (
  segments: ReadonlyArray<EditedSegment>,
  { containsText, replaceText = "", tabsCriteria }: Extract<Edit, { replaceAllText: unknown }>["replaceAllText"]
): boolean => {
  const tabs = tabsCriteria?.tabIds ?? []
  return segments.filter(({ tabId }) => tabs.length === 0 || tabs.includes(tabId)).every(({ edited }) => {
    const found = occurrences(textOf(edited.lines), containsText)
    if (found.length > maxReplacements) return false
    const { length } = containsText.text
    for (const [nth, index] of found.entries()) {
      // Each replacement moves those after it.
      const at = index + nth * (replaceText.length - length)
      edited.remove(at, length)
      edited.insert(at, replaceText)
    }
    return true
  })
}

const occurrences = (
  text: string,
  { matchCase = false, text: wanted }: { readonly text: string; readonly matchCase?: boolean }
): ReadonlyArray<number> => {
  const [haystack, needle] = [comparable(text, matchCase), comparable(wanted, matchCase)]
  const found: Array<number> = []
  if (needle === "" || needle.includes(noText)) return found
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length)) found.push(at)
  return found
}

/** Keeps the length, so that indexes stay. */
const comparable = (text: string, matchCase: boolean): string => {
  const straight = text.replace(/[‘’]/g, "'").replace(/[“”]/g, "\"")
  return matchCase ? straight : straight.replace(/[^\0-\x40]/g, (unit) => {
    const lower = unit.toLowerCase()
    return lower.length === 1 ? lower : unit
  })
}
