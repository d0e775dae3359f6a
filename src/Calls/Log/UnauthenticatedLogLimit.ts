import { Effect, Schedule } from "effect"
import type { CallEntry } from "../../Domain/Call.ts"
import type { CallLog } from "./CallLog.ts"

/** Unauthenticated calls that an instance logs in a minute. */
const loggedPerMinute = 1000

/** Appends to the log, within the limit for unauthenticated calls. Warns the operator once a minute of calls beyond it. */
export const limitUnauthenticatedCalls = Effect.fnUntraced(function*({ append }: CallLog["Service"]) {
  let refused = 0

  const report = Effect.suspend(() => {
    const unlogged = refused - loggedPerMinute
    refused = 0
    return unlogged <= 0 ? Effect.void : Effect.logWarning(
      `${unlogged} calls without a valid API key were refused within a minute, beyond the ${loggedPerMinute} that are logged`
    )
  })
  yield* Effect.addFinalizer(() => report)
  yield* Effect.forkScoped(Effect.schedule(report, Schedule.spaced("1 minute")))

  return (call: CallEntry) =>
    call.error_code === "unauthenticated"
      ? Effect.suspend(() => ++refused > loggedPerMinute ? Effect.void : append(call))
      : append(call)
})
