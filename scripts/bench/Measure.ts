import { Console, Effect } from "effect"
import type { HttpClient } from "effect/http"
import { type NodeProcess, runLoad } from "./NodeProcess.ts"
import { cpuTime } from "./ProcessStats.ts"
import type { Workload } from "./Workload.ts"

export interface Subject {
  readonly name: string
  readonly process: NodeProcess
  readonly workload: Workload
  readonly key?: string
  /** Counts calls without a row in the log. Absent if nothing is logged. */
  readonly countMissing?: (callIds: ReadonlyArray<string>) => Effect.Effect<number, never, HttpClient.HttpClient>
}

/** Milliseconds. CPU time per completed call. */
export interface Measurement {
  readonly answered: number
  readonly failed: number
  readonly failure: string | null
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
  readonly postgres: NodeProcess
}

export const measure = Effect.fn("measure")(function*(
  { key, name, process, workload }: Subject,
  { connections, postgres, seconds }: Conditions
) {
  const cpu = Effect.all([cpuTime(process.pid), cpuTime(postgres.pid)])
  const [own, database] = yield* cpu
  const result = yield* runLoad({
    ...workload,
    url: process.url,
    headers: {
      ...(workload.method === "GET" ? {} : { "content-type": "application/json" }),
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
  } satisfies Measurement
})
