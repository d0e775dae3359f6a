import { Clock, ConfigProvider, Context, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ConnectionId } from "../../../src/Domain/Ids.ts"
import { type QuotaRequest, Quotas } from "../../../src/Features/Quotas/Quotas.ts"
import { QuotaStore } from "../../../src/Features/Quotas/QuotaStore.ts"
import { Catalog } from "../../../src/Providers/Catalog/Catalog.ts"
import type { Provider } from "../../../src/Providers/Provider.ts"
import { type Caller, serviceCaller } from "../../../src/Providers/Sending/Caller.ts"

/** Numbers from 0 to 1, the same in each run. */
const makeRandom = (seed = 7) => {
  let last = seed
  return () => (last = (last * 48_271) % 2_147_483_647) / 2_147_483_647
}

export interface Instance {
  readonly quotas: Quotas["Service"]
  /** Statements that looked up whether an account reaches a resource. */
  readonly lookups: () => number
  /** Like `kill -9`: gives nothing back, and what is under way never ends. */
  readonly kill: () => void
  readonly isAlive: () => boolean
}

/** Instances on one store, at the clock of the test. */
export const makeInstances = Effect.fnUntraced(function*(
  provider: Provider,
  limits: Readonly<Record<string, number>> = {},
  count = 2
) {
  const shared = Context.get(yield* Layer.build(QuotaStore.layerMemory), QuotaStore)
  const settings = ConfigProvider.layer(ConfigProvider.fromUnknown({ QUOTAS: JSON.stringify(limits) }))
  let isOver = false
  const instances = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.gen(function*() {
      let alive = true
      let lookups = 0
      const unlessKilled = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
        Effect.suspend(() => alive ? effect : Effect.never)
      const statement = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
        isOver ? effect : unlessKilled(effect).pipe(
          Effect.delay(3),
          Effect.flatMap((value) => Effect.delay(unlessKilled(Effect.succeed(value)), 2))
        )
      const store = QuotaStore.of({
        change: (change) => statement(shared.change(change)),
        read: (keys) => statement(shared.read(keys)),
        addUses: (uses) => statement(shared.addUses(uses)),
        uses: (ids) => statement(shared.uses(ids)),
        reachedUntil: (key) => {
          lookups++
          return statement(shared.reachedUntil(key))
        },
        addReach: (key, until) => statement(shared.addReach(key, until))
      })
      const context = yield* Layer.build(
        Quotas.layerNoDeps.pipe(
          Layer.provide(Catalog.layer([provider])),
          Layer.provide(Layer.succeed(QuotaStore, store)),
          Layer.provide(settings),
          Layer.fresh
        )
      )
      const instance: Instance = {
        quotas: Context.get(context, Quotas),
        lookups: () => lookups,
        kill: () => {
          alive = false
        },
        isAlive: () => alive
      }
      return instance
    }))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
    })
  )
  return instances
})

/** Counts as a provider does: refuses a request when as many as the limit came in the minute before. */
export const makeProvider = (limit: number) => {
  const accepted: Array<number> = []
  const inWindow = (now: number) => accepted.length - (accepted.findLastIndex((at) => at <= now - 60_000) + 1)
  return (now: number): boolean => {
    const isAccepted = inWindow(now) < limit
    if (isAccepted) accepted.push(now)
    return isAccepted
  }
}

export const connectionId = ConnectionId.make("con_01h455vb4pex5vsknk084sn02q")

const refusal = {
  status: 429,
  retryAfter: undefined,
  body: () => ({
    error: { message: "Quota exceeded", details: [{ metadata: { quota_limit: "ReadPerMinutePerUser" } }] }
  })
}
const success = { status: 200, retryAfter: undefined, body: () => ({}) }

/** Sends requests through instances, and keeps what became of them. */
export const makeCalls = (instances: ReadonlyArray<Instance>, accepts: (now: number) => boolean) => {
  const random = makeRandom()
  let next = 0
  const done = new Map<string, number>()
  const refusedAt: Array<number> = []

  /** Returns the milliseconds that it waited, and `Infinity` if it was not sent. */
  const call = Effect.fnUntraced(function*(request: QuotaRequest, who: Partial<Caller>) {
    const alive = instances.filter((instance) => instance.isAlive())
    const instance = alive[next++ % alive.length]
    if (instance === undefined) return Infinity
    const caller: Caller = { ...serviceCaller(connectionId), ...who }
    const start = yield* Clock.currentTimeMillis
    const taken = yield* Effect.exit(instance.quotas.take(request, caller))
    if (Exit.isFailure(taken)) return Infinity
    const waited = (yield* Clock.currentTimeMillis) - start
    const late = taken.value.attempt()
    if (late !== undefined) yield* Effect.orDie(late)
    yield* Effect.sleep(5 + 50 * random())
    if (!instance.isAlive()) return Infinity
    const now = yield* Clock.currentTimeMillis
    const isAccepted = accepts(now)
    if (isAccepted) done.set(caller.member, (done.get(caller.member) ?? 0) + 1)
    else refusedAt.push(now)
    yield* Effect.sleep(5 + 100 * random())
    yield* taken.value.learn(isAccepted ? success : refusal)
    taken.value.end(true)
    return waited
  })

  return {
    call,
    done,
    refusedAt,
    /** At random times, on average as often as this. */
    every: (millis: number, effect: Effect.Effect<unknown>) =>
      Effect.forkScoped(
        Effect.forever(
          Effect.suspend(() =>
            Effect.andThen(Effect.sleep(-Math.log(1 - random()) * millis), Effect.forkScoped(effect))
          )
        )
      )
  }
}

export const pass = Effect.fnUntraced(function*(seconds: number) {
  for (let step = 0; step < seconds * 10; step++) yield* TestClock.adjust(100)
})

/** The value of an effect that needs time. */
export const after = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkScoped(effect)
  yield* TestClock.adjust(50)
  return yield* Fiber.join(fiber)
})

/** 95 of 100 are at most this. */
export const p95 = (values: ReadonlyArray<number> = []): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? Infinity
