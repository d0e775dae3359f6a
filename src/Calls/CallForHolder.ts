import { Effect, Exit } from "effect"
import type { Calls } from "./Calls.ts"
import type { IncomingCall, Origin } from "./Request/IncomingCall.ts"

interface CallOfHolder extends Pick<IncomingCall, "id" | "headers"> {
  readonly origin: Origin
}

/** A call that the service makes for a key, grant or session. The scope holds the memory of the response. */
export const callForHolder = Effect.fnUntraced(function* callForHolder(
  calls: Calls["Service"],
  json: unknown,
  incoming: CallOfHolder
) {
  const scope = yield* Effect.scope
  const body = { text: JSON.stringify(json), json: Exit.succeed(json) }
  return yield* calls.call({
    ...incoming,
    credential: undefined,
    sent: () => scope,
    body: () => Effect.succeed(body)
  })
})
