import { Console, Effect } from "effect"
import type { HttpClient } from "effect/http"
import { type Child, load } from "./Children.ts"
import { cpuTime } from "./Proc.ts"
import type { Exchange } from "./Workload.ts"

/** Something that is measured. */
export interface Subject {
  readonly name: string
  readonly child: Child
  readonly exchange: Exchange
  readonly key?: string
  /** How many of these calls have no row in the log; absent where nothing is logged. */
  readonly missing?: (callIds: ReadonlyArray<string>) => Effect.Effect<number, never, HttpClient.HttpClient>
}

/** Times in milliseconds; CPU time per answered call. */
export interface Phase {
  readonly answered: number
  readonly failed: number
  readonly failure: string | null
  /** Of those that were answered with one. */
  readonly callIds: ReadonlyArray<string>
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly ownCpu: number
  readonly databaseCpu: number
}

export interface Conditions {
  readonly connections: number
  readonly seconds: number
  /** The process above all of the database server's. */
  readonly postgres: Child
}

/** Loads a subject for some seconds. */
export const measure = Effect.fn("measure")(function*(
  { child, exchange, key, name }: Subject,
  { connections, postgres, seconds }: Conditions
) {
  const cpu = Effect.all([cpuTime(child.pid), cpuTime(postgres.pid)])
  const [own, database] = yield* cpu
  const result = yield* load({
    ...exchange,
    url: child.url,
    headers: {
      ...(exchange.method === "GET" ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
    },
    connections,
    seconds
  })
  const [ownAfter, databaseAfter] = yield* cpu
  if (result.failure !== null) {
    yield* Console.error(`${name}: ${result.failed} failed, the first with ${result.failure}`)
  }
  return {
    ...result,
    ownCpu: (ownAfter - own) / result.answered,
    databaseCpu: (databaseAfter - database) / result.answered
  } satisfies Phase
})
