import { Context, Deferred, Effect } from "effect"
import type { CallError, ToolCallError } from "../../Api/Errors.ts"
import { KeepsChanges, type Preview, type RunnableCall } from "../../Calls/Request/RunnableCall.ts"
import type { PermittedCall } from "../../Calls/Steps.ts"
import { CurrentShare } from "../../Capacity/Capacity.ts"
import type { Change } from "../../Domain/Calls/Change.ts"
import { showChanges } from "../../Domain/Calls/ShowChanges.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import { append } from "../../Domain/Lists.ts"
import { type Access, providerCalls, type ProviderRequest, type SendRequest } from "../../Providers/ProviderClient.ts"
import { requestChange } from "../../Providers/RequestChange.ts"
import { unknownPlan, type WritePlan } from "../../Providers/Writing.ts"

/**
 * Runs an operation up to its first write that needs the provider's response, and writes nothing.
 *
 * @param limit bounds requests to the resources that the call may use
 */
const preview = Effect.fnUntraced(function* preview(
  operation: RunnableCall,
  send: SendRequest,
  limit: (send: SendRequest) => SendRequest,
  access: Access
): Effect.fn.Return<Preview, CallError> {
  if (operation.preview !== undefined) return yield* operation.preview(limit(send), access)
  const changes: Array<Change> = []
  const preparing: Array<Change> = []
  const plans: Array<WritePlan> = []
  const written = yield* Deferred.make<void>()
  const read = limit(send)

  const instead = Effect.fnUntraced(function* instead(request: ProviderRequest) {
    // Fails for an expired credential, as the write would.
    yield* access.secret
    const plan = yield* planWrite(request, read)
    plans.push(plan)
    const requests = () => [request, ...request.followedBy?.() ?? []].map(requestChange)
    if (plan.response !== undefined) {
      // This write only makes room for the next one, which shows the cells.
      if (plan.changes === undefined) append(preparing, requests())
      return JsonText.stringify(plan.response)
    }
    append(changes, plan.changes ?? requests())
    yield* Deferred.succeed(written, undefined)
    return yield* Effect.never
  })

  const intercepted = limit((request): Effect.Effect<JsonText, ToolCallError> =>
    request.endpoint.writes ? instead(request) : send(request)
  )
  yield* Effect.raceFirst(Effect.asVoid(operation.run(intercepted, access)), Deferred.await(written))
  const unkept = plans.map(({ keep }) => keep).find((keep) => typeof keep === "string")
  return {
    changes: changes.length === 0 ? preparing : changes,
    unkept: plans.length === 0 ? "no_inverse" : unkept,
    pin: plans.find(({ pin }) => pin !== undefined)?.pin
  }
})

/** What a call would change. Stops with its caller. */
export const previewOf = ({ access, prepared, sends, share }: PermittedCall): Effect.Effect<Preview, CallError> =>
  Effect.interruptible(
    Effect.suspend(() => Effect.provideService(preview(prepared, sends.read, sends.limit, access), CurrentShare, share))
  )

export const previewData = ({ changes, unkept }: Preview, { notes }: Pick<PermittedCall, "notes">): JsonText => {
  const reason = Context.get(notes, KeepsChanges) ? unkept : "not_kept"
  return JsonText.stringify({
    dry_run: true,
    ...showChanges(changes),
    undoable: reason === undefined,
    ...reason === undefined ? {} : { undoable_reason: reason }
  })
}

export const planWrite = (
  { access, endpoint, input, provider }: ProviderRequest,
  read: SendRequest
): Effect.Effect<WritePlan, ToolCallError> => {
  const touched = endpoint.touches?.(input)
  return touched === undefined || provider.writing === undefined
    ? Effect.succeed(unknownPlan())
    // The plan fails so for a document that takes too long to read.
    : Effect.catchTag(
      provider.writing.plan(touched, providerCalls(read, provider, access)),
      "InvalidInput",
      () => Effect.succeed(unknownPlan("too_large"))
    )
}
