import { Result } from "effect"
import { lacks } from "../../../Google/GoogleError.ts"
import { deleteRange } from "../Deletion.ts"
import type { Content, Document } from "../Document.ts"
import { refuse } from "../Errors.ts"
import { insertionStyle } from "../Inlines.ts"
import { insertInlines, insertText, stripUnsupported } from "../Paragraphs.ts"
import { findRange, type InsertionPoint, insertionPoint } from "../Ranges.ts"
import { replaceAll } from "../ReplaceAll.ts"
import { allTabs, findTab, segmentsOf, setContent } from "../Segments.ts"
import { replaceAt } from "../Tree.ts"
import { applied, type RequestHandlers } from "./Request.ts"

export const textRequests = {
  insertText: (document, payload, ids) =>
    Result.gen(function*() {
      const text = stripUnsupported(payload.text ?? "")
      if (text === "") return yield* refuse("Insert text requests must specify text to insert.")
      const point = yield* insertionPoint(document, payload)
      const { index, place } = point
      return applied(replaceParagraph(document, point, insertText(place.paragraph, index - place.start, text, ids)))
    }),

  deleteContentRange: (document, { range }) =>
    Result.gen(function*() {
      const found = yield* findRange(document, range)
      return applied(setContent(document, found, yield* deleteRange(found.content, [found.from, found.to])))
    }),

  replaceAllText: (document, { containsText = {}, replaceText = "", tabsCriteria }, ids) => {
    const { matchCase = false, searchByRegex = false, text = "" } = containsText
    if (searchByRegex) return lacks("searches by regular expression")
    if (text === "") return refuse("The search text must not be empty.")
    const wanted = tabsCriteria?.tabIds ?? []
    const unknown = wanted.find((tabId) => findTab(document, tabId) === undefined)
    if (unknown !== undefined) return refuse(`Tab ID ${unknown} was not found.`)
    const tabs = allTabs(document.tabs).filter(({ tabId }) => wanted.length === 0 || wanted.includes(tabId))
    let occurrencesChanged = 0
    const changed = tabs.flatMap(segmentsOf).reduce((before, segment) => {
      const { content, occurrences } = replaceAll(
        segment.content,
        { matchCase, text },
        stripUnsupported(replaceText),
        ids
      )
      occurrencesChanged += occurrences
      return occurrences === 0 ? before : setContent(before, segment, content)
    }, document)
    return Result.succeed(
      applied(changed, { replaceAllText: occurrencesChanged === 0 ? {} : { occurrencesChanged } })
    )
  },

  insertPageBreak: (document, payload, ids) =>
    Result.gen(function*() {
      const point = yield* insertionPoint(document, payload)
      if (point.segment !== undefined || point.place.inTable) {
        return yield* refuse("Page breaks can only be inserted inside the body, outside of tables.")
      }
      const offset = point.index - point.place.start
      const textStyle = insertionStyle(point.place.paragraph.inlines, offset)
      return applied(replaceParagraph(
        document,
        point,
        insertInlines(point.place.paragraph, offset, [
          { width: 1, element: { pageBreak: { textStyle } } },
          { text: "\n", style: textStyle, rest: {} }
        ], ids)
      ))
    })
} satisfies RequestHandlers

const replaceParagraph = (document: Document, point: InsertionPoint, blocks: Content): Document =>
  setContent(document, point, replaceAt(point.content, point.place.path, blocks))
