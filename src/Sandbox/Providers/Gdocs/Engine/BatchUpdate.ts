import { Result } from "effect"
import { BatchUpdateDocumentRequest } from "../../../../Providers/Gdocs/Generated.ts"
import { type GoogleError, lacks } from "../../Google/GoogleError.ts"
import { readMessage } from "../../Google/ProtoJson.ts"
import { type Document, type IdGenerator, makeIdGenerator, revisionId } from "./Document.ts"
import { prefixMessage, refuse } from "./Errors.ts"
import type { JsonObject } from "./Json.ts"
import { addDocumentTab } from "./Requests/AddDocumentTab.ts"
import { insertTable } from "./Requests/InsertTable.ts"
import type { HandlerResult, Kind, Payload, Request, RequestHandlers } from "./Requests/Request.ts"
import { styleRequests } from "./Requests/StyleRequests.ts"
import { textRequests } from "./Requests/TextRequests.ts"

type BatchUpdate = typeof BatchUpdateDocumentRequest.Type

const handlers: RequestHandlers = { ...textRequests, ...styleRequests, insertTable, addDocumentTab }

export const decodeBatchUpdate = readMessage(BatchUpdateDocumentRequest)

export const batchUpdate = (
  document: Document,
  { requests, writeControl = {} }: BatchUpdate
): Result.Result<readonly [document: Document, response: JsonObject], GoogleError> =>
  Result.gen(function*() {
    yield* checkRevision(document, writeControl)
    const ids = makeIdGenerator(document)
    const replies: Array<JsonObject> = []
    let changed = document
    for (const [position, request] of requests.entries()) {
      const step = yield* applyRequest(changed, request, position, ids)
      changed = step.document
      replies.push(step.reply)
    }
    const revision = document.revision + 1
    return [{ ...changed, revision, minted: ids.count() }, {
      documentId: document.documentId,
      replies,
      writeControl: { requiredRevisionId: revisionId(document.documentId, revision) }
    }]
  })

const checkRevision = (
  { documentId, revision }: Document,
  { requiredRevisionId, targetRevisionId }: NonNullable<BatchUpdate["writeControl"]>
): Result.Result<void, GoogleError> => {
  const latest = revisionId(documentId, revision)
  if (requiredRevisionId !== undefined && requiredRevisionId !== latest) {
    return refuse(`The required revision ID '${requiredRevisionId}' does not match the latest revision.`)
  }
  return targetRevisionId === undefined || targetRevisionId === latest
    ? Result.void
    : lacks("writes to an earlier revision")
}

const applyRequest = (document: Document, request: Request, position: number, ids: IdGenerator): HandlerResult => {
  const kind = Object.keys(request).find((name): name is Kind => Object.hasOwn(request, name))
  return Result.mapError(
    kind === undefined ? lacks("requests of no kind") : callHandler(document, kind, request[kind], ids),
    (error) => prefixMessage(error, `requests[${position}].${kind}`)
  )
}

const callHandler = <K extends Kind>(
  document: Document,
  kind: K,
  payload: Payload<K> | undefined,
  ids: IdGenerator
): HandlerResult => {
  const handler = handlers[kind]
  return handler === undefined || payload === undefined ? lacks(`${kind} requests`) : handler(document, payload, ids)
}
