import { Clock, Duration, Effect, Exit, Option } from "effect"
import type { CallRequest } from "../../Api/Calls/CallApi.ts"
import { type CallError, CallNotFound, Forbidden } from "../../Api/Errors.ts"
import { UndoConflict, UndoUnavailable } from "../../Api/Errors/WriteErrors.ts"
import { CallLog } from "../../Calls/Log/CallLog.ts"
import type { MadeRequest } from "../../Calls/Request/IncomingCall.ts"
import type { RunnableCall } from "../../Calls/Request/RunnableCall.ts"
import { holderOf, type Principal } from "../../Domain/Access/Principal.ts"
import type { LoggedCall } from "../../Domain/Calls/Call.ts"
import { showChanges } from "../../Domain/Calls/ShowChanges.ts"
import type { UndoReason } from "../../Domain/Calls/UndoReason.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import { Catalog } from "../../Providers/Catalog/Catalog.ts"
import type { Provider, Writing } from "../../Providers/Provider.ts"
import { type Access, providerCalls, type SendRequest } from "../../Providers/ProviderClient.ts"
import { subjectOf } from "../../Providers/Resources.ts"
import type { UndoPlan } from "../../Providers/Writing.ts"
import { type UndoRecord, UndoRecords, undoRetention } from "./UndoRecords.ts"

/** Makes the request that undoes a call. */
export const makeUndo = Effect.gen(function*() {
  const records = yield* UndoRecords
  const log = yield* CallLog
  const catalog = yield* Catalog

  const find = Effect.fnUntraced(
    function* find(principal: Principal, id: string): Effect.fn.Return<UndoRecord, CallError> {
      const record = Option.getOrUndefined(yield* records.find(id))
      if (record !== undefined && mayUndo(principal, record)) {
        if (record.unkept === null) return record
        return yield* unavailable(record.unkept, because[record.unkept], yield* historyOf(record))
      }
      // This fails only for a call that is no longer in Postgres, which is too old.
      const logged = yield* Effect.mapError(log.find(principal, id), () => unavailable("expired"))
      if (Option.isNone(logged)) return yield* new CallNotFound()
      if (record !== undefined) return yield* new Forbidden({ message: notOwn })
      const age = (yield* Clock.currentTimeMillis) - logged.value.created_at.getTime()
      if (age >= Duration.toMillis(undoRetention)) return yield* unavailable("expired")
      return yield* unavailable("not_kept", whyNoRecord(principal, logged.value))
    }
  )

  const historyOf = ({ provider, resource }: UndoRecord) =>
    resource === null ? Effect.undefined : Effect.map(
      catalog.provider(provider),
      ({ writing }) => writing?.versionHistory?.(resource.slice(provider.length + 1))
    )

  const planOf = Effect.fnUntraced(function* planOf(
    { provider, record, writing }: {
      readonly record: UndoRecord
      readonly provider: Provider
      readonly writing: Writing
    },
    send: SendRequest,
    access: Access
  ) {
    if (record.undoneBy !== null) {
      return yield* unavailable("already_undone", `${because.already_undone} (${record.undoneBy})`)
    }
    if (record.kept.length === 0) return nothingToUndo
    const plan = yield* writing.undo(record.kept, providerCalls(send, provider, access))
    if (plan.conflicts.length > 0) {
      // Another undo of the call may have written them meanwhile.
      if (Option.isNone(yield* records.until(record.callId))) return yield* unavailable("already_undone")
      return yield* new UndoConflict({ details: showChanges(plan.conflicts) })
    }
    return plan
  })

  /** Writes back what the call has changed, once. Bounds apply to its requests. */
  const prepare = Effect.fnUntraced(function* prepare(
    principal: Principal,
    id: string,
    by: CallId
  ): Effect.fn.Return<MadeRequest, CallError> {
    const record = yield* find(principal, id)
    const provider = yield* catalog.provider(record.provider)
    const { writing } = provider
    if (writing === undefined) return yield* unavailable("no_inverse")
    const undo = { record, provider, writing }
    const prepared: RunnableCall = {
      input: null,
      rows: () => undefined,
      resource: record.resource,
      subject: () => subjectOf("none", undefined),
      misplaced: () => [],
      preview: (send, access) =>
        Effect.map(
          planOf(undo, send, access),
          ({ changes }) => ({ changes, unkept: "no_inverse", pin: undefined })
        ),
      run: Effect.fnUntraced(function* run(send, access) {
        const plan = yield* planOf(undo, send, access)
        // Before the write: a failure after it would say that nothing was written.
        const answer = JsonText.stringify({ undone: record.callId, ...showChanges(plan.changes) })
        const isFirst = yield* records.claim(record.callId, by)
        if (!isFirst) return yield* unavailable("already_undone")
        yield* Effect.tapError(
          plan.run,
          (error) => isRefused(error) ? records.release(record.callId, by) : Effect.void
        )
        return answer
      })
    }
    return { undoOf: record.callId, request: requestOf(record), prepared }
  })

  return prepare
})

const nothingToUndo: UndoPlan = { changes: [], conflicts: [], run: Effect.void }

const requestOf = ({ connectionId, provider, target }: UndoRecord): CallRequest => {
  const name = target.slice(target.indexOf(":") + 1)
  return { provider, ...target.startsWith("raw:") ? { endpoint: name } : { tool: name }, connection_id: connectionId }
}

const mayUndo = (principal: Principal, { holderId, memberId }: UndoRecord): boolean =>
  principal.via === "session"
    ? principal.memberId === memberId || principal.role === "admin"
    : principal.memberId === memberId && holderOf(principal) === holderId

/** Whether the provider has certainly written nothing. */
const isRefused = (error: CallError): boolean =>
  error._tag !== "InternalError" && (error._tag !== "UpstreamUnreachable" || !error.wasSent)

const notOwn = "Only the key or agent that made the call, its member and admins may undo it."

const because: Readonly<Record<UndoReason, string>> = {
  not_kept: "what it changed could not be read",
  no_inverse: "nothing restores exactly what it changed",
  too_large: "it changed more than is kept",
  expired: "it is older than 72 hours",
  already_undone: "it is undone already, or its undo has an unknown outcome: look before you write"
}

const unavailable = (reason: UndoReason, why: string = because[reason], history?: string): UndoUnavailable =>
  new UndoUnavailable({
    message: `The call cannot be undone: ${why}.${history === undefined ? "" : ` Earlier versions are at ${history}`}`,
    details: { reason, ...history === undefined ? {} : { version_history: history } }
  })

const whyNoRecord = (principal: Principal, { outcome }: Pick<LoggedCall, "outcome">): string => {
  if (outcome === "error") return "it failed, so nothing of it is kept"
  return principal.via === "session" || principal.undo === true
    ? "its key or agent kept no changes when it was made (`undo`), or newer ones took their room"
    : "its key or agent keeps no changes; `undo` keeps those of later calls"
}

/** The request body that the log shows for an undo. */
export const undoBody = (id: string) => {
  const json = { undo: id.slice(0, 100) }
  return { text: JSON.stringify(json), json: Exit.succeed(json) }
}
