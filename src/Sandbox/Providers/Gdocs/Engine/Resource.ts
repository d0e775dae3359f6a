import { type Content, type Document, revisionId, type Segment, type Tab } from "./Document.ts"
import { type JsonObject, withoutEmptyFields } from "./Json.ts"
import { allTabs } from "./Segments.ts"
import { legacyLinks, structuralElements } from "./StructuralElements.ts"
import { type SuggestionsViewMode, viewContent } from "./Suggestions.ts"

export interface ResourceOptions {
  readonly includeTabsContent?: boolean
  readonly suggestionsViewMode?: SuggestionsViewMode
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
  const view = (content: Content) => structuralElements(viewContent(content, mode))
  if (includeTabsContent) {
    return { ...common, tabs: document.tabs.map((tab, index) => tabResource(tab, { index, level: 0 }, view)) }
  }
  const [first] = document.tabs
  if (first === undefined) return common
  const contents = tabContents(first, view)
  return { ...(allTabs(document.tabs).length === 1 ? legacyLinks(contents) : contents), ...common }
}

const tabResource = (
  tab: Tab,
  { index, level, parent }: { readonly index: number; readonly level: number; readonly parent?: string },
  view: (content: Content) => ReadonlyArray<JsonObject>
): JsonObject => ({
  tabProperties: {
    tabId: tab.tabId,
    title: tab.title,
    index,
    ...(parent === undefined ? {} : { parentTabId: parent }),
    ...(level === 0 ? {} : { nestingLevel: level }),
    ...(tab.iconEmoji === undefined ? {} : { iconEmoji: tab.iconEmoji })
  },
  documentTab: tabContents(tab, view),
  ...(tab.children.length === 0 ? {} : {
    childTabs: tab.children.map((child, at) =>
      tabResource(child, { index: at, level: level + 1, parent: tab.tabId }, view)
    )
  })
})

const tabContents = (tab: Tab, view: (content: Content) => ReadonlyArray<JsonObject>): JsonObject => ({
  body: { content: view(tab.body) },
  ...withoutEmptyFields({
    headers: segmentResources(tab.headers, "headerId", view),
    footers: segmentResources(tab.footers, "footerId", view),
    footnotes: segmentResources(tab.footnotes, "footnoteId", view),
    lists: tab.lists
  }),
  ...tab.rest
})

const segmentResources = (
  segments: Readonly<Record<string, Segment>>,
  name: string,
  view: (content: Content) => ReadonlyArray<JsonObject>
): JsonObject =>
  Object.fromEntries(
    Object.entries(segments).map((
      [id, segment]
    ) => [id, { [name]: id, content: view(segment.content), ...segment.rest }])
  )
