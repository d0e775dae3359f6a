import { Result } from "effect"
import { emptyTab } from "./Defaults.ts"
import { done, type Handled, type Handlers } from "./Handler.ts"
import { styleAt } from "./Inlines.ts"
import { props } from "./Json.ts"
import { insertInlines, insertText } from "./Paragraphs.ts"
import { insertionPoint } from "./Ranges.ts"
import { refuse } from "./Refusal.ts"
import { allTabs, findTab, setContent, updateTab } from "./Segments.ts"
import type { DocumentState, Paragraph, Tab } from "./State.ts"
import { readMask } from "./Styles.ts"
import { editTable, emptyTable, withColumn, withoutColumn, withoutRow, withRow } from "./Tables.ts"
import { replaceAt } from "./Tree.ts"

/** `AddDocumentTabRequest`: how deep tabs nest. */
const deepestLevel = 2

/** What changes tables, tabs and segments. */
export const structureRequests = {
  insertTable: (state, { columns = 0, rows = 0, ...insertion }, { ids, where }) =>
    Result.gen(function*() {
      if (rows < 1 || columns < 1) return yield* refuse(where, "A table must have at least one row and one column.")
      const point = yield* insertionPoint(where, state, insertion)
      const { content, index, place, segment } = point
      if (segment?.kind === "footnotes") return yield* refuse(where, "Tables cannot be inserted inside a footnote.")
      const offset = index - place.start
      const around = styleAt(place.paragraph.inlines, offset)
      const [above, ...after] = insertText(place.paragraph, offset, "\n", ids)
      const blocks = [...(above === undefined ? [] : [above]), emptyTable(rows, columns, around), ...after]
      return done(setContent(state, point, replaceAt(content, place.path, blocks)))
    }),

  insertTableRow: (state, { insertBelow = false, tableCellLocation }, { where }) =>
    Result.map(
      editTable(where, state, tableCellLocation, (table, { row }) => withRow(table, insertBelow ? row + 1 : row)),
      (changed) => done(changed)
    ),

  insertTableColumn: (state, { insertRight = false, tableCellLocation }, { where }) =>
    Result.map(
      editTable(where, state, tableCellLocation, (table, { column }) =>
        withColumn(table, insertRight ? column + 1 : column)),
      (changed) =>
        done(changed)
    ),

  deleteTableRow: (state, { tableCellLocation }, { where }) =>
    Result.map(
      editTable(where, state, tableCellLocation, (table, { row }) => withoutRow(table, row)),
      (changed) => done(changed)
    ),

  deleteTableColumn: (state, { tableCellLocation }, { where }) =>
    Result.map(
      editTable(where, state, tableCellLocation, (table, { column }) => withoutColumn(table, column)),
      (changed) => done(changed)
    ),

  createFootnote: (state, insertion, { ids, where }) =>
    Result.gen(function*() {
      const point = yield* insertionPoint(where, state, insertion)
      const { content, index, place, segment, tab } = point
      if (segment !== undefined) {
        return yield* refuse(where, "Footnote references can only be inserted inside the body.")
      }
      const footnoteId = ids.next("kix.")
      const textStyle = styleAt(place.paragraph.inlines, index - place.start)
      const footnoteNumber = `${Object.keys(tab.footnotes).length + 1}`
      const mark = { width: 1, element: { footnoteReference: { footnoteId, footnoteNumber, textStyle } } }
      const noted = updateTab(state, tab.tabId, (each) => ({
        ...each,
        footnotes: { ...each.footnotes, [footnoteId]: { content: [line(" \n")], rest: {} } }
      }))
      const paragraphs = insertInlines(place.paragraph, index - place.start, [mark], ids)
      return done(setContent(noted, point, replaceAt(content, place.path, paragraphs)), {
        createFootnote: { footnoteId }
      })
    }),

  createHeader: (state, { sectionBreakLocation }, { ids, where }) =>
    createMargin(where, state, "headers", sectionBreakLocation?.tabId, ids.next("kix.")),

  createFooter: (state, { sectionBreakLocation }, { ids, where }) =>
    createMargin(where, state, "footers", sectionBreakLocation?.tabId, ids.next("kix.")),

  addDocumentTab: (state, { tabProperties = {} }, { ids, where }) => {
    const { iconEmoji = "", index, parentTabId = "", title = "" } = tabProperties
    const parent = parentTabId === "" ? undefined : findTab(state, parentTabId)
    if (parentTabId !== "" && parent === undefined) return refuse(where, `Tab ID ${parentTabId} was not found.`)
    const nestingLevel = parent === undefined ? 0 : levelOf(state.tabs, parent.tabId) + 1
    if (nestingLevel > deepestLevel) return refuse(where, "The tab cannot be nested that deep.")
    const made: Tab = {
      ...emptyTab(ids.next("t."), title === "" ? `Tab ${allTabs(state.tabs).length + 1}` : title),
      ...(iconEmoji === "" ? {} : { iconEmoji })
    }
    const siblings = parent?.children ?? state.tabs
    const at = Math.min(index ?? siblings.length, siblings.length)
    const children = siblings.toSpliced(at, 0, made)
    const changed = parent === undefined
      ? { ...state, tabs: children }
      : updateTab(state, parent.tabId, (tab) => ({ ...tab, children }))
    return Result.succeed(done(changed, {
      addDocumentTab: {
        tabProperties: {
          tabId: made.tabId,
          title: made.title,
          index: at,
          ...(nestingLevel === 0 ? {} : { nestingLevel, parentTabId })
        }
      }
    }))
  },

  deleteTab: (state, { tabId = "" }, { where }) => {
    if (tabId === "" || findTab(state, tabId) === undefined) return refuse(where, `Tab ID ${tabId} was not found.`)
    const tabs = withoutTab(state.tabs, tabId)
    return tabs.length === 0
      ? refuse(where, "The last tab of a document cannot be deleted.")
      : Result.succeed(done({ ...state, tabs }))
  },

  updateDocumentTabProperties: (state, { fields, tabProperties = {} }, { where }) =>
    Result.gen(function*() {
      const { iconEmoji = "", tabId = "", title = "" } = tabProperties
      const paths = yield* readMask(where, fields, ["title", "iconEmoji"])
      if (tabId === "" || findTab(state, tabId) === undefined) {
        return yield* refuse(where, `Tab ID ${tabId} was not found.`)
      }
      return done(updateTab(state, tabId, ({ iconEmoji: before, ...tab }) => {
        const icon = paths.includes("iconEmoji") ? iconEmoji : before ?? ""
        return {
          ...tab,
          ...(icon === "" ? {} : { iconEmoji: icon }),
          title: paths.includes("title") ? title : tab.title
        }
      }))
    })
} satisfies Handlers

