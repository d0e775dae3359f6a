import { revisionId } from "./Ids.ts"
import { present } from "./Json.ts"
import { allTabs } from "./Segments.ts"
import { type Content, type DocumentState, type Props, type Segment, type Tab } from "./State.ts"
import { type SuggestionsViewMode, viewContent } from "./Suggestions.ts"
import { legacyLinks, writeContent } from "./WriteContent.ts"

export interface GetOptions {
  readonly includeTabsContent?: boolean
  readonly suggestionsViewMode?: SuggestionsViewMode
}

/** `documents.get`: every tab below `tabs`, or the first one's content at the top. */
export const get = (
  state: DocumentState,
  { includeTabsContent = false, suggestionsViewMode = "DEFAULT_FOR_CURRENT_ACCESS" }: GetOptions = {}
): Props => {
  const mode = suggestionsViewMode === "DEFAULT_FOR_CURRENT_ACCESS" ? "SUGGESTIONS_INLINE" : suggestionsViewMode
  const common = {
    title: state.title,
    revisionId: revisionId(state.documentId, state.revision),
    suggestionsViewMode: mode,
    documentId: state.documentId
  }
  const view = (content: Content) => writeContent(viewContent(content, mode))
  if (includeTabsContent) {
    return { ...common, tabs: state.tabs.map((tab, index) => writeTab(tab, { index, level: 0 }, view)) }
  }
  const [first] = state.tabs
  if (first === undefined) return common
  const contents = tabContents(first, view)
  return { ...(allTabs(state.tabs).length === 1 ? legacyLinks(contents) : contents), ...common }
}

const writeTab = (
  tab: Tab,
  { index, level, parent }: { readonly index: number; readonly level: number; readonly parent?: string },
  view: (content: Content) => ReadonlyArray<Props>
): Props => ({
  ...present({ childTabs: undefined }),
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
      writeTab(child, { index: at, level: level + 1, parent: tab.tabId }, view)
    )
  })
})

const tabContents = (tab: Tab, view: (content: Content) => ReadonlyArray<Props>): Props => ({
  body: { content: view(tab.body) },
  ...present({
    headers: writeSegments(tab.headers, "headerId", view),
    footers: writeSegments(tab.footers, "footerId", view),
    footnotes: writeSegments(tab.footnotes, "footnoteId", view),
    lists: tab.lists
  }),
  ...tab.rest
})

const writeSegments = (
  segments: Readonly<Record<string, Segment>>,
  name: string,
  view: (content: Content) => ReadonlyArray<Props>
): Props =>
  Object.fromEntries(
    Object.entries(segments).map((
      [id, segment]
    ) => [id, { [name]: id, content: view(segment.content), ...segment.rest }])
  )
