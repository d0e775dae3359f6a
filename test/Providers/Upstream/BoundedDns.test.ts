import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Dns, NetAddress } from "effect/net"
import { makeBoundedDns } from "../../../src/Providers/Upstream/BoundedDns.ts"

const resolver = Effect.gen(function*() {
  const asked: Array<
    { readonly host: string; readonly answer: Deferred.Deferred<ReadonlyArray<NetAddress.IpAddress>> }
  > = []
  const dns = Dns.make({
    lookup: (host) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<ReadonlyArray<NetAddress.IpAddress>>()
        asked.push({ host, answer })
        return Effect.uninterruptible(Deferred.await(answer))
      })
  })
  const bounded = yield* Effect.provideService(makeBoundedDns, Dns.Dns, dns)
  return {
    hosts: () => asked.map(({ host }) => host),
    answer: (index: number) =>
      Effect.andThen(
        Effect.suspend(() =>
          Deferred.succeed((asked[index] ?? assert.fail()).answer, [NetAddress.ipFromStringUnsafe("192.0.2.1")])
        ),
        settled
      ),
    lookup: (host: string) => Effect.forkChild(bounded.lookup(host)).pipe(Effect.tap(settled))
  }
})

const settled = Effect.replicateEffect(Effect.yieldNow, 100, { discard: true })

describe("Look-ups of names that others choose", () => {
  it.effect("hold at most two threads, also when their callers have given up", () =>
    Effect.gen(function*() {
      const { answer, hosts, lookup } = yield* resolver
      const waiting = yield* Effect.forEach(["a.example", "b.example", "c.example", "d.example"], lookup)
      assert.deepStrictEqual(hosts(), ["a.example", "b.example"])
      yield* Fiber.interruptAll(waiting.slice(0, 3))
      const last = yield* lookup("e.example")
      assert.deepStrictEqual(hosts(), ["a.example", "b.example"])
      yield* answer(0)
      assert.deepStrictEqual(hosts(), ["a.example", "b.example", "d.example"])
      yield* answer(2)
      assert.deepStrictEqual(hosts(), ["a.example", "b.example", "d.example", "e.example"])
      yield* answer(1)
      yield* answer(3)
      for (const fiber of [waiting[3] ?? assert.fail(), last]) {
        assert.deepStrictEqual((yield* Fiber.join(fiber)).map(NetAddress.formatIp), ["192.0.2.1"])
      }
    }))

  it.effect("share the look-up of their name while it is under way", () =>
    Effect.gen(function*() {
      const { answer, hosts, lookup } = yield* resolver
      const fibers = yield* Effect.forEach(["a.example", "b.example", "a.example", "c.example", "c.example"], lookup)
      assert.deepStrictEqual(hosts(), ["a.example", "b.example"])
      yield* answer(0)
      yield* answer(1)
      assert.deepStrictEqual(hosts(), ["a.example", "b.example", "c.example"])
      yield* answer(2)
      for (const fiber of fibers) assert.lengthOf(yield* Fiber.join(fiber), 1)
      const again = yield* lookup("a.example")
      yield* answer(3)
      assert.lengthOf(yield* Fiber.join(again), 1)
    }))
})
