import { Effect, Schema } from "effect"
import { DocumentReference } from "../Google/FileReference.ts"
import { tool } from "../Provider.ts"
import { choice } from "../Tooling/Fields.ts"
import { tabsOf, type TabView } from "./Read/Tabs.ts"
import { tabOf } from "./TabOf.ts"
import { textBlocks } from "./TextBlocks.ts"
import { formatField, tabField, textField, unsupportedNote } from "./ToolFields.ts"
import { destinationIn } from "./Write/Destination.ts"
import { type Plan, planBlocks } from "./Write/Plan.ts"
import { insertText } from "./Write/Requests.ts"
import { revisionOf, writeDocument } from "./Write/Send.ts"
import { endOfTab, roomsOf } from "./Write/Spots.ts"
import { structureQuery } from "./Write/Structure.ts"
import { normalizeText } from "./Write/Text.ts"
import { Unsupported } from "./Write/Unsupported.ts"

export const docsAppend = tool({
  name: "docs_append",
  description: [
    "Appends text or simple markdown to the end of a document or of one tab.",
    "Freshness: it is there at once; `revisionId` is the state after it.",
    "Window: the end of one tab, the first by default; nothing that is there is restyled.",
    "Units: `startIndex` (where the text begins), `endIndex` (the tab's end) and `chars` are in UTF-16 code units.",
    "Order: the text's own.",
    "Truncation: none; all of it is written in one step or nothing is. When somebody changes the document meanwhile, it is",
    "read and tried once more; a second time is an error, and nothing is written.",
    "Empty: there has to be a text.",
    unsupportedNote,
    "Repeating the call appends again. To write at another place use docs_insert, to change words docs_replace_text."
  ].join(" "),
  writes: true,
  input: Schema.Struct({
    document: DocumentReference,
    text: textField("What to append."),
    format: formatField,
    tab: tabField("The tab to append to; by default the first"),
    separator: choice(["paragraph", "none"], {
      description:
        "`paragraph` starts a new one; `none` goes on in the last one with its style, for `format` `plain` only.",
      default: "paragraph"
    })
  }).check(Schema.makeFilter(({ format, separator }) =>
    separator === "paragraph" || format === "plain"
      ? undefined
      : { path: ["separator"], issue: "\"none\" takes plain text: set `format` to \"plain\"" }
  )),
  run: Effect.fnUntraced(function*({ document, format, separator, tab: wanted = document.tab, text }, provider) {
    const unsupported = new Unsupported()
    const { answer, plan } = yield* writeDocument(
      provider,
      document.documentId,
      structureQuery,
      (found) =>
        Effect.gen(function*() {
          const tab = yield* tabOf(tabsOf(found), wanted)
          const content = yield* textBlocks(text, format, destinationIn(found, tab), unsupported)
          const spot = endOfTab(tab, roomsOf(tab.body).at(-1))
          return {
            tab: tab.id,
            ...(separator === "none" ? goOn(text, tab) : planBlocks(content, spot, tab, unsupported))
          }
        })
    )
    return {
      documentId: document.documentId,
      tab: plan.tab,
      startIndex: plan.startIndex,
      endIndex: plan.endIndex,
      chars: plan.chars,
      ...revisionOf(answer),
      ...unsupported.field
    }
  })
})

/** In the last paragraph, before its newline. */
const goOn = (text: string, { endIndex, id }: TabView): Plan => {
  const content = normalizeText(text)
  return {
    requests: [insertText({ tabId: id, inTable: false }, endIndex - 1, content)],
    startIndex: endIndex - 1,
    endIndex: endIndex + content.length,
    chars: content.length
  }
}
