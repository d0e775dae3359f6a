import { Effect, type Exit, type Option } from "effect"
import { type CallError, InternalError } from "../Api/Errors.ts"
import { LastErrors } from "../Connections/LastErrors.ts"
import type { CallEntry } from "../Domain/Calls/Call.ts"
import type { CallContext } from "./CallContext.ts"
import { countCalls } from "./CallMetrics.ts"
import { CallLog } from "./Log/CallLog.ts"
import { limitRefusedCalls } from "./Log/RefusedCallLimit.ts"
import type { CallResponse } from "./Results/LongResponse.ts"

/** Fails if a call without a write cannot be logged. */
export const makeRecordCall = Effect.gen(function*() {
  const append = yield* countCalls(yield* limitRefusedCalls(yield* CallLog))
  const lastErrors = yield* LastErrors

  const log = (context: CallContext, entry: CallEntry, address: () => Option.Option<string>) =>
    Effect.catch(append(entry, address), ({ cause }) =>
      Effect.andThen(
        Effect.logError("A call could not be logged", cause),
        context.mayHaveWritten ? Effect.void : Effect.fail(new InternalError({ cause }))
      ))

  return (
    context: CallContext,
    entry: CallEntry,
    result: Exit.Exit<CallResponse, CallError>,
    address: () => Option.Option<string>
  ): Effect.Effect<void, InternalError> =>
    Effect.clockWith((clock) => {
      const { cached, connection, idempotentWrite, store } = context
      const logged = log(context, entry, address)
      const lastError = connection === undefined || cached
        ? undefined
        : lastErrors.record(connection, result, clock.currentTimeMillisUnsafe())
      const recorded = lastError === undefined
        ? logged
        : Effect.all([logged, lastError], { concurrency: "unbounded", discard: true })
      if (store !== undefined) return Effect.all([recorded, store], { concurrency: "unbounded", discard: true })
      // After the log, because a replay refers to a logged call.
      return idempotentWrite === undefined
        ? recorded
        : Effect.ensuring(recorded, idempotentWrite.settle(result, connection?.id ?? null))
    })
})
