import { type Document, revisionId, type Segment, type Tab } from "./Document.ts"
import { type JsonObject, withoutEmptyFields } from "./Json.ts"
import { allTabs } from "./Segments.ts"
import { legacyLinks, structuralElements } from "./StructuralElements.ts"

export interface ResourceOptions {
  readonly includeTabsContent?: boolean
  /** No document of the sandbox has suggestions, so all modes show the same. */
  readonly suggestionsViewMode?: string
}

export const documentResource = (
  document: Document,
  { includeTabsContent = false, suggestionsViewMode = "DEFAULT_FOR_CURRENT_ACCESS" }: ResourceOptions = {}
): JsonObject => {
  const mode = suggestionsViewMode === "DEFAULT_FOR_CURRENT_ACCESS" ? "SUGGESTIONS_INLINE" : suggestionsViewMode
  const common = {
    title: document.title,
    revisionId: revisionId(document.documentId, document.revision),
    suggestionsViewMode: mode,
    documentId: document.documentId
  }
  if (includeTabsContent) {
    return { ...common, tabs: document.tabs.map((tab, index) => tabResource(tab, { index, level: 0 })) }
  }
  const [first] = document.tabs
  if (first === undefined) return common
  const contents = tabContents(first)
  return { ...(allTabs(document.tabs).length === 1 ? legacyLinks(contents) : contents), ...common }
}

const tabResource = (
  tab: Tab,
  { index, level, parent }: { readonly index: number; readonly level: number; readonly parent?: string }
): JsonObject => ({
  tabProperties: {
    tabId: tab.tabId,
    title: tab.title,
    index,
    ...(parent === undefined ? {} : { parentTabId: parent }),
    ...(level === 0 ? {} : { nestingLevel: level }),
    ...(tab.iconEmoji === undefined ? {} : { iconEmoji: tab.iconEmoji })
  },
  documentTab: tabContents(tab),
  ...(tab.children.length === 0 ? {} : {
    childTabs: tab.children.map((child, at) => tabResource(child, { index: at, level: level + 1, parent: tab.tabId }))
  })
})

const tabContents = (tab: Tab): JsonObject => ({
  body: { content: structuralElements(tab.body) },
  ...withoutEmptyFields({
    headers: segmentResources(tab.headers, "headerId"),
    footers: segmentResources(tab.footers, "footerId"),
    footnotes: segmentResources(tab.footnotes, "footnoteId"),
    lists: tab.lists
  }),
  ...tab.rest
})

const segmentResources = (
  segments: Readonly<Record<string, Segment>>,
  name: string
): JsonObject =>
  Object.fromEntries(
    Object.entries(segments).map((
      [id, segment]
    ) => [id, { [name]: id, content: structuralElements(segment.content), ...segment.rest }])
  )
