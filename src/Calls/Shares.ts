import { Config, Context, Duration, Effect, Layer, Schema } from "effect"
import { RateLimited } from "../Api/Errors.ts"
import { FairShares } from "../Domain/FairShares.ts"

const PositiveInt = Schema.NumberFromString.check(Schema.isInt(), Schema.isGreaterThan(0))

const maxCalls = Config.schema(PositiveInt, "MAX_CALLS_IN_FLIGHT").pipe(Config.withDefault(512))

/** For a burst of short calls. */
const maxWait = Duration.seconds(10)

/** What members share: the calls under way in this instance (contract section 18). */
export class Shares extends Context.Service<Shares, {
  readonly calls: FairShares
}>()("openaccounts/Calls/Shares") {
  static readonly layer = Layer.effect(
    Shares,
    Effect.gen(function*() {
      const capacity = yield* maxCalls
      return Shares.of({ calls: new FairShares({ capacity, maxWaiting: capacity, maxWait }) })
    })
  )
}

const retryAfter = "5"

export const tooMuch = (what: string) => (): RateLimited =>
  new RateLimited({
    message: `The member has too ${what} at once. Retry in ${retryAfter} seconds, with less at a time.`,
    retryAfter
  })
