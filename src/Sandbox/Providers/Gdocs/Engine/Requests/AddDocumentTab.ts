import { Result } from "effect"
import { newTab } from "../Defaults.ts"
import type { Tab } from "../Document.ts"
import { refuse } from "../Errors.ts"
import { allTabs, findTab, updateTab } from "../Segments.ts"
import { applied, type RequestHandler } from "./Request.ts"

/** `AddDocumentTabRequest` counts levels from 0. */
const deepestLevel = 2

export const addDocumentTab: RequestHandler<"addDocumentTab"> = (document, { tabProperties = {} }, ids) => {
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
}

const levelOf = (tabs: ReadonlyArray<Tab>, tabId: string): number =>
  tabs.some((tab) => tab.tabId === tabId)
    ? 0
    : 1 + levelOf(tabs.flatMap((tab) => tab.children), tabId)
