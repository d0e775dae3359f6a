import { Result, Schema } from "effect"
import type { Issue } from "../../../../Domain/Issue.ts"
import { issuesOf, strict } from "../../../../Domain/Validation.ts"
import { BatchUpdateDocumentRequest } from "../../../../Providers/Gdocs/Generated.ts"
import type { Handled, Handlers, Kind, Payload, Request } from "./Handler.ts"
import { type Ids, makeIds, revisionId } from "./Ids.ts"
import { invalid, notSimulated, type Refusal } from "./Refusal.ts"
import type { DocumentState, Props } from "./State.ts"
import { structureRequests } from "./StructureRequests.ts"
import { styleRequests } from "./StyleRequests.ts"
import { textRequests } from "./TextRequests.ts"

export type BatchUpdate = typeof BatchUpdateDocumentRequest.Type

const handlers: Handlers = { ...textRequests, ...styleRequests, ...structureRequests }

/** Revisions that `targetRevisionId` can still name. */
const mergeableRevisions = 100

const decode = Schema.decodeUnknownResult(BatchUpdateDocumentRequest, strict)

/** The request body, or why the provider would not read it. */
export const readBatchUpdate = (body: unknown): Result.Result<BatchUpdate, Refusal> =>
  Result.match(decode(body), {
    onSuccess: (update) => Result.succeed(update),
    onFailure: (error) => invalid(issuesOf(error.issue).map(worded).join("\n"))
  })

const worded = ({ message, path }: Issue): string => {
  const name = path.at(-1)
  return message === "Unknown field"
    ? `Invalid JSON payload received. Unknown name "${name}" at '${fieldPath(path.slice(0, -1))}': Cannot find field.`
    : `Invalid value at '${fieldPath(path)}': ${message}.`
}

/** As the provider names a field: `requests[0].insert_text`. */
const fieldPath = (path: Issue["path"]): string =>
  path.map((segment) =>
    typeof segment === "number"
      ? `[${segment}]`
      : `.${segment.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
  ).join("").slice(1)

/** `documents.batchUpdate`: all of the requests, in order, or none of them. */
export const batchUpdate = (
  state: DocumentState,
  { requests, writeControl = {} }: BatchUpdate
): Result.Result<readonly [state: DocumentState, answer: Props], Refusal> =>
  Result.gen(function*() {
    if (requests.length === 0) return yield* invalid("Must specify at least one request.")
    yield* checkRevision(state, writeControl)
    const ids = makeIds(state.documentId, state.minted)
    const replies: Array<Props> = []
    let changed = state
    for (const [position, request] of requests.entries()) {
      const step = yield* handle(changed, request, position, ids)
      changed = step.state
      replies.push(step.reply)
    }
    const revision = state.revision + 1
    return [{ ...changed, revision, minted: ids.minted() }, {
      documentId: state.documentId,
      replies,
      writeControl: { requiredRevisionId: revisionId(state.documentId, revision) }
    }]
  })

const checkRevision = (
  { documentId, revision }: DocumentState,
  { requiredRevisionId, targetRevisionId }: NonNullable<BatchUpdate["writeControl"]>
): Result.Result<void, Refusal> => {
  if (requiredRevisionId !== undefined && requiredRevisionId !== revisionId(documentId, revision)) {
    return invalid(`The required revision ID '${requiredRevisionId}' does not match the latest revision.`)
  }
  if (targetRevisionId === undefined) return Result.void
  const recent = Array.from({ length: Math.min(mergeableRevisions, revision + 1) }, (_, back) => revision - back)
  return recent.some((each) => revisionId(documentId, each) === targetRevisionId)
    ? Result.void
    : invalid(`The target revision ID '${targetRevisionId}' is too far behind the latest revision.`)
}

const handle = (state: DocumentState, request: Request, position: number, ids: Ids): Handled => {
  const kind = kindOf(request)
  if (kind === undefined) return invalid(`Invalid requests[${position}]: No request set.`)
  const where = `Invalid requests[${position}].${kind}`
  return dispatch(state, kind, request[kind], { ids, where })
}

const kindOf = (request: Request): Kind | undefined => {
  for (const kind in request) if (isKind(request, kind)) return kind
  return undefined
}

const isKind = (request: Request, kind: string): kind is Kind => Object.hasOwn(request, kind)

const dispatch = <K extends Kind>(
  state: DocumentState,
  kind: K,
  payload: Payload<K> | undefined,
  context: { readonly ids: Ids; readonly where: string }
): Handled => {
  const handler = handlers[kind]
  return handler === undefined || payload === undefined
    ? notSimulated(context.where)
    : handler(state, payload, context)
}