const line = (text: string): Paragraph => ({
  kind: "paragraph",
  inlines: [{ text, style: {}, rest: {} }],
  style: { namedStyleType: "NORMAL_TEXT", direction: "LEFT_TO_RIGHT" },
  rest: {}
})

const levelOf = (tabs: ReadonlyArray<Tab>, tabId: string): number =>
  tabs.some((tab) => tab.tabId === tabId)
    ? 0
    : 1 + levelOf(tabs.flatMap((tab) => tab.children), tabId)

const withoutTab = (tabs: ReadonlyArray<Tab>, tabId: string): ReadonlyArray<Tab> =>
  tabs.filter((tab) => tab.tabId !== tabId).map((tab) => ({ ...tab, children: withoutTab(tab.children, tabId) }))

const margins = {
  headers: { idName: "headerId", styleName: "defaultHeaderId", reply: "createHeader", word: "header" },
  footers: { idName: "footerId", styleName: "defaultFooterId", reply: "createFooter", word: "footer" }
} as const

/** A header or footer of the whole tab, which has one of each. */
const createMargin = (
  where: string,
  state: DocumentState,
  kind: keyof typeof margins,
  tabId: string | undefined,
  id: string
): Handled => {
  const { idName, reply, styleName, word } = margins[kind]
  const tab = findTab(state, tabId)
  if (tab === undefined) return refuse(where, `Tab ID ${tabId} was not found.`)
  const documentStyle = props(tab.rest["documentStyle"])
  if (documentStyle[styleName] !== undefined) {
    return refuse(where, `Default ${word} already exists. ID: ${documentStyle[styleName]}`)
  }
  const changed = updateTab(state, tab.tabId, (each) => ({
    ...each,
    [kind]: { ...each[kind], [id]: { content: [line("\n")], rest: {} } },
    rest: { ...each.rest, documentStyle: { ...documentStyle, [styleName]: id } }
  }))
  return Result.succeed(done(changed, { [reply]: { [idName]: id } }))
}
