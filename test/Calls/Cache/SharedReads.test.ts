import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { makeSharedReads } from "../../../src/Calls/Cache/SharedReads.ts"
import { makeCapacity, type Share } from "../../../src/Capacity/Capacity.ts"

const megabyte = 1_000_000

const fixture = Effect.gen(function*() {
  const scope = yield* Effect.scope
  const readShared = yield* makeSharedReads<string, string>((error) => error !== "only for you")
  const { open } = makeCapacity({ calls: 1, largest: 10 * megabyte })
  const begun: Array<Deferred.Deferred<string, string>> = []
  let writtenAt = -1
  let interrupted = 0
  const read = (share: Share) =>
    Effect.suspend(() => {
      const end = Deferred.makeUnsafe<string, string>()
      begun.push(end)
      return Effect.andThen(
        Effect.orDie(share.reserve("body", megabyte)),
        Effect.onInterrupt(Deferred.await(end), () => Effect.sync(() => interrupted++))
      )
    })
  const call = (key: string, calls = scope) =>
    readShared(key, read, open("member", calls), (startedAt) => Effect.succeed(writtenAt >= startedAt)).pipe(
      Effect.forkChild({ startImmediately: true })
    )
  return {
    begun,
    interrupted: () => interrupted,
    write: Effect.gen(function*() {
      yield* TestClock.adjust("1 second")
      writtenAt = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      yield* TestClock.adjust("1 second")
    }),
    /** In a call that does not end. */
    ask: (key: string) => call(key),
    call,
    /** Whether nothing is reserved. */
    isReleased: Effect.scopedWith(Effect.fnUntraced(function*(scope) {
      const whole = yield* Effect.forkChild(open("another", scope).reserve("body", 20 * megabyte), {
        startImmediately: true
      })
      const isGranted = whole.pollUnsafe() !== undefined
      yield* Fiber.interrupt(whole)
      return isGranted
    })),
    end: (index: number, exit: Exit.Exit<string, string>) =>
      Deferred.done(begun[index] ?? assert.fail(`no read ${index}`), exit)
  }
})

it.effect("identical reads in flight share one request, and each knows whether it is shared", () =>
  Effect.gen(function*() {
    const { ask, begun, end } = yield* fixture
    const [first, second, other] = [yield* ask("a"), yield* ask("a"), yield* ask("b")]
    assert.strictEqual(begun.length, 2)
    yield* end(0, Exit.succeed("answer"))
    assert.deepStrictEqual(yield* Fiber.join(first), ["answer", false])
    assert.deepStrictEqual(yield* Fiber.join(second), ["answer", true])
    yield* end(1, Exit.succeed("another"))
    assert.deepStrictEqual(yield* Fiber.join(other), ["another", false])
  }))

it.effect("a failure is shared and not kept", () =>
  Effect.gen(function*() {
    const { ask, begun, end } = yield* fixture
    const asking = [yield* ask("a"), yield* ask("a")]
    yield* end(0, Exit.fail("no"))
    for (const fiber of asking) assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail("no"))
    yield* ask("a")
    assert.strictEqual(begun.length, 2)
  }))

it.effect("a failure that concerns only the caller who began the read lets the others read for themselves", () =>
  Effect.gen(function*() {
    const { ask, begun, end } = yield* fixture
    const [first, ...others] = [yield* ask("a"), yield* ask("a"), yield* ask("a")]
    yield* end(0, Exit.fail("only for you"))
    assert.deepStrictEqual(yield* Fiber.await(first), Exit.fail("only for you"))
    yield* Effect.yieldNow
    assert.strictEqual(begun.length, 2)
    yield* end(1, Exit.succeed("answer"))
    assert.deepStrictEqual(yield* Fiber.joinAll(others), [["answer", false], ["answer", true]])
  }))

it.effect("a read after a write shares only a read that began after the write", () =>
  Effect.gen(function*() {
    const { ask, begun, end, write } = yield* fixture
    const before = yield* ask("a")
    yield* write
    const after = [yield* ask("a"), yield* ask("a")]
    assert.strictEqual(begun.length, 2)
    yield* end(0, Exit.succeed("old"))
    const late = yield* ask("a")
    assert.strictEqual(begun.length, 2)
    yield* end(1, Exit.succeed("new"))
    assert.deepStrictEqual(yield* Fiber.join(before), ["old", false])
    assert.deepStrictEqual(yield* Fiber.joinAll([...after, late]), [["new", false], ["new", true], ["new", true]])
  }))

it.effect("a read continues when the caller that began it is interrupted", () =>
  Effect.gen(function*() {
    const { ask, end } = yield* fixture
    const [first, second] = [yield* ask("a"), yield* ask("a")]
    yield* Fiber.interrupt(first)
    yield* end(0, Exit.succeed("answer"))
    assert.deepStrictEqual(yield* Fiber.join(second), ["answer", true])
  }))

it.effect("a read ends when all its callers are interrupted, and the next caller begins another", () =>
  Effect.gen(function*() {
    const { ask, begun, end, interrupted } = yield* fixture
    const asking = [yield* ask("a"), yield* ask("a")]
    yield* Fiber.interruptAll(asking)
    assert.strictEqual(interrupted(), 1)
    const next = yield* ask("a")
    assert.strictEqual(begun.length, 2)
    yield* end(1, Exit.succeed("answer"))
    assert.deepStrictEqual(yield* Fiber.join(next), ["answer", false])
  }))

it.effect("the memory of a read is held until the calls of all its callers end", () =>
  Effect.gen(function*() {
    const { call, end, isReleased } = yield* fixture
    const [first, second] = [yield* Scope.make(), yield* Scope.make()]
    const leader = yield* call("a", first)
    const other = yield* call("a", second)
    yield* Fiber.interrupt(leader)
    yield* Scope.close(first, Exit.void)
    yield* end(0, Exit.succeed("answer"))
    yield* Fiber.join(other)
    assert.isFalse(yield* isReleased)
    yield* Scope.close(second, Exit.void)
    assert.isTrue(yield* isReleased)
  }))
