import { emptyTab } from "./Defaults.ts"
import type { DocumentState } from "./State.ts"

/** `documents.create`: a blank document with one tab. */
export const create = (documentId: string, title = ""): DocumentState => ({
  documentId,
  title: title === "" ? "Untitled document" : title,
  revision: 0,
  minted: 0,
  tabs: [emptyTab("t.0", "Tab 1")]
})
