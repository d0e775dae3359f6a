import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../../src/Sql/BulkInsert.ts"
import { fillLog } from "./FillLog.ts"
import { type NodeProcess, startProcess } from "./NodeProcess.ts"
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

export interface Environment {
  readonly storage: Storage
  readonly upstream: NodeProcess
  readonly gatewayUrl: string
  readonly account: Account
  readonly rare: Account
  readonly rows: number
  readonly against: string | undefined
}

const service = Effect.fnUntraced(function*({ account: { key }, storage, upstream }: Environment, folder?: string) {
  const process = yield* startService(storage, upstream.url, { folder })
  return (name: string, exchange: Exchange) => ({
    name,
    process,
    exchange,
    key,
    countMissing: (callIds: ReadonlyArray<string>) => countMissing(process.url, key, callIds)
  })
})

const gatewayKey = "oa_benchmarkbenchmarkbenchmarkbenchmark00"

const gateway = Effect.fnUntraced(function*({ gatewayUrl, upstream }: Environment, exchange: Exchange) {
  const process = yield* startProcess({
    script: "scripts/bench/gateway/Gateway.ts",
    args: [gatewayUrl, upstream.url, gatewayKey, "ya29.bench-access-token-0123456789"]
  })
  const countMissingRows = Effect.fnUntraced(
    function*(callIds: ReadonlyArray<string>) {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly found: number }>`
      SELECT count(*)::int AS found FROM calls WHERE id = ANY(${textArray(callIds)})`
      return callIds.length - (rows[0]?.found ?? 0)
    },
    Effect.provide(PgClient.layer({ url: Redacted.make(gatewayUrl) })),
    Effect.orDie
  )
  return { name: "fastify gateway", process, exchange, key: gatewayKey, countMissing: countMissingRows }
})

const proxy = Effect.fnUntraced(function*({ upstream }: Environment) {
  const process = yield* startProcess({ script: "scripts/bench/Proxy.ts", args: [upstream.url] })
  return { name: "bare proxy", process, exchange: upstreamRead }
})

const compareWithGateway = (exchange: Exchange) =>
  Effect.fnUntraced(function*(environment: Environment) {
    const makeSubject = yield* service(environment)
    return [makeSubject("openaccounts", exchange), yield* gateway(environment, exchange)]
  })

const small = Effect.fnUntraced(function*(environment: Environment) {
  return [...(yield* compareWithGateway(smallRead)(environment)), yield* proxy(environment)]
})

const latency = Effect.fnUntraced(function*(environment: Environment) {
  const makeSubject = yield* service(environment)
  return [
    makeSubject("openaccounts", smallRead),
    yield* gateway(environment, smallRead),
    { name: "upstream", process: environment.upstream, exchange: upstreamRead }
  ]
})

const cached = Effect.fnUntraced(function*(environment: Environment) {
  const makeSubject = yield* service(environment)
  return [makeSubject("cached", cachedRead), makeSubject("not cached", smallRead)]
})

const logs = Effect.fnUntraced(function*(environment: Environment) {
  const { account, rare, rows, storage, upstream } = environment
  const { deep, middle } = yield* fillLog(storage, rows, account, rare)
  const process = yield* startService(storage, upstream.url)
  const page = (name: string, query: string, key = account.key) => ({ name, process, exchange: logPage(query), key })
  return [
    page("first page", ""),
    page("middle page", `?cursor=${middle}`),
    page("deep page", `?cursor=${deep}`),
    page("200 entries", `?limit=200&cursor=${middle}`),
    page("errors only", "?outcome=error"),
    page("rare client", "", rare.key)
  ]
})

export const otherCheckout = "other checkout"

export const compareCheckouts = Effect.fnUntraced(
  function*(environment: Environment, against: string, exchange: Exchange) {
    const [makeSubject, makeOther] = [yield* service(environment), yield* service(environment, against)]
    return [makeSubject("this checkout", exchange), makeOther(otherCheckout, exchange)]
  }
)

/** `baseline` is the subject that the others are compared with, `exchange` is compared for two checkouts. */
export const scenarios = {
  small: {
    title: "Small read: 25 rows",
    connections: 32,
    baseline: "fastify gateway",
    exchange: smallRead,
    subjects: small
  },
  unchanged: {
    title: "Small read, unchanged data",
    connections: 32,
    baseline: "fastify gateway",
    exchange: unchangedRead,
    subjects: compareWithGateway(unchangedRead)
  },
  latency: {
    title: "Small read, latency on one connection",
    connections: 1,
    baseline: "upstream",
    exchange: smallRead,
    subjects: latency
  },
  cached: { title: "Cached read", connections: 32, baseline: "not cached", exchange: cachedRead, subjects: cached },
  "cached-latency": {
    title: "Cached read, latency on one connection",
    connections: 1,
    baseline: "not cached",
    exchange: cachedRead,
    subjects: cached
  },
  write: {
    title: "Write",
    connections: 32,
    baseline: "fastify gateway",
    exchange: write,
    subjects: compareWithGateway(write)
  },
  large: {
    title: "10 MB read",
    connections: 8,
    baseline: "fastify gateway",
    exchange: largeRead,
    subjects: compareWithGateway(largeRead)
  },
  logs: { title: "A page of the log", connections: 1, baseline: undefined, exchange: undefined, subjects: logs }
} as const
export type ScenarioName = keyof typeof scenarios
