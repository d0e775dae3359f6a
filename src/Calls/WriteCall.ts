import { Effect } from "effect"
import type { CallRequest } from "../Api/Calls/CallApi.ts"
import type { CallError } from "../Api/Errors.ts"
import { CurrentShare, type Share } from "../Capacity/Capacity.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import type { Provider } from "../Providers/Provider.ts"
import type { SendRequest } from "../Providers/ProviderClient.ts"
import { makeAskFirst } from "./Approvals/AskFirst.ts"
import { describeResource } from "./Approvals/DescribeResource.ts"
import { waitingCall } from "./Approvals/StoredCall.ts"
import type { CachedCalls } from "./Cache/CachedCalls.ts"
import type { StoredSubject } from "./DataAccess.ts"
import type { StoredResponse } from "./Idempotency/Idempotency.ts"
import type { PermittedCall, Sending } from "./Sending.ts"
import { keepWrites } from "./Undo/KeepWrites.ts"
import { preview, previewData, type RunnableCall } from "./Undo/Preview.ts"
import type { UndoCall } from "./Undo/UndoCalls.ts"
import { UndoRecords } from "./Undo/UndoRecords.ts"

export interface WriteCall extends PermittedCall {
  readonly request: CallRequest
  /** Where the write takes back another. */
  readonly undo: UndoCall | undefined
  readonly share: Share
}

/** Shows what a write would change, asks a person, or sends the write and keeps what takes it back. */
export const makeWriteCall = Effect.fnUntraced(function*(
  cached: CachedCalls,
  sendingOf: (call: PermittedCall) => Sending
) {
  const undoRecords = yield* UndoRecords
  const askFirst = yield* makeAskFirst

  /** The response of a write goes out in any case. */
  const keepForUndo = (...kept: Parameters<UndoRecords["Service"]["keep"]>): Effect.Effect<Date | null> =>
    Effect.catchCause(
      undoRecords.keep(...kept),
      (cause) => Effect.as(Effect.logError(`${kept[0]} cannot be undone`, cause), null)
    )

  return Effect.fnUntraced(function*(call: WriteCall): Effect.fn.Return<JsonText | StoredResponse, CallError> {
    const { access, connection, context, incoming, operation, prepared, principal, request, share, undo } = call
    const sending = sendingOf(call)
    const subject = { provider: operation.provider.id, target: operation.target, connectionId: connection.id }
    const previewed = Effect.interruptible(
      Effect.suspend(() =>
        Effect.provideService(preview(prepared, sending.read, sending.limit, access), CurrentShare, share)
      )
    )
    if (context.dryRun) {
      const found = yield* previewed
      if (incoming.planned !== undefined) {
        const pin = found.pin && (yield* Effect.provideService(found.pin, CurrentShare, share))
        incoming.planned({ changes: found.changes, pin })
      }
      return previewData(found, principal)
    }
    if (principal.writes === "ask" && incoming.approved === undefined) {
      const question = undo === undefined ? waitingCall(request, connection.id) : { undo_of: undo.record.callId }
      const shown = Effect.gen(function*() {
        const { changes } = yield* previewed
        const read = sending.limit(sending.read)
        const about = yield* describeResource(operation.provider, prepared.resource, read, access)
        return { ...about, changes, subject: storedSubject(operation.provider, prepared, undo !== undefined) }
      })
      return yield* askFirst({ ...subject, principal, call: question }, shown)
    }
    const kept = principal.undo === true && undo === undefined
      ? keepWrites(sending.send, sending.limit(sending.read))
      : undefined
    context.mayHaveWritten = true
    const send = kept?.send ?? sending.send
    const pin = incoming.approved?.plan?.pin
    const written = yield* cached.write(
      connection,
      sending.run(share.neverRefusing, pin === undefined ? send : pinned(send, pin)),
      () => context.hasAsked
    )
    const steps = kept?.kept()
    if (steps !== undefined) {
      const content = { ...subject, resource: prepared.resource, kept: steps }
      context.undoableUntil = yield* keepForUndo(incoming.id, principal, content)
      if (context.undoableUntil !== null) incoming.undoable?.(context.undoableUntil)
    }
    return written
  })
})

/** Where the caller of the input may still see it. */
const storedSubject = (provider: Provider, { resource, subject }: RunnableCall, isUndo: boolean): StoredSubject => {
  if (isUndo) return { names: resource === null ? [] : [resource.slice(provider.id.length + 1)], urls: [] }
  const { creates, names, urls } = subject()
  return { names, urls, ...creates === undefined ? {} : { creates } }
}

const pinned = (send: SendRequest, pin: (body: unknown) => unknown): SendRequest => (request) => {
  const { endpoint, input } = request
  return send(endpoint.writes ? { ...request, input: { ...input, body: pin(input.body) } } : request)
}
