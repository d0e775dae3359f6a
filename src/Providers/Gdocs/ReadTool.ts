import { Effect, Schema } from "effect"
import { DocumentReference, documentUrl } from "../Google/FileReference.ts"
import { tool } from "../Provider.ts"
import { choice, integer } from "../Tooling/Fields.ts"
import { mistake } from "./Mistakes.ts"
import { readTabs } from "./Read/ReadDocument.ts"
import { tabsOf } from "./Read/Tabs.ts"
import { tabOf } from "./TabOf.ts"
import { tabField } from "./ToolFields.ts"
import { readDocument } from "./Write/Send.ts"

const everyTab = "*"

export const docsRead = tool({
  name: "docs_read",
  description: [
    "Reads a document as markdown-style text (headings, lists, tables, links), with title, `revisionId`, tabs, heading",
    "outline with indexes, and `endIndex`.",
    "Freshness: the document as it is now; `revisionId` names this state.",
    "Window: one tab, the first by default, or all of them with `tab` \"*\"; child tabs are tabs of their own.",
    "Units: indexes are UTF-16 code units from the start of a tab, `max_chars` counts the text returned. Literal characters",
    "that would mean something else are escaped (\\# tag), so that the text can be written back as it is; as `find` of",
    "docs_replace_text take them without the backslash. The title has level 0 in the outline.",
    "Order: that of the document; `outline` is whole even where the text is cut.",
    "Truncation: the text ends after the last paragraph or table that fits; `truncated` says so, and `nextStartIndex` is the",
    "`start_index` to go on with (in the tab `next_tab`, where all tabs are read).",
    "Empty: a document without text gives an empty `text`.",
    "Suggested changes are hidden unless `suggestions` is `mark`; `pending_suggestions` counts them.",
    "Images are `![alt](object id)` and carry no picture. For raw indexes of every run use the endpoint documents.get."
  ].join(" "),
  writes: false,
  input: Schema.Struct({
    document: DocumentReference,
    tab: tabField("The tab to read, `*` for all of them; by default the first"),
    max_chars: integer({
      description: "At most that many characters, but at least one paragraph or table.",
      minimum: 1000,
      maximum: 200_000,
      default: 30_000
    }),
    start_index: integer({
      description: "Where to go on: `nextStartIndex` of the answer before, or a heading's `start`. Not with `tab` `*`.",
      minimum: 0,
      maximum: 2_147_483_647,
      default: 0
    }),
    format: choice(["markdown", "text"], {
      description: "`text` has no markdown: lines, list marks, and table cells apart by tabs.",
      default: "markdown"
    }),
    suggestions: choice(["hide", "mark"], {
      description: "`hide` shows the document as it stands without its suggested changes; `mark` shows them as " +
        "`{++added++}` and `{--removed--}`.",
      default: "hide"
    })
  }),
  run: Effect.fnUntraced(function*({ document, format, max_chars, start_index, suggestions, tab }, provider) {
    const wanted = tab ?? document.tab
    if (wanted === everyTab && start_index > 0) {
      return yield* mistake("start_index", "An index belongs to one tab: name it as `tab` to go on in it.")
    }
    const answer = yield* readDocument(provider, document.documentId, {
      includeTabsContent: true,
      suggestionsViewMode: "SUGGESTIONS_INLINE",
      prettyPrint: false
    })
    const tabs = tabsOf(answer)
    const chosen = wanted === everyTab ? tabs : [yield* tabOf(tabs, wanted)]
    const read = readTabs(chosen, { format, suggestions, maxChars: max_chars, startIndex: start_index })
    const [only] = chosen
    return {
      documentId: document.documentId,
      title: answer.title ?? "",
      url: documentUrl(document.documentId),
      ...(answer.revisionId === undefined ? {} : { revisionId: answer.revisionId }),
      tab: wanted === everyTab ? everyTab : only?.id ?? "",
      tabs: tabs.map(({ id, level, parent, title }) => ({
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
      ...(read.pendingSuggestions === 0 ? {} : { pending_suggestions: read.pendingSuggestions })
    }
  })
})
