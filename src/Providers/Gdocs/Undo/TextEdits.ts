import { Option, Schema } from "effect"
import { maxContext, type TextChange } from "../../../Domain/Calls/Change.ts"
import { isBoundary } from "./Characters.ts"
import { noText, type SegmentText } from "./Texts.ts"

const Id = Schema.optionalKey(Schema.String)
const Location = Schema.Struct({ index: Schema.Int, segmentId: Id, tabId: Id })
const End = Schema.Struct({ segmentId: Id, tabId: Id })
const Range = Schema.Struct({ startIndex: Schema.Int, endIndex: Schema.Int, segmentId: Id, tabId: Id })

/** The edits whose effect on the text is known. */
export const TextEdit = Schema.Union([
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
export type TextEdit = typeof TextEdit.Type

const decode = Schema.decodeUnknownOption(Schema.Array(TextEdit))

export const decodeTextEdits = (edits: ReadonlyArray<object>): ReadonlyArray<TextEdit> | undefined =>
  Option.getOrUndefined(decode(edits, { onExcessProperty: "error" }))

type Place = Readonly<Record<"segmentId" | "tabId", string | undefined>>

export interface EditedTexts {
  /** The texts that change, one after the other. */
  readonly changes: ReadonlyArray<TextChange>
  readonly texts: ReadonlyArray<SegmentText>
}

/** With the text around it, as it is before the change. */
export const textChange = (
  tab: string,
  text: string,
  index: number,
  { inserted, removed }: Pick<TextChange, "removed" | "inserted">
): TextChange => {
  const end = index + removed.length
  // A slice would hold the whole text, of which each change has another one. The ends may be half of a character.
  const around = (from: number, to: number) =>
    `${text.slice(Math.max(0, from), to)}|`.slice(0, -1).replaceAll(noText, " ")
      .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")
  const context = { before: around(index - maxContext, index), after: around(end, end + maxContext) }
  return { tab, index, removed, inserted, context }
}

/** `undefined` where an edit does not fit the document. */
export const editTexts = (
  segments: ReadonlyArray<SegmentText>,
  edits: ReadonlyArray<TextEdit>
): EditedTexts | undefined => {
  const texts = new Map(segments.map((segment) => [segment, segment.text]))
  const changes: Array<TextChange> = []
  const find = ({ segmentId = "", tabId = segments[0]?.tabId }: Partial<Place>) =>
    segments.find((segment) => segment.tabId === tabId && segment.segmentId === segmentId)
  const splice = (segment: SegmentText, index: number, length: number, inserted: string) => {
    const text = texts.get(segment) ?? ""
    const removed = text.slice(index, index + length)
    texts.set(segment, text.slice(0, index) + inserted + text.slice(index + length))
    if (removed !== "" || inserted !== "") changes.push(textChange(segment.tabId, text, index, { removed, inserted }))
  }

  for (const edit of edits) {
    if ("insertText" in edit) {
      const { endOfSegmentLocation, location, text } = edit.insertText
      const segment = find(location ?? endOfSegmentLocation ?? {})
      if (segment === undefined) return undefined
      if (location !== undefined && !isBoundary(texts.get(segment) ?? "", location.index)) return undefined
      splice(segment, location?.index ?? (texts.get(segment) ?? "").length - 1, 0, text)
    } else if ("deleteContentRange" in edit) {
      const { range } = edit.deleteContentRange
      const segment = find(range)
      if (segment === undefined) return undefined
      splice(segment, range.startIndex, range.endIndex - range.startIndex, "")
    } else if ("replaceAllText" in edit) {
      const { containsText, replaceText = "", tabsCriteria } = edit.replaceAllText
      const tabs = tabsCriteria?.tabIds ?? []
      for (const segment of segments) {
        if (tabs.length > 0 && !tabs.includes(segment.tabId)) continue
        const found = occurrences(texts.get(segment) ?? "", containsText)
        // Each replacement moves those after it.
        const shift = replaceText.length - containsText.text.length
        for (const [nth, index] of found.entries()) {
          splice(segment, index + nth * shift, containsText.text.length, replaceText)
        }
      }
    } else if ("createParagraphBullets" in edit) {
      const { range } = edit.createParagraphBullets
      const segment = find(range)
      if (segment === undefined) return undefined
      const text = texts.get(segment) ?? ""
      const tabs = leadingTabs(text, range)
      for (const [index, length] of tabs.toReversed()) removeTabs(changes, texts, segment, index, length)
    }
  }
  return { changes, texts: segments.map((segment) => ({ ...segment, text: texts.get(segment) ?? "" })) }
}

/** A bullet's nesting replaces the tabs before its text, which the edit itself has written in most cases. */
const removeTabs = (
  changes: Array<TextChange>,
  texts: Map<SegmentText, string>,
  segment: SegmentText,
  index: number,
  length: number
) => {
  const text = texts.get(segment) ?? ""
  texts.set(segment, text.slice(0, index) + text.slice(index + length))
  const writer = changes.findLastIndex((change) =>
    change.tab === segment.tabId && change.index <= index && index + length <= change.index + change.inserted.length
  )
  const written = changes[writer]
  if (written === undefined) {
    changes.push(textChange(segment.tabId, text, index, { removed: text.slice(index, index + length), inserted: "" }))
    return
  }
  const at = index - written.index
  changes[writer] = { ...written, inserted: written.inserted.slice(0, at) + written.inserted.slice(at + length) }
}

const leadingTabs = (
  text: string,
  { endIndex, startIndex }: { readonly startIndex: number; readonly endIndex: number }
): ReadonlyArray<readonly [index: number, length: number]> => {
  const found: Array<readonly [number, number]> = []
  let start = text.lastIndexOf("\n", startIndex - 1) + 1
  while (start < endIndex && start < text.length) {
    let end = start
    while (text[end] === "\t") end++
    if (end > start) found.push([start, end - start])
    const next = text.indexOf("\n", start)
    if (next === -1) break
    start = next + 1
  }
  return found
}

const occurrences = (
  text: string,
  { matchCase = false, text: wanted }: { readonly text: string; readonly matchCase?: boolean }
): ReadonlyArray<number> => {
  const [haystack, needle] = [comparable(text, matchCase), comparable(wanted, matchCase)]
  const found: Array<number> = []
  if (needle === "") return found
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length)) {
    if (!haystack.slice(at, at + needle.length).includes(noText)) found.push(at)
  }
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
