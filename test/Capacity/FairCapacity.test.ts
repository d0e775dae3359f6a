import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { FairCapacity } from "../../src/Capacity/FairCapacity.ts"

const sharesOf = (capacity: number, maxWaiting = 10) =>
  new FairCapacity({ capacity, maxWaiting, maxWait: Duration.seconds(10) })

const takeAll = (shares: FairCapacity, member: string, amount = 1): number => {
  let taken = 0
  while (shares.tryTake(member, amount)) taken++
  return taken
}

const ask = (shares: FairCapacity, member: string, amount = 1) => {
  const share = shares.open(member)
  return Effect.map(
    Effect.forkChild(Effect.result(share.take(amount)), { startImmediately: true }),
    (fiber) => ({ share, fiber })
  )
}

describe("A member", () => {
  it("alone has half of the capacity, and leaves the others as much as it has", () => {
    const shares = sharesOf(100)
    assert.strictEqual(takeAll(shares, "a"), 50)
    assert.strictEqual(takeAll(shares, "b"), 25)
    assert.strictEqual(takeAll(shares, "c"), 12)
  })

  it("that holds nothing gets something until nothing is left", () => {
    const shares = sharesOf(8)
    const taken = Array.from({ length: 10 }, (_, member) => takeAll(shares, `${member}`))
    assert.deepStrictEqual(taken, [4, 2, 1, 1, 0, 0, 0, 0, 0, 0])
  })

  it("can take again what it gave back", () => {
    const shares = sharesOf(4)
    const share = shares.open("a")
    for (let round = 0; round < 10; round++) {
      Effect.runSync(share.take(2))
      share.release()
      share.release()
    }
    assert.strictEqual(takeAll(shares, "a"), 2)
  })

  it.effect("gets at most the whole capacity", () =>
    Effect.gen(function*() {
      const share = sharesOf(4).open("a")
      yield* share.take(1000)
      assert.strictEqual(share.held, 4)
    }))

  it.effect("that waits takes turns with the others", () =>
    Effect.gen(function*() {
      const shares = sharesOf(1)
      const first = shares.open("a")
      yield* first.take(1)
      const order: Array<string> = []
      const asking = yield* Effect.forEach(["a", "a", "a", "b", "c", "b"], (member) => {
        const share = shares.open(member)
        return Effect.forkChild(
          Effect.map(share.take(1), () => {
            order.push(member)
            return share
          }),
          { startImmediately: true }
        )
      })
      first.release()
      for (let turn = 1; turn <= asking.length; turn++) {
        yield* Effect.yieldNow
        assert.strictEqual(order.length, turn)
        const done = asking.filter((fiber) => fiber.pollUnsafe() !== undefined)
        for (const fiber of done) (yield* Fiber.join(fiber)).release()
      }
      assert.deepStrictEqual(order, ["a", "b", "c", "a", "b", "a"])
    }))

  it.effect("waits ten seconds at most, and then leaves nothing behind", () =>
    Effect.gen(function*() {
      const shares = sharesOf(2)
      assert.strictEqual(takeAll(shares, "a"), 1)
      const { fiber, share } = yield* ask(shares, "a")
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
      assert.strictEqual(share.held, 0)
      shares.giveBack("a", 1)
      assert.strictEqual(takeAll(shares, "a"), 1)
    }))

  it.effect("with too many waiting requests is refused at once, and others are not", () =>
    Effect.gen(function*() {
      const shares = sharesOf(2, 1)
      assert.strictEqual(takeAll(shares, "a"), 1)
      yield* ask(shares, "a")
      const { fiber } = yield* ask(shares, "a")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
      const other = yield* ask(shares, "b")
      assert.strictEqual((yield* Fiber.join(other.fiber))._tag, "Success")
    }))

  it.effect("that leaves while it waits lets the next one in", () =>
    Effect.gen(function*() {
      const shares = sharesOf(10)
      yield* shares.open("a").take(4)
      const large = yield* ask(shares, "a", 5)
      const small = yield* ask(shares, "a", 1)
      assert.isUndefined(small.fiber.pollUnsafe())
      yield* Fiber.interrupt(large.fiber)
      assert.strictEqual((yield* Fiber.join(small.fiber))._tag, "Success")
    }))
})
