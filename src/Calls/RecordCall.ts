import { Effect, Fiber, References } from "effect"
import { InternalError } from "../Api/Errors.ts"
import { LastErrors } from "../Connections/LastErrors.ts"
import type { CallEntry } from "../Domain/Calls/Call.ts"
import type { CallContext, CompletedCall } from "./CallContext.ts"
import { countCalls } from "./CallMetrics.ts"
import { callSettings } from "./CallSettings.ts"
import { CallLog } from "./Log/CallLog.ts"
import { limitRefusedCalls } from "./Log/RefusedCallLimit.ts"
import { SecretHashes } from "./Log/SecretHashes.ts"
import { redactCall, type UnredactedCall } from "./Response/RedactCall.ts"

/** Fails if a call without a write cannot be logged. */
export const makeRecordCall = Effect.gen(function*() {
  const append = yield* countCalls(yield* limitRefusedCalls((yield* CallLog).append))
  const lastErrors = yield* LastErrors
  const { ofRemoved } = yield* SecretHashes
  const isTraced = yield* References.TracerEnabled
  const { logBodyBytes } = yield* callSettings

  const log = (context: CallContext, entry: CallEntry) =>
    Effect.catch(append(entry), ({ cause }) =>
      Effect.andThen(
        Effect.annotateLogs(Effect.logError("A call could not be logged", cause), { call_id: entry.id }),
        context.mayHaveWritten ? Effect.void : Effect.fail(new InternalError({ cause }))
      ))

  return (
    context: CallContext,
    { call, facts: { cached = false, store }, result }: CompletedCall
  ): Effect.Effect<void, InternalError> =>
    Effect.clockWith((clock) => {
      if (call === undefined) return Effect.void
      const { connection } = context
      const logged = log(context, redactCall(call, logBodyBytes, ofRemoved))
      const lastError = connection === undefined || cached
        ? undefined
        : lastErrors.record(connection, result, clock.currentTimeMillisUnsafe())
      const recorded = lastError === undefined
        ? logged
        : Effect.all([logged, lastError], { concurrency: "unbounded", discard: true })
      const stored = store === undefined
        ? recorded
        : Effect.flatMap(
          Effect.forkChild(store, { startImmediately: true }),
          (storing) => Effect.andThen(recorded, Fiber.join(storing))
        )
      return isTraced ? Effect.andThen(Effect.annotateCurrentSpan(spanAttributes(call)), stored) : stored
    })
})

const spanAttributes = (call: UnredactedCall) => {
  const { cached, connection_id, error_code, outcome, provider, target } = call
  return {
    ...provider === null ? {} : { provider },
    ...target === null ? {} : { target },
    outcome,
    ...error_code === null ? {} : { error_code },
    cached,
    ...connection_id === null ? {} : { connection: connection_id }
  }
}
