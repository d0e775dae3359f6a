import type { Document } from "../Responses.ts"
import { allTabs, type TabView } from "../Tabs.ts"
import { normalizeText } from "./NormalizeText.ts"

export type LinkTarget =
  | { readonly url: string }
  | { readonly heading: { readonly id: string; readonly tabId: string } }
  | { readonly tabId: string }

export interface LinkTargets {
  readonly tabId?: string
  readonly tabIds: ReadonlyArray<string>
  readonly headings: ReadonlyArray<string>
}

export const noLinkTargets: LinkTargets = { tabIds: [], headings: [] }

export const linkTargetsIn = (document: Document, tab: TabView): LinkTargets => {
  const tabs = allTabs(document)
  return {
    tabId: tab.id,
    tabIds: tabs.map(({ id }) => id),
    headings: tabs.flatMap(({ body, id }) =>
      body.flatMap(({ paragraph }) => {
        const headingId = paragraph?.paragraphStyle?.headingId
        return headingId === undefined ? [] : [`${id} ${headingId}`]
      })
    )
  }
}

const internalLink = /^(?:\?tab=([^#&\s]+))?(?:#heading=([^#&\s]+))?$/

/**
 * `undefined` when the document cannot hold the link. The provider refuses a whole request for one link to a missing
 * bookmark, and bookmarks cannot be read, so links to bookmarks are dropped.
 */
export const parseLinkTarget = (
  url: string,
  { headings, tabId: ownTab = "", tabIds }: LinkTargets
): LinkTarget | undefined => {
  if (/^(?:https?:\/\/|mailto:|tel:|ftp:\/\/)\S/i.test(url)) return { url: normalizeText(url) }
  const [, tab, heading] = internalLink.exec(url) ?? []
  if (tab === undefined && heading === undefined) return undefined
  const tabId = tab ?? ownTab
  if (!tabIds.includes(tabId)) return undefined
  if (heading === undefined) return { tabId }
  return headings.includes(`${tabId} ${heading}`) ? { heading: { id: heading, tabId } } : undefined
}
