import { Clock, Effect, Exit, Scope } from "effect"
import type { CallError } from "../Api/Errors.ts"
import { noteProviderQuota } from "../Capacity/RateLimit.ts"
import { CallContext } from "./CallContext.ts"
import type { CallResult, StepResult } from "./CallResult.ts"
import { callSettings } from "./CallSettings.ts"
import type { CallsInFlight } from "./CallsInFlight.ts"
import { makeRecordCall } from "./RecordCall.ts"
import type { IncomingCall } from "./Request/IncomingCall.ts"

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
    yield* noteProviderQuota(context.caller?.scarcest)
    const completed = context.complete(exit, clock.currentTimeNanosUnsafe() - start, price)
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
