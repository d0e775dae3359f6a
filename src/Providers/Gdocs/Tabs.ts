import { Effect } from "effect"
import type { InvalidInput } from "../../Api/Errors.ts"
import { maxNamed, nameFirst, nameNearest } from "../../Domain/Text/Nearest.ts"
import { invalidField } from "./InvalidField.ts"
import type { Document, DocumentTab, StructuralElement, Tab } from "./Responses.ts"

export interface TabView {
  readonly id: string
  readonly title: string
  readonly level: number
  readonly parent?: string
  readonly contents: DocumentTab
  readonly body: ReadonlyArray<StructuralElement>
  readonly endIndex: number
}

/** In place of the id of one tab. */
export const everyTab = "*"

export const allTabs = (document: Document): ReadonlyArray<TabView> => {
  const { body, tabs = body === undefined ? [] : [{ documentTab: document }] } = document
  return flatten(tabs, 0, undefined)
}

const flatten = (tabs: ReadonlyArray<Tab>, level: number, parent: string | undefined): ReadonlyArray<TabView> =>
  tabs.flatMap(({ childTabs = [], documentTab = {}, tabProperties = {} }): ReadonlyArray<TabView> => {
    const { tabId: id = "", title = "" } = tabProperties
    const body = documentTab.body?.content ?? []
    return [
      {
        id,
        title,
        level,
        ...(parent === undefined ? {} : { parent }),
        contents: documentTab,
        body,
        endIndex: body.at(-1)?.endIndex ?? 1
      },
      ...flatten(childTabs, level + 1, id)
    ]
  })

export const chooseTab = Effect.fnUntraced(function*(
  tabs: ReadonlyArray<TabView>,
  wanted: string | undefined
): Effect.fn.Return<TabView, InvalidInput> {
  const [first] = tabs
  if (first === undefined) return yield* invalidField("document", "The document has no tab that can be read.")
  if (wanted === undefined) return first
  const candidates = findTabs(tabs, wanted)
  const [tab, ...others] = candidates
  if (tab === undefined) {
    return yield* invalidField(
      "tab",
      `There is no tab "${wanted}". The ${tabs.length > maxNamed ? "nearest tabs" : "tabs"} are: ${
        nameNearest(wanted, tabs, ({ title }) => title, describeTab)
      }`
    )
  }
  if (others.length === 0) return tab
  return yield* invalidField(
    "tab",
    `Several tabs have the title "${wanted}"; name one by its id: ${nameFirst(candidates.map(describeTab))}`
  )
})

const findTabs = (tabs: ReadonlyArray<TabView>, wanted: string): ReadonlyArray<TabView> =>
  [
    tabs.filter(({ id }) => id === wanted.trim()),
    tabs.filter(({ title }) => title === wanted),
    tabs.filter(({ title }) => normalizeTitle(title) === normalizeTitle(wanted))
  ].find((found) => found.length > 0) ?? []

const describeTab = ({ id, title }: TabView): string => `"${title}" (${id})`

const normalizeTitle = (title: string): string => title.trim().replace(/\s+/g, " ").toLowerCase()
