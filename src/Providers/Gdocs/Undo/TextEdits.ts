import { Option, Schema } from "effect"
import { canonicalJson } from "../../../Domain/Json/CanonicalJson.ts"
import { type EditedSegment, linesLeft } from "./Inverse.ts"
import { fieldsOf, isCopied, type Line, noText } from "./Segments.ts"

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
type RangeEdit = Exclude<Edit, { readonly insertText: unknown } | { readonly replaceAllText: unknown }>

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

/** Returns why edits could not be applied. */
export const applyEdits = (
  segments: ReadonlyArray<EditedSegment>,
  edits: TextEdits
): "no_inverse" | "too_large" | undefined => {
  const find = ({ segmentId = "", tabId = segments[0]?.tabId }: typeof End.Type) =>
    segments.find((segment) => segment.tabId === tabId && segment.segmentId === segmentId)
  for (const edit of edits) {
    if ("replaceAllText" in edit) {
      const problem = replaceAll(segments, edit.replaceAllText)
      if (problem !== undefined) return problem
    } else if ("insertText" in edit) {
      const { endOfSegmentLocation, location, text } = edit.insertText
      const edited = find(location ?? endOfSegmentLocation ?? {})?.edited
      const index = location?.index ?? (edited?.text.length ?? 0) - 1
      if (!edited?.replace([{ index, length: 0, text }])) return "no_inverse"
    } else {
      const [change] = Object.values(edit)
      const segment = change && find(change.range)
      if (change === undefined || segment === undefined || !applyToRange(segment, edit, change.range)) {
        return "no_inverse"
      }
    }
  }
  return undefined
}

const applyToRange = (segment: EditedSegment, edit: RangeEdit, range: typeof Range.Type): boolean => {
  const { edited } = segment
  const { endIndex, startIndex } = range
  if ("deleteContentRange" in edit) {
    return edited.replace([{ index: startIndex, length: endIndex - startIndex, text: "" }])
  }
  const { text } = edited
  const start = startIndex === 0 ? 0 : text.lastIndexOf("\n", startIndex - 1) + 1
  const end = text.indexOf("\n", endIndex - 1) + 1
  if (end <= start || !linesLeft(segment, start, end).every(({ line }) => isKept(line, edit))) return false
  if ("updateTextStyle" in edit) return edited.isInserted(startIndex, endIndex)
  if (!("createParagraphBullets" in edit)) return true
  // A bullet's nesting replaces the tabs before its text.
  const nested = text.slice(start, end).matchAll(/^(\uFFFC*)(\t+)/gm)
  return edited.replace(
    [...nested].map(({ 1: gap = "", 2: tabs = "", index }) => ({
      index: start + index + gap.length,
      length: tabs.length,
      text: ""
    }))
  )
}

/** Whether an edit in a paragraph leaves its style. */
const isKept = (line: Line, edit: RangeEdit): boolean => {
  if ("deleteContentRange" in edit) return true
  // The style of a whole text is that of its bullet, too.
  if ("updateTextStyle" in edit) return isCopied(line)
  if ("deleteParagraphBullets" in edit) return !("bullet" in line.fields)
  if ("createParagraphBullets" in edit) return false
  const { fields, paragraphStyle } = edit.updateParagraphStyle
  const [was, is] = [fieldsOf(line.fields["paragraphStyle"]), fieldsOf(paragraphStyle)]
  return !/[*.]/.test(fields) &&
    fields.split(",").every((field) => canonicalJson(was[field]) === canonicalJson(is[field]))
}

const replaceAll = (
  segments: ReadonlyArray<EditedSegment>,
  { containsText, replaceText = "", tabsCriteria }: Extract<Edit, { replaceAllText: unknown }>["replaceAllText"]
): "no_inverse" | "too_large" | undefined => {
  const tabs = tabsCriteria?.tabIds ?? []
  for (const { edited } of segments.filter(({ tabId }) => tabs.length === 0 || tabs.includes(tabId))) {
    const found = occurrences(edited.text, containsText)
    if (found.length > maxReplacements) return "too_large"
    const { length } = containsText.text
    if (!edited.replace(found.map((index) => ({ index, length, text: replaceText })))) return "no_inverse"
  }
  return undefined
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
