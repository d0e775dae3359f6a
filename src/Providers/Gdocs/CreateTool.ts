import { Effect, Schema } from "effect"
import { documentUrl } from "../Google/FileReference.ts"
import { type ProviderCalls, tool } from "../Provider.ts"
import { optionalText, text } from "../Tooling/Fields.ts"
import { documentsCreate } from "./Endpoints.ts"
import { tabsOf, type TabView } from "./Read/Tabs.ts"
import { markdownBlocks } from "./TextBlocks.ts"
import { longestText, markdownNote, unsupportedNote } from "./ToolFields.ts"
import { afterCreation } from "./Write/AfterCreation.ts"
import type { Block } from "./Write/Blocks.ts"
import { nowhere } from "./Write/Lines.ts"
import { planBlocks } from "./Write/Plan.ts"
import { isConflict, readDocument, revisionOf, sendRequests } from "./Write/Send.ts"
import { endOfTab, roomsOf } from "./Write/Spots.ts"
import { structureQuery } from "./Write/Structure.ts"
import { Unsupported } from "./Write/Unsupported.ts"

export const docsCreate = tool({
  name: "docs_create",
  description: [
    "Creates a document with a title and optional initial text (markdown headings, lists and paragraphs become document",
    "styles); returns its ID and URL.",
    "Requires an identity-provider sign-in connection: a service account owns no files.",
    "Freshness: it is there at once; `revisionId` is its state after the text was written.",
    "Window: one tab, in the account's own folder; nothing existing is touched.",
    "Units: `endIndex` is in UTF-16 code units.",
    "Order: the text's own.",
    "Truncation: none; the text is written as a whole, and when it is refused the message names the document, which exists.",
    "Empty: without `text` the document is blank.",
    unsupportedNote,
    "Repeating the call makes another document. For an existing one use docs_append or docs_insert."
  ].join(" "),
  writes: true,
  createsFile: true,
  input: Schema.Struct({
    title: text({ description: "The document's title.", maxLength: 300 }),
    text: optionalText({ description: `The initial text. ${markdownNote}`, maxLength: longestText })
  }),
  run: Effect.fnUntraced(function*({ text: markdown = "", title }, provider) {
    const unsupported = new Unsupported()
    const blocks = yield* markdownBlocks(markdown, nowhere, unsupported)
    const created = yield* provider.call(documentsCreate, { body: { title } }, Created)
    const written = yield* fill(provider, created, blocks, unsupported).pipe(
      Effect.mapError((error) => afterCreation(created.documentId, error))
    )
    return {
      documentId: created.documentId,
      url: documentUrl(created.documentId),
      title: created.title ?? title,
      ...written,
      ...unsupported.field
    }
  })
})

const Created = Schema.Struct({
  documentId: Schema.String,
  title: Schema.optionalKey(Schema.String),
  revisionId: Schema.optionalKey(Schema.String)
})

/** A document that nobody has written to: a section break and an empty paragraph. Its one tab is not known by its id. */
const blank: Omit<TabView, "id"> = {
  title: "",
  level: 0,
  contents: {},
  body: [{ startIndex: 1, endIndex: 2, paragraph: { elements: [{ startIndex: 1, endIndex: 2 }] } }],
  endIndex: 2
}

const fill = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  { documentId, revisionId }: typeof Created.Type,
  blocks: ReadonlyArray<Block>,
  unsupported: Unsupported
) {
  if (blocks.length === 0) return { ...(revisionId === undefined ? {} : { revisionId }), endIndex: blank.endIndex }
  const write = Effect.fnUntraced(function*(tab: Omit<TabView, "id"> & { readonly id?: string }, revision?: string) {
    const spot = endOfTab(tab, roomsOf(tab.body).at(-1))
    const plan = planBlocks(blocks, spot, tab, unsupported)
    const answer = yield* sendRequests(provider, documentId, plan.requests, revision)
    return { ...revisionOf(answer), endIndex: plan.endIndex }
  })
  return yield* write(blank, revisionId).pipe(
    Effect.catchIf(isConflict, () =>
      Effect.flatMap(
        readDocument(provider, documentId, structureQuery),
        (document) => write(tabsOf(document)[0] ?? blank, document.revisionId)
      ))
  )
})
