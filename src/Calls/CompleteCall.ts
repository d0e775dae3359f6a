import { Clock, Effect, Exit, Fiber, References, Scope } from "effect"
import { type CallError, InternalError } from "../Api/Errors.ts"
import { noteProviderQuota } from "../Capacity/RateLimit.ts"
import { LastErrors } from "../Connections/LastErrors.ts"
import { type CallEntry, toLatencyMillis } from "../Domain/Calls/Call.ts"
import { CallContext, type CompletedCall } from "./CallContext.ts"
import { countCalls } from "./CallMetrics.ts"
import type { CallResult, StepResult } from "./CallResult.ts"
import { callSettings } from "./CallSettings.ts"
import type { CallsInFlight } from "./CallsInFlight.ts"
import { CallLog } from "./Log/CallLog.ts"
import { limitRefusedCalls } from "./Log/RefusedCallLimit.ts"
import { SecretHashes } from "./Log/SecretHashes.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"
import { redactCall, type UnredactedCall } from "./Response/RedactCall.ts"

type RunSteps = (incoming: IncomingCall, context: CallContext) => Effect.Effect<StepResult, CallError>

/** Runs the steps of a call, logs it, and returns its response. */
export const makeCompleteCall = Effect.fnUntraced(function* makeCompleteCall(inFlight: CallsInFlight) {
  const record = yield* makeRecordCall
  const { price } = yield* callSettings

  const complete = Effect.fnUntraced(function* completeCall(
    runSteps: RunSteps,
    incoming: IncomingCall,
    context: CallContext
  ): Effect.fn.Return<CallResult, CallError> {
    const clock = yield* Clock.Clock
    const start = clock.currentTimeNanosUnsafe()
    const running = Effect.tap(runSteps(incoming, context), ({ data }) => context.holdResponse(data, incoming)).pipe(
      Effect.tapDefect((defect) => Effect.logError("A call failed inside the service", defect))
    )
    const exit = yield* Effect.exit(running)
    const scarcest = context.caller?.scarcest
    if (scarcest !== undefined) yield* noteProviderQuota(scarcest)
    const latencyMillis = toLatencyMillis(clock.currentTimeNanosUnsafe() - start)
    const completed = context.complete(exit, latencyMillis, price)
    yield* inFlight.betweenStages
    // A plan that has succeeded is part of the approved call that follows.
    const isPart = Exit.isSuccess(exit) && incoming.origin?.approval?.isPlan === true
    const logged = isPart ? Effect.void : record(context, completed)
    yield* context.afterLog.length === 0 ? logged : Effect.ensuring(logged, context.settle(completed.result))
    return yield* completed.result
  })

  /** When the caller disconnects, a write is finished and a read is stopped. Both are logged. */
  return (runSteps: RunSteps) => (incoming: IncomingCall): Effect.Effect<CallResult, CallError> =>
    Effect.suspend(() => {
      const context = new CallContext(incoming)
      const call = complete(runSteps, incoming, context)
      return inFlight.run(Effect.ensuring(call, Scope.close(context.scope, Exit.void)))
    })
})

/** Fails if a call without a write cannot be logged. */
const makeRecordCall = Effect.gen(function*() {
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
