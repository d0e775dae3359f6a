import { Effect, Schema } from "effect"
import { InternalError, RateLimited, ResourceNotFound, type ToolCallError } from "../../../Api/Errors.ts"
import {
  CredentialsExpired,
  CredentialsRejected,
  UpstreamError,
  UpstreamUnreachable
} from "../../../Api/Errors/ProviderErrors.ts"
import { documentUrl } from "../../Google/FileReference.ts"
import { described, type ProviderCalls, tool } from "../../Provider.ts"
import { optionalText, text } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { batchUpdate, isRevisionConflict, readNewDocument, revisionField, revisionOf } from "../DocumentCalls.ts"
import { documentsBatchUpdate, documentsCreate } from "../Endpoints.ts"
import { CreatedDocument } from "../Responses.ts"
import { markdownNote, maxTextLength } from "../Schemas.ts"
import { allTabs, type TabView } from "../Tabs.ts"
import { markdownBlocks } from "../TextBlocks.ts"
import { insertBlocks } from "../Writing/Insertion.ts"
import { editableParagraphs, endOfTab } from "../Writing/InsertionPoint.ts"
import { noLinkTargets } from "../Writing/LinkTargets.ts"
import type { NewBlock } from "../Writing/NewBlocks.ts"
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

const blankTab: Omit<TabView, "id"> = {
  title: "",
  level: 0,
  contents: {},
  body: [{ startIndex: 1, endIndex: 2, paragraph: { elements: [{ startIndex: 1, endIndex: 2 }] } }],
  endIndex: 2
}

type BlankTab = Omit<TabView, "id"> & { readonly id?: string }

const insertInto = (tab: BlankTab, blocks: ReadonlyArray<NewBlock>, unsupported: UnsupportedContent) =>
  insertBlocks(blocks, endOfTab(tab, editableParagraphs(tab.body).at(-1)), tab, unsupported)

const textRequest = (blocks: ReadonlyArray<NewBlock>) => ({
  endpoint: documentsBatchUpdate,
  input: {
    path: { documentId: "new" },
    body: { requests: insertInto(blankTab, blocks, new UnsupportedContent()).requests }
  }
})

const writeText = Effect.fnUntraced(function*(
  provider: ProviderCalls,
  { documentId, revisionId }: typeof CreatedDocument.Type,
  blocks: ReadonlyArray<NewBlock>,
  unsupported: UnsupportedContent
) {
  if (blocks.length === 0) return { ...(revisionId === undefined ? {} : { revisionId }), endIndex: blankTab.endIndex }
  const write = Effect.fnUntraced(function*(tab: BlankTab, revision?: string) {
    const insertion = insertInto(tab, blocks, unsupported)
    const response = yield* batchUpdate(provider, documentId, insertion.requests, revision)
    return { ...revisionOf(response), endIndex: insertion.endIndex }
  })
  return yield* write(blankTab, revisionId).pipe(
    Effect.catchIf(isRevisionConflict, () =>
      Effect.flatMap(
        readNewDocument(provider, documentId),
        (document) => write(allTabs(document)[0] ?? blankTab, document.revisionId)
      ))
  )
})

const nameDocument = (documentId: string, error: ToolCallError): ToolCallError => {
  const options = {
    message: `${error.message} The document was created, but its text was not written: ${documentId}, ` +
      `${documentUrl(documentId)}`,
    retryAfter: error.retryAfter
  }
  switch (error._tag) {
    case "UpstreamError":
      return new UpstreamError({ ...options, status: error.status, details: error.details })
    case "CredentialsRejected":
      return new CredentialsRejected({
        ...options,
        details: error.details,
        denied: error.denied,
        notShared: error.notShared
      })
    case "CredentialsExpired":
      return new CredentialsExpired(options)
    case "UpstreamUnreachable":
      return new UpstreamUnreachable({ ...options, wasSent: error.wasSent })
    case "RateLimited":
      return new RateLimited({ ...options, details: error.details })
    case "ResourceNotFound":
      return new ResourceNotFound({ ...options, details: error.details })
    case "InternalError":
      return new InternalError(options)
    default:
      return error
  }
}
