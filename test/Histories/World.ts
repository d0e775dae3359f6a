import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, Deferred, Effect, Layer, Redacted, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { randomBytes } from "node:crypto"
import * as diagnostics from "node:diagnostics_channel"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Origins } from "../../src/Providers/Origins.ts"
import { array } from "../../src/Sql/BulkStatement.ts"
import { DatabaseTime } from "../../src/Sql/Client/DatabaseTime.ts"
import { Invalidation } from "../../src/Sql/Notify/Invalidation.ts"
import { testTime } from "../Sql/At.ts"
import { LoopbackUpstream } from "../support/LoopbackUpstream.ts"
import { RealPostgres } from "../support/RealPostgres.ts"
import { s3Server } from "../support/S3Server.ts"
import { shared } from "../support/Shared.ts"
import { TestDataDir, TestServer } from "../support/TestServer.ts"

const startInstance = (settings: Readonly<Record<string, string>>, upstream: LoopbackUpstream["Service"]) =>
  Layer.build(Layer.fresh(
    TestServer.on({
      origins: Layer.merge(
        Layer.succeed(Origins, ({ id }) => `${upstream.url}/${id}`),
        Layer.succeed(LoopbackUpstream, upstream)
      )
    }, settings).pipe(Layer.provide(TestDataDir.layer))
  ))

type Instance = Effect.Success<ReturnType<typeof startInstance>>
type Services = Instance extends Context.Context<infer Services> ? Services : never

/** Less than the time of the longest statement. */
const longestPass = 4000
const hour = 3_600_000
/** The log has partitions for seven days more, and makes others every hour. */
const sweepAfter = 100 * hour

/** More than the looks during the time limit of a statement. */
const maxLooks = 20_000

/** Threads that work for this one keep a port open. The first is that of the tests. */
const openPorts = () => process.getActiveResourcesInfo().filter((name) => name === "MessagePort").length

const listenTo = (listeners: Readonly<Record<string, diagnostics.ChannelListener>>) =>
  Effect.forEach(Object.entries(listeners), ([name, listener]) =>
    Effect.acquireRelease(
      Effect.sync(() => diagnostics.subscribe(name, listener)),
      () => Effect.sync(() => diagnostics.unsubscribe(name, listener))
    ))

/** Whether a request or an answer is between the clients and the servers of this process, such as on a new connection. */
const onTheWay = Effect.gen(function*() {
  const open = new Set<unknown>()
  const held = new Set<unknown>()
  const ended = (message: unknown) => void open.delete((message as { readonly request: unknown }).request)
  yield* listenTo({
    "undici:request:create": (message) => void open.add((message as { readonly request: unknown }).request),
    "undici:request:trailers": ended,
    "undici:request:error": ended,
    "http.server.request.start": (message) => {
      const { response } = message as { readonly response: ServerResponse }
      held.add(response)
      response.once("close", () => held.delete(response))
    }
  })
  return () => open.size !== held.size
})

/** The ports of this process's connections to the database. */
const connectionPorts = Effect.fnUntraced(function*(database: URL) {
  const connected = new Set<Socket>()
  yield* listenTo({
    "net.client.socket": (message) => {
      const { socket } = message as { readonly socket: Socket }
      socket.once("connect", () => {
        if (socket.remotePort !== Number(database.port)) return
        connected.add(socket)
        socket.once("close", () => connected.delete(socket))
      })
    }
  })
  return () => [...connected].flatMap(({ localPort }) => localPort ?? [])
})

const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

