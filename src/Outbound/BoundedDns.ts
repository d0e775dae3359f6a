import * as NodeDns from "@effect/platform-node/NodeDns"
import { Array, Deferred, Duration, Effect, Layer, Semaphore } from "effect"
import { Dns, type NetAddress } from "effect/net"

/** Leaves two of libuv's four threads for files, compression and hashes. */
const maxThreads = 2

const maxQueries = 256

/** Covers all queries for a name, with their retries. */
const maxQueryTime = Duration.seconds(5)

type Addresses = ReadonlyArray<NetAddress.IpAddress>
type Lookup = Deferred.Deferred<Addresses, Dns.DnsError>

/**
 * For names that others choose. Asks the name servers, which takes no thread, so that slow names delay no others. Names
 * that these do not know are left to the system, which has a hosts file and search domains. That holds a thread until
 * the system's resolver ends: at most two at a time, and one for each name.
 */
export const makeBoundedDns = Effect.gen(function*() {
  const dns = yield* Dns.Dns
  const queries = yield* Semaphore.make(maxQueries)
  const system = yield* makeSystemLookup(dns)

  const ask = Effect.fnUntraced(function* ask(host: string) {
    const records = yield* Effect.all(
      [Effect.result(dns.resolve(host, "A")), Effect.result(dns.resolve(host, "AAAA"))],
      { concurrency: 2 }
    )
    const found = Array.getSuccesses(records).flat().map(({ address }) => address)
    if (found.length > 0) return found
    return yield* Array.getFailures(records).find(({ reason }) => !isUnknown(reason)) ?? Effect.succeed(found)
  })

  const askInTime = (host: string): Effect.Effect<Addresses, Dns.DnsError> =>
    Effect.timeoutOrElse(queries.withPermit(ask(host)), {
      duration: maxQueryTime,
      orElse: () => Effect.fail(new Dns.DnsError({ reason: "Timeout", method: "lookup", hostname: host }))
    })

  return Dns.make({
    lookup: Effect.fnUntraced(function* lookup(host) {
      const found = isLocal(host) ? [] : yield* askInTime(host)
      return found.length > 0 ? found : yield* system(host)
    })
  })
})

const makeSystemLookup = Effect.fnUntraced(function* makeSystemLookup(dns: Dns.Dns["Service"]) {
  const scope = yield* Effect.scope
  const threads = yield* Semaphore.make(maxThreads)
  const running = new Map<string, Lookup>()

  const start = Effect.fnUntraced(function* start(host: string) {
    const lookup: Lookup = Deferred.makeUnsafe()
    running.set(host, lookup)
    yield* Effect.interruptible(dns.lookup(host)).pipe(
      Effect.onExit((exit) => {
        running.delete(host)
        return Effect.andThen(Deferred.done(lookup, exit), threads.release(1))
      }),
      Effect.forkIn(scope)
    )
    return lookup
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

  return Effect.fnUntraced(function* lookUp(host: string) {
    return yield* Deferred.await(running.get(host) ?? (yield* startWhenFree(host)))
  })
})

/** Names of this machine or network, which no one can register. */
const isLocal = (host: string): boolean => !host.includes(".") || host.endsWith(".localhost")

/** The DNS has no such name, or no name server can be reached. */
const isUnknown = (reason: Dns.DnsErrorReason): boolean =>
  reason === "NotFound" || reason === "BadName" || reason === "Refused"

export const BoundedDns = Layer.effect(Dns.Dns, makeBoundedDns).pipe(
  Layer.provide(Layer.effect(Dns.Dns, Effect.orDie(NodeDns.make({ timeout: "1500 millis", tries: 2 }))))
)
