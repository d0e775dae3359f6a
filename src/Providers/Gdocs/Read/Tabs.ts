import type { DocumentAnswer, DocumentTab, StructuralElement, Tab } from "./DocumentAnswer.ts"

/** One tab, wherever it hangs in the tree of tabs. */
export interface TabView {
  readonly id: string
  readonly title: string
  /** 0 for a tab without a parent. */
  readonly level: number
  readonly parent?: string
  readonly contents: DocumentTab
  readonly body: ReadonlyArray<StructuralElement>
  /** Index just after the tab's last newline. */
  readonly endIndex: number
}

/** Every tab, each before its children. */
export const tabsOf = ({ tabs = [] }: DocumentAnswer): ReadonlyArray<TabView> => flat(tabs, 0, undefined)

const flat = (tabs: ReadonlyArray<Tab>, level: number, parent: string | undefined): ReadonlyArray<TabView> =>
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
      ...flat(childTabs, level + 1, id)
    ]
  })

/** What a caller can name instead, as a list for a message. */
export const namesOf = (tabs: ReadonlyArray<Pick<TabView, "id" | "title">>): string =>
  tabs.map(({ id, title }) => `"${title}" (${id})`).join(", ")

/** The tab with that id, or with that title; a message that names the choices where there is none, or more than one. */
export const findTab = <A extends Pick<TabView, "id" | "title">>(
  tabs: ReadonlyArray<A>,
  wanted: string
): { readonly tab: A } | { readonly message: string } => {
  const name = fold(wanted)
  const candidates = [
    tabs.filter(({ id }) => id === wanted.trim()),
    tabs.filter(({ title }) => title === wanted),
    tabs.filter(({ title }) => fold(title) === name)
  ].find((found) => found.length > 0) ?? []
  const [tab, ...others] = candidates
  if (tab === undefined) return { message: `There is no tab "${wanted}". The tabs are: ${namesOf(tabs)}` }
  return others.length === 0
    ? { tab }
    : { message: `Several tabs have the title "${wanted}"; name one by its id: ${namesOf(candidates)}` }
}

const fold = (title: string): string => title.trim().replace(/\s+/g, " ").toLowerCase()
