import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../../src/Sql/BulkInsert.ts"
import { type Child, start } from "./Children.ts"
import { fillLog } from "./FillLog.ts"
import { type Account, countMissing, startService, type Storage } from "./Service.ts"
import {
  cachedRead,
  type Exchange,
  largeRead,
  logPage,
  smallRead,
  unchangedRead,
  upstreamRead,
  write
} from "./Workload.ts"

/** What scenarios are played on. */
export interface Stage {
  readonly storage: Storage
  readonly upstream: Child
  /** The database of the hand-written gateway. */
  readonly gatewayUrl: string
  /** Has a connection to every provider of the workload; the other has none, and few calls. */
  readonly account: Account
  readonly rare: Account
  /** How many calls the log holds where pages of it are read. */
  readonly rows: number
}

const service = Effect.fnUntraced(function*({ account: { key }, storage, upstream }: Stage) {
  const child = yield* startService(storage, upstream.url)
  return (name: string, exchange: Exchange) => ({
    name,
    child,
    exchange,
    key,
    missing: (callIds: ReadonlyArray<string>) => countMissing(child.url, key, callIds)
  })
})

const gatewayKey = "oa_benchmarkbenchmarkbenchmarkbenchmark00"

const gateway = Effect.fnUntraced(function*({ gatewayUrl, upstream }: Stage, exchange: Exchange) {
  const child = yield* start({
    script: "scripts/bench/gateway/Gateway.ts",
    args: [gatewayUrl, upstream.url, gatewayKey, "ya29.bench-access-token-0123456789"]
  })
  const missing = Effect.fnUntraced(
    function*(callIds: ReadonlyArray<string>) {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly found: number }>`
      SELECT count(*)::int AS found FROM calls WHERE id = ANY(${textArray(callIds)})`
      return callIds.length - (rows[0]?.found ?? 0)
    },
    Effect.provide(PgClient.layer({ url: Redacted.make(gatewayUrl) })),
    Effect.orDie
  )
  return { name: "fastify gateway", child, exchange, key: gatewayKey, missing }
})

const proxy = Effect.fnUntraced(function*({ upstream }: Stage) {
  const child = yield* start({ script: "scripts/bench/Proxy.ts", args: [upstream.url] })
  return { name: "bare proxy", child, exchange: upstreamRead }
})

const againstGateway = (exchange: Exchange) =>
  Effect.fnUntraced(function*(stage: Stage) {
    const ours = yield* service(stage)
    return [ours("openaccounts", exchange), yield* gateway(stage, exchange)]
  })

const small = Effect.fnUntraced(function*(stage: Stage) {
  return [...(yield* againstGateway(smallRead)(stage)), yield* proxy(stage)]
})

const latency = Effect.fnUntraced(function*(stage: Stage) {
  const ours = yield* service(stage)
  return [
    ours("openaccounts", smallRead),
    yield* gateway(stage, smallRead),
    { name: "upstream", child: stage.upstream, exchange: upstreamRead }
  ]
})

const cached = Effect.fnUntraced(function*(stage: Stage) {
  const ours = yield* service(stage)
  return [ours("cached", cachedRead), ours("not cached", smallRead)]
})

const logs = Effect.fnUntraced(function*(stage: Stage) {
  const { account, rare, rows, storage, upstream } = stage
  const { deep, middle } = yield* fillLog(storage, rows, account, rare)
  const child = yield* startService(storage, upstream.url)
  const page = (name: string, query: string, key = account.key) => ({ name, child, exchange: logPage(query), key })
  return [
    page("first page", ""),
    page("middle page", `?cursor=${middle}`),
    page("deep page", `?cursor=${deep}`),
    page("200 entries", `?limit=200&cursor=${middle}`),
    page("errors only", "?outcome=error"),
    page("rare client", "", rare.key)
  ]
})

/** `yardstick` is the subject that the others are held against. */
export const scenarios = {
  small: { title: "Small read: 25 rows", connections: 32, yardstick: "fastify gateway", subjects: small },
  unchanged: {
    title: "Small read of what has not changed since",
    connections: 32,
    yardstick: "fastify gateway",
    subjects: againstGateway(unchangedRead)
  },
  latency: {
    title: "Small read: what is added to the upstream",
    connections: 1,
    yardstick: "upstream",
    subjects: latency
  },
  cached: { title: "Cached read", connections: 32, yardstick: "not cached", subjects: cached },
  write: { title: "Write", connections: 32, yardstick: "fastify gateway", subjects: againstGateway(write) },
  large: { title: "10 MB read", connections: 8, yardstick: "fastify gateway", subjects: againstGateway(largeRead) },
  logs: { title: "A page of the log", connections: 1, yardstick: undefined, subjects: logs }
} as const
export type ScenarioName = keyof typeof scenarios
