import { Effect, Schema, Struct } from "effect"
import { DocumentReference } from "../../Google/FileReference.ts"
import { described, tool } from "../../Provider.ts"
import { choice } from "../../Tooling/Fields.ts"
import { revisionField, revisionOf, writeDocument } from "../DocumentCalls.ts"
import { structureQuery } from "../DocumentQueries.ts"
import { formatField, tabField, textField } from "../Schemas.ts"
import { allTabs, chooseTab, type TabView } from "../Tabs.ts"
import { textBlocks } from "../TextBlocks.ts"
import { insertBlocks, type Insertion, insertionFields } from "../Writing/Insertion.ts"
import { linkTargetsIn } from "../Writing/LinkTargets.ts"
import { normalizeText } from "../Writing/NormalizeText.ts"
import { endOfTab } from "../Writing/Placement.ts"
import { insertText } from "../Writing/Requests.ts"
import { UnsupportedContent, unsupportedField, unsupportedNote } from "../Writing/UnsupportedContent.ts"

export const docsAppend = tool({
  name: "docs_append",
  ...described([
    "Appends text or simple markdown to the end of a document or of one tab.",
    "Existing text keeps its style.",
    "Everything is written in one step, or nothing is.",
    "What a document cannot hold, such as images, is named in `unsupported`.",
    "Repeating the call appends again.",
    "To write elsewhere use docs_insert."
  ], [
    "`startIndex` (where the text begins), `endIndex` (the tab's end) and `chars` count UTF-16 code units.",
    "`revisionId` is the state after the write.",
    "After a concurrent edit the write is tried once more; a second conflict is an error.",
    unsupportedNote,
    "To change words use docs_replace_text."
  ]),
  writes: true,
  input: Schema.Struct({
    document: DocumentReference,
    text: textField("What to append."),
    format: formatField,
    tab: tabField("The tab to append to; by default the first"),
    separator: choice(["paragraph", "none"], {
      description: "`paragraph` starts a new paragraph. `none` continues the last one in its style, only with " +
        "`format` `plain`.",
      default: "paragraph"
    })
  }).check(Schema.makeFilter(({ format, separator }) =>
    separator === "paragraph" || format === "plain"
      ? undefined
      : { path: ["separator"], issue: "\"none\" takes plain text: set `format` to \"plain\"" }
  )),
  resources: { names: ({ document }) => document.documentId },
  output: Schema.Struct({
    documentId: Schema.String,
    tab: Schema.String,
    ...insertionFields,
    ...revisionField,
    ...unsupportedField
  }),
  run: Effect.fnUntraced(function*({ document, format, separator, tab: wanted = document.tab, text }, provider) {
    const unsupported = new UnsupportedContent()
    const { plan, response } = yield* writeDocument(
      provider,
      document.documentId,
      structureQuery,
      (found) =>
        Effect.gen(function*() {
          const tab = yield* chooseTab(allTabs(found), wanted)
          const blocks = yield* textBlocks(text, format, linkTargetsIn(found, tab), unsupported)
          const insertion = separator === "none"
            ? continueLastParagraph(text, tab)
            : insertBlocks(blocks, endOfTab(tab), tab, unsupported)
          return { tab: tab.id, ...insertion }
        })
    )
    return {
      documentId: document.documentId,
      ...Struct.omit(plan, ["requests"]),
      ...revisionOf(response),
      ...unsupported.field
    }
  })
})

const continueLastParagraph = (text: string, { endIndex, id }: TabView): Insertion => {
  const content = normalizeText(text)
  return {
    requests: [insertText({ tabId: id, inTable: false }, endIndex - 1, content)],
    startIndex: endIndex - 1,
    endIndex: endIndex + content.length,
    chars: content.length
  }
}
