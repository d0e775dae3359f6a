import { Context, Effect, Option } from "effect"
import { type StepResult, StoredResponse } from "../../Calls/CallResult.ts"
import { KeepsChanges } from "../../Calls/Request/RunnableCall.ts"
import type { CallStep, PreparedCall } from "../../Calls/Steps.ts"
import { makeUndo } from "./Undo.ts"
import { UndoableWrites, undoableWrites } from "./UndoableWrites.ts"
import { UndoRecords } from "./UndoRecords.ts"

/** Keeps the data that undoes a write, returns until when it can be undone, and runs the calls that undo. */
export const undoStep = Effect.gen(function*() {
  const records = yield* UndoRecords
  const undo = yield* makeUndo

  /** A failure here must not fail a write that was sent. */
  const keepRecord = (...kept: Parameters<UndoRecords["Service"]["keep"]>): Effect.Effect<Date | null> =>
    Effect.catchCause(
      records.keep(...kept),
      (cause) => Effect.as(Effect.logError(`${kept[0]} cannot be undone`, cause), null)
    )

  const keep = Effect.fnUntraced(function* keepForUndo(
    { context, incoming, operation, prepared, principal }: PreparedCall,
    writes: UndoableWrites["Service"]
  ) {
    const kept = writes.kept()
    if (kept === undefined || context.connection === undefined) return null
    const { provider, target } = operation
    const content = { provider: provider.id, target, connectionId: context.connection.id, resource: prepared.resource }
    return yield* keepRecord(incoming.id, principal, { ...content, kept })
  })

  const step: CallStep = {
    name: "undo",
    of: "writes",
    at: "prepared",
    undo,
    wrap: (next) => (call) => {
      const keeps = call.principal.undo === true
      const writes = keeps && call.undoOf === undefined ? undoableWrites() : undefined
      const notes = Context.add(call.notes, KeepsChanges, keeps)
      const running = next({
        ...call,
        notes: writes === undefined ? notes : Context.add(notes, UndoableWrites, writes)
      })
      return Effect.flatMap(running, (answered) => {
        const { data } = answered
        if (data instanceof StoredResponse) {
          return Effect.map(records.until(data.callId), (until) => withUntil(answered, Option.getOrNull(until)))
        }
        return writes === undefined
          ? Effect.succeed(answered)
          : Effect.map(keep(call, writes), (until) => withUntil(answered, until))
      })
    }
  }
  return step
})

const withUntil = ({ data, facts }: StepResult, until: Date | null): StepResult => ({
  data,
  facts: until === null ? facts : { ...facts, undoableUntil: until }
})
