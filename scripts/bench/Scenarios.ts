import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../../src/Sql/BulkStatement.ts"
import type { fillLog } from "./FillLog.ts"
import { type NodeProcess, startProcess } from "./NodeProcess.ts"
import { type Account, countMissing, startService, type Storage } from "./Service.ts"
import {
  cachedRead,
  largeRead,
  logPage,
  smallRead,
  toolCall,
  unchangedRead,
  upstreamRead,
  type Workload,
  write
} from "./Workload.ts"

export interface Environment {
  readonly storage: Storage
  readonly upstream: NodeProcess
  readonly gatewayUrl: string
  readonly account: Account
  readonly rare: Account
  readonly filledLog: ReturnType<typeof fillLog>
  /** The service on a Postgres server, when `storage` is the embedded database. */
  readonly onServer: Pick<Environment, "storage" | "account"> | undefined
  /** Of the checkout. `undefined` for this one. */
  readonly folder: string | undefined
  /** Of another checkout. */
  readonly against: Environment | undefined
}

const service = Effect.fnUntraced(function*({ account: { key }, folder, storage, upstream }: Environment) {
  const process = yield* startService(storage, upstream.url, { folder })
  return (name: string, workload: Workload) => ({
    name,
    process,
    workload,
    key,
    countMissing: (callIds: ReadonlyArray<string>) => countMissing(process.url, key, callIds)
  })
})

/** Names of the gateway: with an insert for each call, and with one for all calls that end during the last. */
export const oneInsertACall = "fastify gateway"
export const groupCommit = "fastify, group commit"

const gatewayKey = "oa_benchmarkbenchmarkbenchmarkbenchmark00"

const gateway = Effect.fnUntraced(function*(
  { gatewayUrl, upstream }: Environment,
  workload: Workload,
  commit: "each" | "group" = "each"
) {
  const process = yield* startProcess({
    script: "scripts/bench/gateway/Gateway.ts",
    args: [gatewayUrl, upstream.url, gatewayKey, "ya29.bench-access-token-0123456789", commit]
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
  const name = commit === "each" ? oneInsertACall : groupCommit
  return { name, process, workload, key: gatewayKey, countMissing: countMissingRows }
})

const proxy = Effect.fnUntraced(function*({ upstream }: Environment) {
  const process = yield* startProcess({ script: "scripts/bench/Proxy.ts", args: [upstream.url] })
  return { name: "bare proxy", process, workload: upstreamRead }
})

const compareWithGateway = (workload: Workload) =>
  Effect.fnUntraced(function*(environment: Environment) {
    const makeSubject = yield* service(environment)
    return [makeSubject("openaccounts", workload), yield* gateway(environment, workload)]
  })

const small = Effect.fnUntraced(function*(environment: Environment) {
  return [
    ...(yield* compareWithGateway(smallRead)(environment)),
    yield* gateway(environment, smallRead, "group"),
    yield* proxy(environment)
  ]
})

const latency = Effect.fnUntraced(function*(environment: Environment) {
  const makeSubject = yield* service(environment)
  return [
    makeSubject("openaccounts", smallRead),
    yield* gateway(environment, smallRead),
    { name: "upstream", process: environment.upstream, workload: upstreamRead }
  ]
})

const cached = Effect.fnUntraced(function*(environment: Environment) {
  const makeSubject = yield* service(environment)
  return [makeSubject("cached", cachedRead), makeSubject("not cached", smallRead)]
})

const cachedLatency = Effect.fnUntraced(function*(environment: Environment) {
  return [...(yield* cached(environment)), yield* gateway(environment, smallRead)]
})

const tool = Effect.fnUntraced(function*(environment: Environment) {
  const makeSubject = yield* service(environment)
  return [makeSubject("tool", toolCall), makeSubject("endpoint", smallRead)]
})

const embedded = Effect.fnUntraced(function*(environment: Environment) {
  const makeSubject = yield* service(environment)
  const { onServer } = environment
  if (onServer === undefined) return [makeSubject("embedded", smallRead)]
  const makeOther = yield* service({ ...environment, ...onServer })
  return [makeSubject("embedded", smallRead), makeOther("postgres", smallRead)]
})

export const fastifyPages = "fastify"

const logPages = Effect.fnUntraced(function*(environment: Environment) {
  const { account: { clientId, key }, filledLog, storage, upstream } = environment
  yield* filledLog
  const workload = logPage("")
  const page = { name: "openaccounts", process: yield* startService(storage, upstream.url), workload, key }
  if (storage.kind === "embedded") return [page]
  const process = yield* startProcess({
    script: "scripts/bench/gateway/Pages.ts",
    args: [storage.url, key, clientId]
  })
  return [page, { name: fastifyPages, process, workload, key }]
})

const logs = Effect.fnUntraced(function*({ account, filledLog, rare, storage, upstream }: Environment) {
  const { deep, middle } = yield* filledLog
  const process = yield* startService(storage, upstream.url)
  const page = (name: string, query: string, key = account.key) => ({ name, process, workload: logPage(query), key })
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
  function*(environment: Environment, against: Environment, workload: Workload) {
    const [makeSubject, makeOther] = [yield* service(environment), yield* service(against)]
    return [makeSubject("this checkout", workload), makeOther(otherCheckout, workload)]
  }
)

/** `baseline` is the subject that the others are compared with, `workload` is compared for two checkouts. */
export const scenarios = {
  small: {
    title: "Small read: 25 rows",
    connections: 32,
    baseline: oneInsertACall,
    workload: smallRead,
    subjects: small
  },
  unchanged: {
    title: "Small read, unchanged data",
    connections: 32,
    baseline: oneInsertACall,
    workload: unchangedRead,
    subjects: compareWithGateway(unchangedRead)
  },
  latency: {
    title: "Small read, latency on one connection",
    connections: 1,
    baseline: "upstream",
    workload: smallRead,
    subjects: latency
  },
  cached: { title: "Cached read", connections: 32, baseline: "not cached", workload: cachedRead, subjects: cached },
  "cached-latency": {
    title: "Cached read, latency on one connection",
    connections: 1,
    baseline: "not cached",
    workload: cachedRead,
    subjects: cachedLatency
  },
  write: {
    title: "Write",
    connections: 32,
    baseline: oneInsertACall,
    workload: write,
    subjects: compareWithGateway(write)
  },
  large: {
    title: "10 MB read",
    connections: 8,
    baseline: oneInsertACall,
    workload: largeRead,
    subjects: compareWithGateway(largeRead)
  },
  tool: {
    title: "A tool that makes two requests, and the endpoint",
    connections: 32,
    baseline: "endpoint",
    workload: toolCall,
    subjects: tool
  },
  embedded: {
    title: "Small read, embedded database and Postgres",
    connections: 32,
    baseline: "postgres",
    workload: smallRead,
    subjects: embedded
  },
  "log-page": {
    title: "The first page of the log, one connection",
    connections: 1,
    baseline: fastifyPages,
    workload: undefined,
    subjects: logPages
  },
  "log-pages": {
    title: "The first page of the log",
    connections: 32,
    baseline: fastifyPages,
    workload: undefined,
    subjects: logPages
  },
  logs: { title: "A page of the log", connections: 1, baseline: undefined, workload: undefined, subjects: logs }
} as const
export type ScenarioName = keyof typeof scenarios
