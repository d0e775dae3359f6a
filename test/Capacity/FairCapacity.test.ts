import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { RateLimited } from "../../src/Api/Errors.ts"
import { FairCapacity } from "../../src/Capacity/FairCapacity.ts"

const tooMuch = new RateLimited({
  message: "Too much.",
  details: { limited_by: "member_share", retry_after_seconds: 1 }
})

const capacityOf = (capacity: number, maxWaiting = 10) =>
  new FairCapacity({ capacity, maxWaiting, maxWait: Duration.seconds(10), exceeded: () => tooMuch })

/** Reserves in a scope of its own. */
const ask = Effect.fnUntraced(function*(capacity: FairCapacity, member: string, amount = 1) {
  const scope = yield* Scope.make()
  const fiber = yield* Effect.forkChild(capacity.reserve(member, amount, scope), { startImmediately: true })
  return { fiber, result: () => fiber.pollUnsafe(), release: Scope.close(scope, Exit.void) }
})

const takeAll = Effect.fnUntraced(function*(capacity: FairCapacity, member: string) {
  for (let taken = 0;; taken++) {
    const { fiber, result } = yield* ask(capacity, member)
    if (result()?._tag === "Success") continue
    yield* Fiber.interrupt(fiber)
    return taken
  }
})

describe("A member", () => {
  it.effect("alone has half of the capacity, and leaves the others as much as it has", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(100)
      assert.strictEqual(yield* takeAll(capacity, "a"), 50)
      assert.strictEqual(yield* takeAll(capacity, "b"), 25)
      assert.strictEqual(yield* takeAll(capacity, "c"), 12)
    }))

  it.effect("that holds nothing gets something until nothing is left", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(8)
      const taken = yield* Effect.forEach(Array.from({ length: 10 }), (_, member) => takeAll(capacity, `${member}`))
      assert.deepStrictEqual(taken, [4, 2, 1, 1, 0, 0, 0, 0, 0, 0])
    }))

  it.effect("can take again what it gave back, and holds nothing in a scope that is closed", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(4)
      for (let round = 0; round < 10; round++) {
        yield* Effect.scopedWith((scope) => capacity.reserve("a", 2, scope))
      }
      const scope = yield* Scope.make()
      yield* Scope.close(scope, Exit.void)
      yield* capacity.reserve("a", 4, scope)
      assert.strictEqual(yield* takeAll(capacity, "a"), 2)
    }))

  it.effect("gets at most the whole capacity", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(4)
      const { release, result } = yield* ask(capacity, "a", 1000)
      assert.deepStrictEqual(result(), Exit.void)
      assert.strictEqual(yield* takeAll(capacity, "b"), 0)
      yield* release
      assert.strictEqual(yield* takeAll(capacity, "b"), 2)
    }))

  it.effect("that waits takes turns with the others", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(1)
      const first = yield* ask(capacity, "a")
      const waiting = new Map<string, Effect.Success<ReturnType<typeof ask>>>()
      for (const name of ["a1", "a2", "a3", "b1", "c1", "b2"]) waiting.set(name, yield* ask(capacity, name.slice(0, 1)))
      const order: Array<string> = []
      yield* first.release
      while (waiting.size > 0) {
        yield* Effect.yieldNow
        const [[name, { release }] = assert.fail("nothing is granted"), ...others] = [...waiting].filter(
          ([, { result }]) => result() !== undefined
        )
        assert.isEmpty(others)
        order.push(name)
        waiting.delete(name)
        yield* release
      }
      assert.deepStrictEqual(order, ["a1", "b1", "c1", "a2", "b2", "a3"])
    }))

  it.effect("waits ten seconds at most, and then leaves nothing behind", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(2)
      const held = yield* ask(capacity, "a")
      const { fiber, result } = yield* ask(capacity, "a")
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(result())
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), tooMuch)
      yield* held.release
      assert.strictEqual(yield* takeAll(capacity, "a"), 1)
    }))

  it.effect("with too many waiting requests is refused immediately, and others are not", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(2, 1)
      yield* ask(capacity, "a")
      yield* ask(capacity, "a")
      assert.deepStrictEqual((yield* ask(capacity, "a")).result(), Exit.fail(tooMuch))
      assert.deepStrictEqual((yield* ask(capacity, "b")).result(), Exit.void)
    }))

  it.effect("that leaves while it waits lets the next one in", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(10)
      yield* ask(capacity, "a", 4)
      const large = yield* ask(capacity, "a", 5)
      const small = yield* ask(capacity, "a", 1)
      assert.isUndefined(small.result())
      yield* Fiber.interrupt(large.fiber)
      yield* Fiber.join(small.fiber)
    }))

  it.effect("that leaves at the moment it is served leaves nothing behind", () =>
    Effect.gen(function*() {
      const capacity = capacityOf(2)
      const held = yield* ask(capacity, "a")
      const { fiber, release } = yield* ask(capacity, "a")
      fiber.interruptUnsafe()
      yield* held.release
      yield* Fiber.await(fiber)
      yield* release
      assert.strictEqual(yield* takeAll(capacity, "a"), 1)
    }))
})

describe("A member that has taken much", () => {
  it.effect("waits for all others that wait, the one that has taken least first", () =>
    Effect.gen(function*() {
      const taken: Readonly<Record<string, number>> = { busy: 2, a: 1 }
      const capacity = new FairCapacity({
        capacity: 1,
        maxWaiting: 10,
        maxWait: Duration.seconds(10),
        exceeded: () => tooMuch,
        recentUse: (member) => taken[member] ?? 0
      })
      let running = yield* ask(capacity, "first")
      const [busy, a, b] = [yield* ask(capacity, "busy"), yield* ask(capacity, "a"), yield* ask(capacity, "b")]
      for (const next of [b, a, busy]) {
        assert.isUndefined(next.result())
        yield* running.release
        yield* Fiber.join(next.fiber)
        running = next
      }
    }))
})
