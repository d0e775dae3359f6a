import { Result } from "effect"
import { sectionBreak } from "./Defaults.ts"
import { deleteRange } from "./Deletion.ts"
import { type Context, done, type Handled, type Handlers } from "./Handler.ts"
import { styleAt } from "./Inlines.ts"
import { insertInlines, insertText, strip } from "./Paragraphs.ts"
import { findRange, type Insertion, type InsertionPoint, insertionPoint } from "./Ranges.ts"
import { notSimulated, refuse } from "./Refusal.ts"
import { replaceAll } from "./ReplaceAll.ts"
import { allTabs, findTab, segmentsOf, setContent } from "./Segments.ts"
import type { Content, DocumentState, Inline, Props } from "./State.ts"
import { replaceAt } from "./Tree.ts"

/** What inserts, replaces and deletes text and what stands among it. */
export const textRequests = {
  insertText: (state, payload, { ids, where }) =>
    Result.gen(function*() {
      const text = strip(payload.text ?? "")
      if (text === "") return yield* refuse(where, "Insert text requests must specify text to insert.")
      const point = yield* insertionPoint(where, state, payload)
      const { index, place } = point
      return done(put(state, point, insertText(place.paragraph, index - place.start, text, ids)))
    }),

  deleteContentRange: (state, { range }, { where }) =>
    Result.gen(function*() {
      const found = yield* findRange(where, state, range)
      return done(setContent(state, found, yield* deleteRange(where, found.content, [found.from, found.to])))
    }),

  replaceAllText: (state, { containsText = {}, replaceText = "", tabsCriteria }, { ids, where }) => {
    const { matchCase = false, searchByRegex = false, text = "" } = containsText
    if (searchByRegex) return notSimulated(where)
    if (text === "") return refuse(where, "The search text must not be empty.")
    const wanted = tabsCriteria?.tabIds ?? []
    const unknown = wanted.find((tabId) => findTab(state, tabId) === undefined)
    if (unknown !== undefined) return refuse(where, `Tab ID ${unknown} was not found.`)
    const tabs = allTabs(state.tabs).filter(({ tabId }) => wanted.length === 0 || wanted.includes(tabId))
    let occurrencesChanged = 0
    const changed = tabs.flatMap(segmentsOf).reduce((before, segment) => {
      const { content, occurrences } = replaceAll(segment.content, { matchCase, text }, strip(replaceText), ids)
      occurrencesChanged += occurrences
      return occurrences === 0 ? before : setContent(before, segment, content)
    }, state)
    return Result.succeed(
      done(changed, { replaceAllText: occurrencesChanged === 0 ? {} : { occurrencesChanged } })
    )
  },

  insertPageBreak: (state, payload, context) =>
    Result.gen(function*() {
      const point = yield* insertionPoint(context.where, state, payload)
      if (point.segment !== undefined || point.place.inTable) {
        return yield* refuse(context.where, "Page breaks can only be inserted inside the body, outside of tables.")
      }
      return done(insertThings(state, point, context, (textStyle) => [
        { width: 1, element: { pageBreak: { textStyle } } },
        { text: "\n", style: textStyle, rest: {} }
      ]))
    }),

  insertSectionBreak: (state, payload, { ids, where }) =>
    Result.gen(function*() {
      const point = yield* insertionPoint(where, state, payload)
      const { index, place, segment } = point
      if (segment !== undefined || place.inTable) {
        return yield* refuse(where, "Section breaks can only be inserted inside the body, outside of tables.")
      }
      const [above, ...after] = insertText(place.paragraph, index - place.start, "\n", ids)
      const inserted = sectionBreak(payload.sectionType ?? "CONTINUOUS")
      return done(put(state, point, [...(above === undefined ? [] : [above]), inserted, ...after]))
    }),

  insertPerson: (state, payload, context) =>
    insertThing(state, payload, context, (textStyle) => ({
      person: { personId: context.ids.next("kix."), textStyle, personProperties: { ...payload.personProperties } }
    })),

  insertRichLink: (state, payload, context) =>
    insertThing(state, payload, context, (textStyle) => ({
      richLink: {
        richLinkId: context.ids.next("kix."),
        textStyle,
        richLinkProperties: { title: payload.richLinkProperties?.uri ?? "", ...payload.richLinkProperties }
      }
    }))
} satisfies Handlers

const put = (state: DocumentState, point: InsertionPoint, blocks: Content): DocumentState =>
  setContent(state, point, replaceAt(point.content, point.place.path, blocks))

const insertThings = (
  state: DocumentState,
  point: InsertionPoint,
  { ids }: Context,
  make: (textStyle: Props) => ReadonlyArray<Inline>
): DocumentState => {
  const { index, place } = point
  const offset = index - place.start
  return put(state, point, insertInlines(place.paragraph, offset, make(styleAt(place.paragraph.inlines, offset)), ids))
}

const insertThing = (
  state: DocumentState,
  insertion: Insertion,
  context: Context,
  make: (textStyle: Props) => Props
): Handled =>
  Result.map(
    insertionPoint(context.where, state, insertion),
    (point) => done(insertThings(state, point, context, (textStyle) => [{ width: 1, element: make(textStyle) }]))
  )
