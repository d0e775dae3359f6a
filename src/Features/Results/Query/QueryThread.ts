import { parentPort } from "node:worker_threads"
import type { Deadline } from "../../../Capacity/Threads.ts"
import type { TableForm } from "../TableWriter.ts"
import { type NamedTable, type Parts, query, type QueryFailure, type QueryResult } from "./Sqlite.ts"

export interface QueryJob {
  readonly sql: string
  readonly tables: ReadonlyArray<NamedTable>
  readonly form: TableForm
  readonly parts: Parts
  /** CPU time of the statement. */
  readonly withinMillis: number
}

export interface QueryReply {
  readonly result: QueryResult | QueryFailure | "interrupted"
  /** CPU time that the statement took. */
  readonly millis: number
}

const send = (message: QueryReply | Deadline, moved: ReadonlyArray<ArrayBuffer> = []) =>
  parentPort?.postMessage(message, moved)

/** How long a step that SQLite cannot interrupt may take. The thread is ended after it. */
const graceMillis = 500

const cpuMillis = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

parentPort?.on("message", async ({ form, parts, sql, tables, withinMillis }: QueryJob) => {
  let start = cpuMillis()
  const result = await query(tables, {
    sql,
    form,
    parts,
    onLoaded: () => {
      start = cpuMillis()
      send({ withinMillis: withinMillis + graceMillis })
    },
    isLate: () => cpuMillis() > start + withinMillis
  })
  const moved = typeof result === "object" && "body" in result ? [result.body.buffer] : []
  send({ result, millis: cpuMillis() - start }, moved)
})