const make = Effect.fnUntraced(function*(more: Readonly<Record<string, string>> = {}) {
  const idlePorts = openPorts()
  const database = Redacted.value(yield* (yield* RealPostgres).createDatabase)
  const isOnTheWay = yield* onTheWay
  const ports = yield* connectionPorts(new URL(database))
  const testContext = yield* Layer.build(TestClock.layer({ warningDelay: "1 day" }))
  const timers = Context.get(testContext, Clock.Clock)
  let offset = Date.UTC(2026, 2, 10, 12)
  const millis = () => timers.currentTimeMillisUnsafe() + offset
  const clock = { ...timers, currentTimeMillisUnsafe: millis, currentTimeMillis: Effect.sync(millis) }
  const at = Effect.provideContext(
    testContext.pipe(Context.add(Clock.Clock, clock), Context.add(DatabaseTime, testTime))
  )
  let unswept = 0
  const upstream = yield* LoopbackUpstream.make
  const bucket = yield* s3Server
  const settings = {
    ...bucket.settings,
    DATABASE_URL: database,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ADMIN_TOKEN: randomBytes(32).toString("base64url"),
    RATE_LIMIT: "100000/second",
    LOG_LEVEL: "error",
    ...more
  }
  const first = yield* at(startInstance(settings, upstream))
  const instances = [first, yield* at(startInstance(settings, upstream))] as const
  const sql = Context.get(first, SqlClient.SqlClient)

  /**
   * Until both instances wait for a time, for the provider or for nothing. What is on its way would arrive later than it
   * was sent.
   */
  const settled = Effect.gen(function*() {
    let calm = 0
    let busy: ReadonlyArray<unknown> = []
    for (let looks = 0; looks < maxLooks; looks++) {
      yield* Effect.replicateEffect(turn, 10, { discard: true })
      busy = openPorts() > idlePorts ? ["a thread"] : yield* sql`
        SELECT state, wait_event_type, wait_event, query FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'
          AND state IS DISTINCT FROM 'idle' AND pid <> pg_backend_pid()
        UNION ALL
        SELECT 'starting', NULL, NULL, port::text FROM unnest(${array(ports(), PgTypes.OID.int4)}) AS port
        WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE client_port = port AND datname IS NOT NULL)`
      // A statement that ended during this look may have let a request go.
      if (isOnTheWay()) busy = ["a request"]
      calm = busy.length === 0 ? calm + 1 : 0
      if (calm === 3) return
      if (calm === 0) yield* Effect.sleep("2 millis")
    }
    return yield* Effect.die(new Error(`The instances are always busy: ${JSON.stringify(busy)}`))
  }).pipe(Effect.orDie)

  /** No time passes meanwhile, so the effect must not wait for any. */
  const still = Semaphore.makeUnsafe(1).withPermits(1)

  /** No statement runs meanwhile: its time is that of the database. */
  const adjust = (millis: number) => still(Effect.andThen(settled, at(TestClock.adjust(millis))))

  let told = 0

  /** Until both instances have heard what was told before: notices arrive in their order. This one is of no cache. */
  const heard = Effect.gen(function*() {
    const id = `heard-${++told}`
    const both = yield* Effect.forEach(instances, (instance) =>
      Effect.gen(function*() {
        const arrived = yield* Deferred.make<void>()
        yield* Context.get(instance, Invalidation).subscribe((row) => {
          // All is forgotten after a connection was lost.
          if (row === undefined || row.id === id) Deferred.doneUnsafe(arrived, Effect.void)
        })
        return Deferred.await(arrived)
      }))
    yield* sql`SELECT pg_notify('openaccounts_changes', ${`sessions ${id}`})`
    yield* Effect.all(both, { discard: true })
    yield* settled
  }).pipe(Effect.scoped, Effect.orDie)

  return {
    instances,
    upstream,
    at,
    now: at(Clock.currentTimeMillis),
    settled,
    heard,
    still,
    tick: adjust(200),
    /** The clock jumps where it is long, as for a process that was paused: timers go on from where they are. */
    pass: (millis: number) =>
      Effect.gen(function*() {
        yield* settled
        const passing = Math.min(millis, longestPass)
        offset += millis - passing
        unswept += millis
        // An instance that was paused learns that it has lost its leases.
        for (let left = passing; left > 0; left -= 1000) yield* adjust(Math.min(left, 1000))
        if (unswept >= sweepAfter) {
          unswept = 0
          yield* adjust(hour)
        }
        yield* settled
      })
  }
})

/** Two instances on one database and one clock, and one upstream that stands for every provider. */
export class World extends Context.Service<World, Effect.Success<ReturnType<typeof make>>>()(
  "openaccounts/test/Histories/World"
) {
  static readonly make = (settings?: Readonly<Record<string, string>>) =>
    Layer.effect(World, make(settings)).pipe(Layer.provide(RealPostgres.layer))

  /** The one that the test files of a worker share. */
  static readonly layer = shared(World.make())
}

export type Which = 0 | 1

export const which = fc.constantFrom<Which>(0, 1)

export const inInstance = <A, E, R>(which: Which, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    World,
    ({ at, instances }) =>
      at(Effect.provideContext(effect, instances[which])) as Effect.Effect<A, E, Exclude<R, Services> | World>
  )
