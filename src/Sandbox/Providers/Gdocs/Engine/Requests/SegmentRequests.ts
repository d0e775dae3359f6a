import { Result } from "effect"
import { newParagraph } from "../Defaults.ts"
import type { Document } from "../Document.ts"
import { lacks, refuse } from "../Errors.ts"
import { insertionStyle } from "../Inlines.ts"
import { asObject } from "../Json.ts"
import { insertInlines } from "../Paragraphs.ts"
import { insertionPoint } from "../Ranges.ts"
import { findTab, setContent, updateTab } from "../Segments.ts"
import { replaceAt } from "../Tree.ts"
import { applied, type HandlerResult, type RequestHandlers } from "./Request.ts"

export const segmentRequests = {
  createFootnote: (document, insertion, ids) =>
    Result.gen(function*() {
      const point = yield* insertionPoint(document, insertion)
      const { content, index, place, segment, tab } = point
      if (segment !== undefined) {
        return yield* refuse("Footnote references can only be inserted inside the body.")
      }
      const footnoteId = ids.next("kix.")
      const textStyle = insertionStyle(place.paragraph.inlines, index - place.start)
      const footnoteNumber = `${Object.keys(tab.footnotes).length + 1}`
      const reference = { width: 1, element: { footnoteReference: { footnoteId, footnoteNumber, textStyle } } }
      const withFootnote = updateTab(document, tab.tabId, (each) => ({
        ...each,
        footnotes: { ...each.footnotes, [footnoteId]: { content: [newParagraph(" \n")], rest: {} } }
      }))
      const paragraphs = insertInlines(place.paragraph, index - place.start, [reference], ids)
      return applied(setContent(withFootnote, point, replaceAt(content, place.path, paragraphs)), {
        createFootnote: { footnoteId }
      })
    }),

  createHeader: (document, { sectionBreakLocation }, ids) =>
    createHeaderOrFooter(document, "headers", sectionBreakLocation, ids.next("kix.")),

  createFooter: (document, { sectionBreakLocation }, ids) =>
    createHeaderOrFooter(document, "footers", sectionBreakLocation, ids.next("kix."))
} satisfies RequestHandlers

const headerAndFooter = {
  headers: { idName: "headerId", styleName: "defaultHeaderId", reply: "createHeader", word: "header" },
  footers: { idName: "footerId", styleName: "defaultFooterId", reply: "createFooter", word: "footer" }
} as const

const createHeaderOrFooter = (
  document: Document,
  kind: keyof typeof headerAndFooter,
  { index = 0, tabId }: { readonly index?: number | undefined; readonly tabId?: string | undefined } = {},
  id: string
): HandlerResult => {
  if (index > 0) return lacks("headers and footers of one section")
  const { idName, reply, styleName, word } = headerAndFooter[kind]
  const tab = findTab(document, tabId)
  if (tab === undefined) return refuse(`Tab ID ${tabId} was not found.`)
  const documentStyle = asObject(tab.rest["documentStyle"])
  if (documentStyle[styleName] !== undefined) {
    return refuse(`Default ${word} already exists. ID: ${documentStyle[styleName]}`)
  }
  const changed = updateTab(document, tab.tabId, (each) => ({
    ...each,
    [kind]: { ...each[kind], [id]: { content: [newParagraph("\n")], rest: {} } },
    rest: { ...each.rest, documentStyle: { ...documentStyle, [styleName]: id } }
  }))
  return Result.succeed(applied(changed, { [reply]: { [idName]: id } }))
}
