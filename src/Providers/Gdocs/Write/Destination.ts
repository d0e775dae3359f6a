import type { DocumentAnswer } from "../Read/DocumentAnswer.ts"
import { tabsOf, type TabView } from "../Read/Tabs.ts"
import type { Destination } from "./Lines.ts"

/** What links in a text that goes to a tab of this document can point at. */
export const destinationIn = (document: DocumentAnswer, tab: TabView): Destination => {
  const headings = new Set(
    tabsOf(document).flatMap(({ body, id }) =>
      body.flatMap(({ paragraph }) => {
        const headingId = paragraph?.paragraphStyle?.headingId
        return headingId === undefined ? [] : [`${id} ${headingId}`]
      })
    )
  )
  const tabIds = new Set(tabsOf(document).map(({ id }) => id))
  return {
    tabId: tab.id,
    hasTab: (tabId) => tabIds.has(tabId),
    hasHeading: (headingId, tabId) => headings.has(`${tabId} ${headingId}`)
  }
}
