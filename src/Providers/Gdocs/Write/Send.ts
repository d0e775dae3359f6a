import { Effect, Schema } from "effect"
import type { InvalidInput, ProviderError } from "../../../Api/Errors.ts"
import type { ProviderCalls } from "../../Provider.ts"
import { documentsBatchUpdate, documentsGet } from "../Endpoints.ts"
import { DocumentAnswer } from "../Read/DocumentAnswer.ts"
import type { Request } from "./Requests.ts"

export const BatchAnswer = Schema.Struct({
  replies: Schema.optionalKey(Schema.Array(Schema.Struct({
    replaceAllText: Schema.optionalKey(Schema.Struct({ occurrencesChanged: Schema.optionalKey(Schema.Int) }))
  }))),
  writeControl: Schema.optionalKey(Schema.Struct({ requiredRevisionId: Schema.optionalKey(Schema.String) }))
})
export type BatchAnswer = typeof BatchAnswer.Type

type Query = NonNullable<(typeof documentsGet)["input"]["Type"]["query"]>

export const readDocument = (provider: ProviderCalls, documentId: string, query: Query) =>
  provider.call(documentsGet, { path: { documentId }, query }, DocumentAnswer)

/** Without a revision, as for a caller who may only read, the provider has to decide. */
export const sendRequests = (
  provider: ProviderCalls,
  documentId: string,
  requests: ReadonlyArray<Request>,
  revisionId: string | undefined
): Effect.Effect<BatchAnswer, ProviderError> =>
  provider.call(documentsBatchUpdate, {
    path: { documentId },
    body: { requests, ...(revisionId === undefined ? {} : { writeControl: { requiredRevisionId: revisionId } }) }
  }, BatchAnswer)

/** The document has been changed since it was read: nothing was written, so it may be tried again. */
export const isConflict = (error: ProviderError | InvalidInput): boolean =>
  error._tag === "UpstreamError" && error.status === 400 &&
  /required revision id/i.test(JSON.stringify(error.details ?? null))

export const revisionOf = ({ writeControl }: BatchAnswer): { readonly revisionId?: string } =>
  writeControl?.requiredRevisionId === undefined ? {} : { revisionId: writeControl.requiredRevisionId }

/** Does it again, once, when the document was changed in between. */
export const retryOnConflict = <A, E extends ProviderError | InvalidInput>(
  attempt: Effect.Effect<A, E>
): Effect.Effect<A, E> => Effect.retry(attempt, { times: 1, while: isConflict })

/**
 * Reads the document, plans what to send, and sends it for that very revision; once more, from the beginning, when
 * somebody changed the document in between.
 */
export const writeDocument = <P extends { readonly requests: ReadonlyArray<Request> }>(
  provider: ProviderCalls,
  documentId: string,
  query: Query,
  plan: (document: DocumentAnswer) => Effect.Effect<P, InvalidInput>
): Effect.Effect<{ readonly plan: P; readonly answer: BatchAnswer }, ProviderError | InvalidInput> =>
  retryOnConflict(Effect.gen(function*() {
    const document = yield* readDocument(provider, documentId, query)
    const planned = yield* plan(document)
    const answer = yield* sendRequests(provider, documentId, planned.requests, document.revisionId)
    return { plan: planned, answer }
  }))
