import { parentPort } from "node:worker_threads"
import type { Deadline } from "../../../Capacity/Threads.ts"
import type { Column } from "../../../Domain/Table/Table.ts"
import { type NamedTable, query, type QueryFailure } from "./Sqlite.ts"

export interface QueryJob {
  readonly sql: string
  readonly tables: ReadonlyArray<NamedTable>
  /** Of the statement. */
  readonly withinMillis: number
}

export interface QueryRows {
  readonly columns: ReadonlyArray<Column>
  /** A JSON list of rows, because numbers with more digits than a double do not pass between threads. */
  readonly rows: string
  readonly truncated: boolean
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
const send = (message: QueryRows | QueryFailure | Deadline) => parentPort?.postMessage(message)

parentPort?.on("message", async ({ sql, tables, withinMillis }: QueryJob) => {
  const answer = await query(tables, sql, () => send({ withinMillis }))
  send("message" in answer ? answer : { ...answer, rows: JSON.stringify(answer.rows) })
})
