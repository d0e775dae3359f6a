import { Effect, Schema } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import { documentUrl } from "../../Google/FileReference.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { optionalText, text } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { batchUpdate, isRevisionConflict, readDocument, revisionField, revisionOf } from "../DocumentCalls.ts"
import { structureQuery } from "../DocumentQueries.ts"
import { documentsBatchUpdate, documentsCreate } from "../Endpoints.ts"
import { CreatedDocument } from "../Responses.ts"
import { markdownNote, maxTextLength } from "../Schemas.ts"
import { allTabs } from "../Tabs.ts"
import { markdownBlocks } from "../TextBlocks.ts"
import { insertBlocks, type TargetTab } from "../Writing/Insertion.ts"
import { noLinkTargets } from "../Writing/LinkTargets.ts"
import type { NewBlock } from "../Writing/NewBlocks.ts"
import { endOfTab } from "../Writing/Placement.ts"
import { UnsupportedContent, unsupportedField, unsupportedNote } from "../Writing/UnsupportedContent.ts"

export const docsCreate = tool({
  name: "docs_create",
  ...described([
    "Creates a document with a title and optional initial text (markdown headings, lists and paragraphs become document styles); returns its ID and URL.",
    "Requires an identity-provider sign-in connection: a service account owns no files.",
    "When the text is refused, the error names the document, which exists.",
    "What a document cannot hold, such as images, is named in `unsupported`.",
    "Repeating the call creates another document."
  ], [
    "The document has one tab and is in the account's own folder.",
    "`endIndex` counts UTF-16 code units.",
    "Without `text` the document is blank.",
    unsupportedNote,
    "For an existing one use docs_append or docs_insert."
  ]),
  writes: true,
  createsFile: true,
  input: Schema.Struct({
    title: text({ description: "The document's title.", maxLength: 300 }),
    text: optionalText({ description: `The initial text. ${markdownNote}`, maxLength: maxTextLength })
  }),
  resources: { creates: "documentId" },
  output: Schema.Struct({
    documentId: Schema.String,
    url: Schema.String,
    title: Schema.String,
    ...revisionField,
    endIndex: Integer,
    ...unsupportedField
  }),
  run: Effect.fnUntraced(function*({ text: markdown = "", title }, provider) {
    const unsupported = new UnsupportedContent()
    const blocks = yield* markdownBlocks(markdown, noLinkTargets, unsupported)
    const created = yield* provider.call(
      documentsCreate,
      { body: { title } },
      CreatedDocument,
      () => blocks.length === 0 ? [] : [textRequest(blocks)]
    )
    const written = yield* writeText(provider, created, blocks, unsupported).pipe(
      Effect.mapError((error) => nameDocument(created.documentId, error))
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

const blankTab: TargetTab = {
  contents: {},
  body: [{ startIndex: 1, endIndex: 2, paragraph: { elements: [{ startIndex: 1, endIndex: 2 }] } }],
  endIndex: 2
}

const textRequest = (blocks: ReadonlyArray<NewBlock>) => {
  const { requests } = insertBlocks(blocks, endOfTab(blankTab), blankTab, new UnsupportedContent())
  return { endpoint: documentsBatchUpdate, input: { path: { documentId: "new" }, body: { requests } } }
}

const writeText = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  { documentId, revisionId }: typeof CreatedDocument.Type,
  blocks: ReadonlyArray<NewBlock>,
  unsupported: UnsupportedContent
) {
  if (blocks.length === 0) return { ...(revisionId === undefined ? {} : { revisionId }), endIndex: blankTab.endIndex }
  const write = Effect.fnUntraced(function*(tab: TargetTab, revision?: string) {
    const insertion = insertBlocks(blocks, endOfTab(tab), tab, unsupported)
    const response = yield* batchUpdate(provider, documentId, insertion.requests, revision)
    return { ...revisionOf(response), endIndex: insertion.endIndex }
  })
  return yield* write(blankTab, revisionId).pipe(
    Effect.catchIf(isRevisionConflict, () =>
      Effect.flatMap(
        readDocument(provider, documentId, structureQuery),
        (document) => write(allTabs(document)[0] ?? blankTab, document.revisionId)
      ))
  )
})

/** Returns a copy, because callers share errors such as that of a revoked key. */
const nameDocument = (documentId: string, error: ToolCallError): ToolCallError => {
  const text = " The document was created, but its text was not written: "
  const more = `${text}${documentId}, ${documentUrl(documentId)}`
  const { agentMessage, message } = error
  const copy: ToolCallError = Object.create(Object.getPrototypeOf(error), Object.getOwnPropertyDescriptors(error))
  return Object.assign(copy, { message: message + more, agentMessage: agentMessage && agentMessage + more })
}
