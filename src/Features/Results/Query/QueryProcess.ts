import { serveJobs } from "../../../Capacity/ServeJobs.ts"
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

/** How long a step that SQLite cannot interrupt may take. The process is ended after it. */
const graceMillis = 500

const cpuMillis = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

serveJobs(async ({ form, parts, sql, tables, withinMillis }: QueryJob, setDeadline): Promise<QueryReply> => {
  let start = cpuMillis()
  const result = await query(tables, {
    sql,
    form,
    parts,
    onLoaded: () => {
      start = cpuMillis()
      setDeadline(withinMillis + graceMillis)
    },
    isLate: () => cpuMillis() > start + withinMillis
  })
  return { result, millis: cpuMillis() - start }
})
