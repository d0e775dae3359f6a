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

interface QueryRows {
  readonly columns: ReadonlyArray<Column>
  /** A JSON list of rows, because numbers with more digits than a double do not pass between threads. */
  readonly rows: string
  readonly truncated: boolean
}

export type QueryReply = QueryRows | QueryFailure | "interrupted"

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows, not threads
const send = (message: QueryReply | Deadline) => parentPort?.postMessage(message)

/** For a step of a statement that SQLite cannot interrupt. The thread is ended after it. */
const graceMillis = 500

parentPort?.on("message", async ({ sql, tables, withinMillis }: QueryJob) => {
  const onLoaded = () => send({ withinMillis: withinMillis + graceMillis })
  const answer = await query(tables, { sql, withinMillis, onLoaded })
  send(answer === "interrupted" || "message" in answer ? answer : { ...answer, rows: JSON.stringify(answer.rows) })
})
