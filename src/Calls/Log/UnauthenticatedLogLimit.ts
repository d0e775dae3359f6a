import { Effect, Schedule } from "effect"
import type { CallLog, CompletedCall } from "./CallLog.ts"

/** How many calls without a good key an instance logs in a minute. */
const loggedPerMinute = 1000

/**
 * Appends to the log, but no more calls without a good key than it is meant for: anybody can send those, at any rate.
 * The others are counted, and the operator is told once a minute how many there were.
 */
export const limitUnauthenticatedCalls = Effect.fnUntraced(function*({ append }: CallLog["Service"]) {
  let refused = 0

  const report = Effect.suspend(() => {
    const unlogged = refused - loggedPerMinute
    refused = 0
    return unlogged <= 0 ? Effect.void : Effect.logWarning(
      `${unlogged} calls without a good API key were refused within a minute beyond the ${loggedPerMinute} that are logged`
    )
  })
  yield* Effect.addFinalizer(() => report)
  yield* Effect.forkScoped(Effect.schedule(report, Schedule.spaced("1 minute")))

  return (call: CompletedCall) =>
    call.error_code === "unauthenticated"
      ? Effect.suspend(() => ++refused > loggedPerMinute ? Effect.void : append(call))
      : append(call)
})
