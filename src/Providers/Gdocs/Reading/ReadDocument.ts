import { Effect } from "effect"
import { documentUrl } from "../../Google/FileReference.ts"
import type { Document } from "../Responses.ts"
import { allTabs, chooseTab, everyTab } from "../Tabs.ts"
import { leftOutNote } from "./LeftOut.ts"
import { type ReadOptions, readTabs } from "./ReadTabs.ts"

export interface ReadRequest {
  readonly documentId: string
  readonly wanted?: string | undefined
  readonly options: ReadOptions
}

export const readDocument = Effect.fnUntraced(function*(
  document: Document,
  { documentId, options, wanted }: ReadRequest
) {
  const tabs = allTabs(document)
  const chosen = wanted === everyTab ? tabs : [yield* chooseTab(tabs, wanted)]
  const { leftOut, outline, ...read } = readTabs(chosen, options)
  const notes = [
    ...options.suggestions === "mark" && document.suggestionsViewMode === "PREVIEW_WITHOUT_SUGGESTIONS"
      ? ["The account may not see suggestions of this document."]
      : [],
    ...leftOutNote(leftOut)
  ]
  return {
    documentId,
    title: document.title ?? "",
    url: documentUrl(documentId),
    ...(document.revisionId === undefined ? {} : { revisionId: document.revisionId }),
    tab: wanted === everyTab ? everyTab : chosen[0]?.id ?? "",
    tabs: tabs.map(({ id, level, parent, title }) => ({
      id,
      title,
      level,
      ...(parent === undefined ? {} : { parent })
    })),
    outline,
    endIndex: wanted === everyTab ? null : chosen[0]?.endIndex ?? null,
    ...read,
    ...(notes.length === 0 ? {} : { note: notes.join(" ") })
  }
})
