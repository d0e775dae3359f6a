import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Dns, NetAddress } from "effect/net"
import { TestClock } from "effect/testing"
import { makeBoundedDns } from "../../src/Outbound/BoundedDns.ts"

const address = NetAddress.ipFromStringUnsafe("192.0.2.1")

const unknown = (hostname: string) => Effect.fail(new Dns.DnsError({ reason: "NotFound", method: "resolve", hostname }))

/** The system's resolver. The name servers know no name. */
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
      }),
    resolve: unknown
  })
  const bounded = yield* Effect.provideService(makeBoundedDns, Dns.Dns, dns)
  return {
    hosts: () => asked.map(({ host }) => host),
    answer: (index: number) =>
      Effect.andThen(
        Effect.suspend(() => Deferred.succeed((asked[index] ?? assert.fail()).answer, [address])),
        settled
      ),
    lookup: (host: string) => Effect.forkChild(bounded.lookup(host)).pipe(Effect.tap(settled))
  }
})

const settled = Effect.replicateEffect(Effect.yieldNow, 100, { discard: true })

const knowing = (answers: Readonly<Record<string, Effect.Effect<ReadonlyArray<Dns.DnsRecord>, Dns.DnsError>>>) =>
  Effect.provideService(
    makeBoundedDns,
    Dns.Dns,
    Dns.make({
      lookup: (host) => host === "files" || host === "app.localhost" ? Effect.succeed([address]) : Effect.never,
      resolve: (host, type) => answers[`${type} ${host}`] ?? unknown(host)
    })
  )

const a = Effect.succeed([Dns.makeRecordUnsafe("A", { address: NetAddress.ipv4Loopback })])

describe("Look-ups of names that others choose", () => {
  it.effect("are not held up by slow names, which fail after five seconds", () =>
    Effect.gen(function*() {
      const slow = Array.from({ length: 100 }, (_, at) => `slow-${at}.example`)
      const { lookup } = yield* knowing({
        "A fast.example": a,
        ...Object.fromEntries(slow.flatMap((name) => [[`A ${name}`, Effect.never], [`AAAA ${name}`, Effect.never]]))
      })
      const waiting = yield* Effect.forEach(slow, (name) => Effect.forkChild(Effect.flip(lookup(name))))
      yield* settled
      assert.deepStrictEqual((yield* lookup("fast.example")).map(NetAddress.formatIp), ["127.0.0.1"])
      yield* TestClock.adjust("5 seconds")
      for (const fiber of waiting) assert.strictEqual((yield* Fiber.join(fiber)).reason, "Timeout")
    }))

  it.effect("go to the system for names of the machine, and for those that the DNS does not know", () =>
    Effect.gen(function*() {
      const { lookup } = yield* knowing({ "A files": a })
      for (const name of ["files", "app.localhost"]) {
        assert.deepStrictEqual((yield* lookup(name)).map(NetAddress.formatIp), ["192.0.2.1"])
      }
    }))

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
})
