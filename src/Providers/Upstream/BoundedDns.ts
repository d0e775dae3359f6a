import * as NodeDns from "@effect/platform-node/NodeDns"
import { Deferred, Effect, Layer, Semaphore } from "effect"
import { Dns, type NetAddress } from "effect/net"

/** Leaves two of libuv's four threads for files, compression and hashes. */
const maxLookups = 2

type Answer = Deferred.Deferred<ReadonlyArray<NetAddress.IpAddress>, Dns.DnsError>

/**
 * For names that others choose. A look-up holds a thread until the system's resolver ends. At most two run at a time,
 * and one for each name, so that hanging names leave threads to the providers.
 */
export const makeBoundedDns = Effect.gen(function*() {
  const dns = yield* Dns.Dns
  const scope = yield* Effect.scope
  const threads = yield* Semaphore.make(maxLookups)
  const running = new Map<string, Answer>()

  const start = Effect.fnUntraced(function*(host: string) {
    const answer: Answer = Deferred.makeUnsafe()
    running.set(host, answer)
    yield* Effect.interruptible(dns.lookup(host)).pipe(
      Effect.onExit((exit) => {
        running.delete(host)
        return Effect.andThen(Deferred.done(answer, exit), threads.release(1))
      }),
      Effect.forkIn(scope)
    )
    return answer
  })

  const startWhenFree = (host: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        yield* restore(threads.take(1))
        const shared = running.get(host)
        if (shared !== undefined) yield* threads.release(1)
        return shared ?? (yield* start(host))
      })
    )

  return Dns.make({
    lookup: Effect.fnUntraced(function*(host) {
      return yield* Deferred.await(running.get(host) ?? (yield* startWhenFree(host)))
    })
  })
})

export const BoundedDns = Layer.effect(Dns.Dns, makeBoundedDns).pipe(Layer.provide(NodeDns.layer))
