import { Config, Context, Duration, Effect, Layer, Schema } from "effect"
import { RateLimited } from "../Api/Errors.ts"
import { FairCapacity } from "../Domain/FairCapacity.ts"
import { SharedBytes } from "../Providers/CallBytes.ts"
import { maxResponseBytes } from "../Providers/Upstream/UndiciHttpClient.ts"

const PositiveInt = Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0))

const maxCalls = Config.schema(PositiveInt, "MAX_CALLS_IN_FLIGHT").pipe(Config.withDefault(512))

const maxWait = Duration.seconds(10)

/** What members share in this instance (contract section 18). */
export class CallCapacity extends Context.Service<CallCapacity, {
  readonly calls: FairCapacity
  readonly bytes: SharedBytes
  readonly answers: FairCapacity
}>()("openaccounts/Calls/CallCapacity") {
  static readonly layer = Layer.effect(
    CallCapacity,
    Effect.gen(function*() {
      const capacity = yield* maxCalls
      const largest = yield* maxResponseBytes
      return CallCapacity.of({
        calls: new FairCapacity({ capacity, maxWaiting: capacity, maxWait }),
        bytes: new SharedBytes(largest),
        answers: new FairCapacity({ capacity: 2 * largest, maxWaiting: capacity, maxWait })
      })
    })
  )
}

const retryAfter = "5"

const tooMuch = (what: string) => (): RateLimited =>
  new RateLimited({
    message:
      `The member has too ${what} under way. Retry in ${retryAfter} seconds with fewer calls or less data at once.`,
    retryAfter
  })

export const tooManyCalls = tooMuch("many calls")
export const tooManyBytes = tooMuch("many large requests or responses")
