import { Clock, ConfigProvider, Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { ConnectionId } from "../../../src/Domain/Ids.ts"
import { type Bucket, emptyBucket } from "../../../src/Features/Quotas/Bucket.ts"
import { type QuotaRequest, Quotas } from "../../../src/Features/Quotas/Quotas.ts"
import { type BucketUse, QuotaStore } from "../../../src/Features/Quotas/QuotaStore.ts"
import { Catalog } from "../../../src/Providers/Catalog/Catalog.ts"
import type { Provider } from "../../../src/Providers/Provider.ts"
import { type Caller, serviceCaller } from "../../../src/Providers/Sending/Caller.ts"
import type { AttemptResponse } from "../../../src/Providers/Sending/Permit.ts"

export const connectionId = ConnectionId.make("con_01h455vb4pex5vsknk084sn02q")

const statement = <A>(run: () => A) => Effect.andThen(Effect.yieldNow, Effect.sync(run))

/** In memory, so that a test sets the clock. */
export const makeStore = () => {
  const buckets = new Map<string, { readonly bucket: Bucket }>()
  const uses = new Map<string, BucketUse>()
  const reach = new Map<string, number>()
  let lookups = 0
  let changes = 0
  let isAway = false
  const store = QuotaStore.of({
    change: ({ change, stored }) =>
      isAway
        ? Effect.die(new Error("The store is away"))
        : statement(() => {
          changes++
          stored.bucket = change(buckets.get(stored.key)?.bucket ?? emptyBucket)
          buckets.set(stored.key, { bucket: stored.bucket })
        }),
    read: () => statement(() => buckets),
    addUses: (added) => statement(() => added.forEach((use) => uses.set(use.key, use))),
    uses: () =>
      Effect.map(Clock.currentTimeMillis, (now) => [...uses.values()].filter(({ ends_at }) => ends_at.getTime() > now)),
    reachedUntil: (key) => statement(() => (lookups++, reach.get(key) ?? 0)),
    addReach: (key, until) => statement(() => void reach.set(key, until))
  })
  const takeAway = () => {
    isAway = true
  }
  return { store, takeAway, lookups: () => lookups, changes: () => changes }
}

export type Instance = Quotas["Service"]

/** Two instances on one store. */
export const makeInstances = Effect.fnUntraced(function*(
  provider: Provider,
  limits: Readonly<Record<string, number>> = {}
) {
  const { store, ...seen } = makeStore()
  const layer = Quotas.layerNoDeps.pipe(
    Layer.provide(Catalog.layer([provider])),
    Layer.provide(Layer.succeed(QuotaStore, store)),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ QUOTAS: JSON.stringify(limits) })))
  )
  const build = Effect.map(Layer.build(Layer.fresh(layer)), (context) => Context.get(context, Quotas))
  const ofOne = yield* Scope.make()
  const one = yield* Scope.provide(build, ofOne)
  return { one, other: yield* build, stopOne: Scope.close(ofOne, Exit.void), ...seen }
})

/** The value of an effect that needs time. */
export const after = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>, millis = 50) {
  const fiber = yield* Effect.forkScoped(effect)
  for (let step = 0; step < 10; step++) yield* TestClock.adjust(millis / 10)
  return yield* Fiber.join(fiber)
})

/** Sends a request that does not wait and is answered so. False if a quota refuses it. */
export const isSent = Effect.fnUntraced(function*(
  quotas: Instance,
  request: QuotaRequest,
  answer: Partial<AttemptResponse> = {},
  caller: Partial<Caller> = {}
) {
  const patience = { ...serviceCaller(connectionId), waitMillis: 0, ...caller }
  const exit = yield* after(Effect.exit(quotas.take(request, patience)), 50 + patience.waitMillis)
  if (Exit.isFailure(exit)) return false
  yield* after(exit.value.attempt() ?? Effect.void)
  yield* after(exit.value.learn({ status: 200, retryAfter: undefined, body: () => ({}), ...answer }))
  exit.value.end(true)
  yield* TestClock.adjust(50)
  return true
})
