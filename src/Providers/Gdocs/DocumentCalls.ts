import { Effect, Option, Schema } from "effect"
import type { InvalidInput, RateLimited, ToolCallError } from "../../Api/Errors.ts"
import type { ProviderCalls } from "../Provider.ts"
import { decodeDocument, isLong } from "./DecodeDocument.ts"
import { documentsBatchUpdate, documentsGet } from "./Endpoints.ts"
import { invalidField } from "./InvalidField.ts"
import { BatchUpdateDocumentResponse, type Document } from "./Responses.ts"
import { runApart } from "./Worker/WorkerPool.ts"
import type { Request } from "./Writing/Requests.ts"

type Query = NonNullable<(typeof documentsGet)["input"]["Type"]["query"]>

export const readDocument = (provider: ProviderCalls, documentId: string, query: Query) =>
  provider.callWith(documentsGet, { path: { documentId }, query }, (body) =>
    isLong(body)
      ? runApart("decodeDocument", {}, [body]).pipe(
        Effect.map(Option.fromNullOr),
        Effect.catchTag(
          "JobTooLong",
          () => Effect.fail(invalidField("document", "The document takes too long to read."))
        )
      )
      : Effect.sync(() => decodeDocument(body.value)))

export const batchUpdate = (
  provider: ProviderCalls,
  documentId: string,
  requests: ReadonlyArray<Request>,
  revisionId: string | undefined
): Effect.Effect<BatchUpdateDocumentResponse, ToolCallError> =>
  provider.call(documentsBatchUpdate, {
    path: { documentId },
    body: { requests, ...(revisionId === undefined ? {} : { writeControl: { requiredRevisionId: revisionId } }) }
  }, BatchUpdateDocumentResponse)

export const isRevisionConflict = (error: ToolCallError | InvalidInput): boolean =>
  error._tag === "UpstreamError" && error.status === 400 &&
  /required revision id/i.test(JSON.stringify(error.details ?? null))

export const revisionField = { revisionId: Schema.optionalKey(Schema.String) }

export const revisionOf = ({ writeControl }: BatchUpdateDocumentResponse): { readonly revisionId?: string } =>
  writeControl?.requiredRevisionId === undefined ? {} : { revisionId: writeControl.requiredRevisionId }

export const writeDocument = <P extends { readonly requests: ReadonlyArray<Request> }>(
  provider: ProviderCalls,
  documentId: string,
  query: Query,
  plan: (document: Document) => Effect.Effect<P, InvalidInput | RateLimited>
): Effect.Effect<
  { readonly plan: P; readonly response: BatchUpdateDocumentResponse },
  ToolCallError | InvalidInput
> =>
  Effect.gen(function*() {
    const document = yield* readDocument(provider, documentId, query)
    const planned = yield* plan(document)
    const response = yield* batchUpdate(provider, documentId, planned.requests, document.revisionId)
    return { plan: planned, response }
  }).pipe(Effect.retry({ times: 1, while: isRevisionConflict }))
