import { Effect } from "effect"
import type { InvalidInput } from "../../../Api/Errors.ts"
import { documentUrl } from "../../Google/FileReference.ts"
import type { Document } from "../Responses.ts"
import { allTabs, chooseTab, type TabView } from "../Tabs.ts"
import { leftOutNote } from "./LeftOut.ts"
import type { ReadableTab, ReadOptions, TabsText } from "./ReadTabs.ts"

export const everyTab = "*"

export interface ReadRequest {
  readonly documentId: string
  readonly wanted?: string | undefined
  readonly options: ReadOptions
}

export const chosenTabs = (
  document: Document,
  { wanted }: ReadRequest
): Effect.Effect<ReadonlyArray<TabView>, InvalidInput> => {
  const tabs = allTabs(document)
  return wanted === everyTab ? Effect.succeed(tabs) : Effect.map(chooseTab(tabs, wanted), (tab) => [tab])
}

export const readableTabs = (tabs: ReadonlyArray<TabView>): ReadonlyArray<ReadableTab> =>
  tabs.map(({ contents, id, title }) => ({ id, title, contents }))

export const describeRead = (
  document: Document,
  [only]: ReadonlyArray<TabView>,
  { documentId, options, wanted }: ReadRequest,
  read: TabsText
) => ({
  documentId,
  title: document.title ?? "",
  url: documentUrl(documentId),
  ...(document.revisionId === undefined ? {} : { revisionId: document.revisionId }),
  tab: wanted === everyTab ? everyTab : only?.id ?? "",
  tabs: allTabs(document).map(({ id, level, parent, title }) => ({
    id,
    title,
    level,
    ...(parent === undefined ? {} : { parent })
  })),
  outline: read.outline,
  endIndex: wanted === everyTab ? null : only?.endIndex ?? null,
  text: read.text,
  truncated: read.truncated,
  ...(read.nextStartIndex === undefined ? {} : { nextStartIndex: read.nextStartIndex }),
  ...(read.nextTab === undefined ? {} : { next_tab: read.nextTab }),
  ...(read.pendingSuggestions === 0 ? {} : { pending_suggestions: read.pendingSuggestions }),
  ...noteField([
    ...options.suggestions === "mark" && document.suggestionsViewMode === "PREVIEW_WITHOUT_SUGGESTIONS"
      ? ["The account may not see suggestions of this document."]
      : [],
    ...leftOutNote(read.leftOut)
  ])
})

const noteField = (notes: ReadonlyArray<string>) => notes.length === 0 ? {} : { note: notes.join(" ") }
