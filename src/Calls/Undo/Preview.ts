import { Deferred, Effect } from "effect"
import type { CallError, ToolCallError } from "../../Api/Errors.ts"
import { type Change, truncateChanges } from "../../Domain/Calls/Change.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import { append } from "../../Domain/Lists.ts"
import type { PreparedOperation } from "../../Providers/Catalog/Operation.ts"
import { type Access, providerCalls, type ProviderRequest, type SendRequest } from "../../Providers/ProviderClient.ts"
import { endpointUrl, upstreamUrl } from "../../Providers/UpstreamUrl.ts"
import type { WritePlan } from "../../Providers/Writing.ts"

/** What the pipeline runs: an operation, or an undo. */
export interface RunnableCall extends Omit<PreparedOperation, "run"> {
  readonly run: (send: SendRequest, access: Access) => Effect.Effect<JsonText, CallError>
  /** By default the preview of its requests. */
  readonly preview?: (send: SendRequest, access: Access) => Effect.Effect<Preview, CallError>
}

export interface Preview {
  readonly changes: ReadonlyArray<Change>
  readonly truncated: boolean
  readonly undoable: boolean
}

/**
 * Runs an operation up to its first write that needs the provider's response, and writes nothing.
 *
 * @param limit bounds requests to the resources that the call may use
 */
export const preview = Effect.fnUntraced(function*(
  operation: RunnableCall,
  send: SendRequest,
  limit: (send: SendRequest) => SendRequest,
  access: Access
): Effect.fn.Return<Preview, CallError> {
  if (operation.preview !== undefined) return yield* operation.preview(limit(send), access)
  const changes: Array<Change> = []
  let isUndoable = true
  const written = yield* Deferred.make<void>()
  const read = limit(send)

  const instead = Effect.fnUntraced(function*(request: ProviderRequest) {
    // A credential that has expired is an error of the preview, too.
    yield* access.secret
    const plan = yield* planWrite(request, read)
    append(changes, plan.changes.length === 0 && plan.response === undefined ? [requestOf(request)] : plan.changes)
    if (plan.keep === undefined) isUndoable = false
    if (plan.response !== undefined) return JsonText.stringify(plan.response)
    yield* Deferred.succeed(written, undefined)
    return yield* Effect.never
  })

  const intercepted = limit((request): Effect.Effect<JsonText, ToolCallError> =>
    request.endpoint.writes ? instead(request) : send(request)
  )
  yield* Effect.raceFirst(Effect.asVoid(operation.run(intercepted, access)), Deferred.await(written))
  return { ...truncateChanges(changes), undoable: isUndoable && changes.length > 0 }
})

export const previewData = ({ changes, truncated, undoable }: Preview): JsonText =>
  JsonText.stringify({ dry_run: true, changes, undoable, ...truncated ? { truncated } : {} })

const unknownPlan: WritePlan = { changes: [], keep: undefined }

export const planWrite = (
  { access, endpoint, input, provider }: ProviderRequest,
  read: SendRequest
): Effect.Effect<WritePlan, ToolCallError> => {
  const touched = endpoint.touches?.(input)
  return touched === undefined || provider.writing === undefined
    ? Effect.succeed(unknownPlan)
    // Such as a document that takes too long to read.
    : Effect.catchTag(
      provider.writing.plan(touched, providerCalls(read, provider, access)),
      "InvalidInput",
      () => Effect.succeed(unknownPlan)
    )
}

const requestOf = ({ endpoint, input }: ProviderRequest): Change => {
  const { origin, path } = endpointUrl(upstreamUrl(endpoint.origin.url), endpoint.path, input)
  return { request: { method: endpoint.method, url: origin + path, body: input.body ?? null } }
}
