import { Config, Context, Duration, Effect, Layer, Schema } from "effect"
import { SharedBytes } from "../Capacity/CallBytes.ts"
import { CallShares } from "../Capacity/CallShares.ts"
import { FairCapacity } from "../Capacity/FairCapacity.ts"
import type { MemberId } from "../Domain/Ids.ts"
import { maxResponseBytes } from "../Outbound/UndiciHttpClient.ts"

const PositiveInt = Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0))

const maxCalls = Config.schema(PositiveInt, "MAX_CALLS_IN_FLIGHT").pipe(Config.withDefault(512))

const maxWait = Duration.seconds(10)

export class CallCapacity extends Context.Service<CallCapacity, {
  /** Reserves nothing yet. `CallShares.release` frees what the call takes. */
  readonly open: (member: MemberId) => CallShares
}>()("openaccounts/Calls/CallCapacity") {
  static readonly layer = Layer.effect(
    CallCapacity,
    Effect.gen(function*() {
      const capacity = yield* maxCalls
      const largest = yield* maxResponseBytes
      const calls = new FairCapacity({ capacity, maxWaiting: capacity, maxWait })
      const bytes = new SharedBytes(largest)
      const answers = new FairCapacity({ capacity: 2 * largest, maxWaiting: capacity, maxWait })
      return CallCapacity.of({
        open: (member) => new CallShares(calls.open(member), bytes.open(member), answers.open(member))
      })
    })
  )
}
