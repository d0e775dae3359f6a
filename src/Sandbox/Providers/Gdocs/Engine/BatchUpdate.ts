import { Result, Schema } from "effect"
import type { Issue } from "../../../../Domain/Validation/Issue.ts"
import { isUnknownField } from "../../../../Domain/Validation/UnknownField.ts"
import { issuesOf, strict } from "../../../../Domain/Validation/Validation.ts"
import { BatchUpdateDocumentRequest } from "../../../../Providers/Gdocs/Generated.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { type Document, type IdGenerator, makeIdGenerator, revisionId } from "./Document.ts"
import { lacks, prefixMessage, refuse } from "./Errors.ts"
import type { JsonObject } from "./Json.ts"
import { addDocumentTab } from "./Requests/AddDocumentTab.ts"
import { insertTable } from "./Requests/InsertTable.ts"
import type { HandlerResult, Kind, Payload, Request, RequestHandlers } from "./Requests/Request.ts"
import { styleRequests } from "./Requests/StyleRequests.ts"
import { textRequests } from "./Requests/TextRequests.ts"

export type BatchUpdate = typeof BatchUpdateDocumentRequest.Type

const handlers: RequestHandlers = { ...textRequests, ...styleRequests, insertTable, addDocumentTab }

/** `targetRevisionId` may be one of this many latest revisions. */
const mergeableRevisions = 100

const decode = Schema.decodeUnknownResult(BatchUpdateDocumentRequest, strict)

export const decodeBatchUpdate = (body: unknown): Result.Result<BatchUpdate, GoogleError> =>
  Result.match(decode(body), {
    onSuccess: (update) => Result.succeed(update),
    onFailure: (error) => refuse(issuesOf(error.issue).map(describeIssue).join("\n"))
  })

const describeIssue = (issue: Issue): string => {
  const { message, path } = issue
  const name = path.at(-1)
  return isUnknownField(issue)
    ? `Invalid JSON payload received. Unknown name "${name}" at '${fieldPath(path.slice(0, -1))}': Cannot find field.`
    : `Invalid value at '${fieldPath(path)}': ${message}.`
}

const fieldPath = (path: Issue["path"]): string =>
  path.map((segment) =>
    typeof segment === "number"
      ? `[${segment}]`
      : `.${segment.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
  ).join("").slice(1)

export const batchUpdate = (
  document: Document,
  { requests, writeControl = {} }: BatchUpdate
): Result.Result<readonly [document: Document, response: JsonObject], GoogleError> =>
  Result.gen(function*() {
    if (requests.length === 0) return yield* refuse("Must specify at least one request.")
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
  if (requiredRevisionId !== undefined && requiredRevisionId !== revisionId(documentId, revision)) {
    return refuse(`The required revision ID '${requiredRevisionId}' does not match the latest revision.`)
  }
  if (targetRevisionId === undefined) return Result.void
  const recent = Array.from({ length: Math.min(mergeableRevisions, revision + 1) }, (_, back) => revision - back)
  return recent.some((each) => revisionId(documentId, each) === targetRevisionId)
    ? Result.void
    : refuse(`The target revision ID '${targetRevisionId}' is too far behind the latest revision.`)
}

const applyRequest = (document: Document, request: Request, position: number, ids: IdGenerator): HandlerResult => {
  const kind = kindOf(request)
  if (kind === undefined) return refuse(`Invalid requests[${position}]: No request set.`)
  return Result.mapError(
    callHandler(document, kind, request[kind], ids),
    (error) => prefixMessage(error, `requests[${position}].${kind}`)
  )
}

const kindOf = (request: Request): Kind | undefined => {
  for (const kind in request) if (isKind(request, kind)) return kind
  return undefined
}

const isKind = (request: Request, kind: string): kind is Kind => Object.hasOwn(request, kind)

const callHandler = <K extends Kind>(
  document: Document,
  kind: K,
  payload: Payload<K> | undefined,
  ids: IdGenerator
): HandlerResult => {
  const handler = handlers[kind]
  return handler === undefined || payload === undefined ? lacks(`${kind} requests`) : handler(document, payload, ids)
}
