import { Result } from "effect"
import { newTab } from "../Defaults.ts"
import type { Tab } from "../Document.ts"
import { lacks, refuse } from "../Errors.ts"
import { allTabs, findTab, updateTab } from "../Segments.ts"
import { parseUpdateMask } from "../Styles.ts"
import { applied, type RequestHandlers } from "./Request.ts"

/** `AddDocumentTabRequest` counts levels from 0. */
const deepestLevel = 2

export const tabRequests = {
  addDocumentTab: (document, { tabProperties = {} }, ids) => {
    const { iconEmoji = "", index, parentTabId = "", title = "" } = tabProperties
    const parent = parentTabId === "" ? undefined : findTab(document, parentTabId)
    if (parentTabId !== "" && parent === undefined) return refuse(`Tab ID ${parentTabId} was not found.`)
    const nestingLevel = parent === undefined ? 0 : levelOf(document.tabs, parent.tabId) + 1
    if (nestingLevel > deepestLevel) return refuse("The tab cannot be nested that deep.")
    const added: Tab = {
      ...newTab(ids.next("t."), title === "" ? `Tab ${allTabs(document.tabs).length + 1}` : title),
      ...(iconEmoji === "" ? {} : { iconEmoji })
    }
    const siblings = parent?.children ?? document.tabs
    const at = Math.min(index ?? siblings.length, siblings.length)
    const children = siblings.toSpliced(at, 0, added)
    const changed = parent === undefined
      ? { ...document, tabs: children }
      : updateTab(document, parent.tabId, (tab) => ({ ...tab, children }))
    return Result.succeed(applied(changed, {
      addDocumentTab: {
        tabProperties: {
          tabId: added.tabId,
          title: added.title,
          index: at,
          ...(nestingLevel === 0 ? {} : { nestingLevel, parentTabId })
        }
      }
    }))
  },

  deleteTab: (document, { tabId = "" }) => {
    if (tabId === "" || findTab(document, tabId) === undefined) return refuse(`Tab ID ${tabId} was not found.`)
    const tabs = removeTab(document.tabs, tabId)
    return tabs.length === 0
      ? refuse("The last tab of a document cannot be deleted.")
      : Result.succeed(applied({ ...document, tabs }))
  },

  updateDocumentTabProperties: (document, { fields, tabProperties = {} }) =>
    Result.gen(function*() {
      const { iconEmoji = "", tabId = "", title = "" } = tabProperties
      const moved = (fields ?? "").split(",").find((field) => ["index", "parentTabId"].includes(field.trim()))
      if (moved !== undefined) return yield* lacks(`changes of the field ${moved} of tabs`)
      const paths = yield* parseUpdateMask(fields, ["title", "iconEmoji"])
      if (tabId === "" || findTab(document, tabId) === undefined) {
        return yield* refuse(`Tab ID ${tabId} was not found.`)
      }
      return applied(updateTab(document, tabId, ({ iconEmoji: before, ...tab }) => {
        const icon = paths.includes("iconEmoji") ? iconEmoji : before ?? ""
        return {
          ...tab,
          ...(icon === "" ? {} : { iconEmoji: icon }),
          title: paths.includes("title") ? title : tab.title
        }
      }))
    })
} satisfies RequestHandlers

const levelOf = (tabs: ReadonlyArray<Tab>, tabId: string): number =>
  tabs.some((tab) => tab.tabId === tabId)
    ? 0
    : 1 + levelOf(tabs.flatMap((tab) => tab.children), tabId)

const removeTab = (tabs: ReadonlyArray<Tab>, tabId: string): ReadonlyArray<Tab> =>
  tabs.filter((tab) => tab.tabId !== tabId).map((tab) => ({ ...tab, children: removeTab(tab.children, tabId) }))
