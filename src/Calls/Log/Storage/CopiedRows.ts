import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { CallId } from "../../../Domain/Ids.ts"
import { idMillis } from "../../../Domain/NewId.ts"
import { array, textArray } from "../../../Sql/BulkStatement.ts"
import { callColumns } from "./CallRows.ts"
import type { LogTable } from "./LogDay.ts"
import { refusedCalls } from "./RefusedCalls.ts"

const { text, timestamptz } = PgTypes.OID

/** The columns of a copy of the log. Only rows of earlier versions have values in the last three. */
export const copiedColumns = { ...callColumns, request: text, response: text, same_data_as: text }

export interface CopiedRow {
  readonly id: string
  readonly created_at: Date
  readonly bodies?: Uint8Array | null
  readonly request?: string | null
  readonly response?: string | null
}

/** Reads rows of the log for a copy elsewhere. */
export const copiedRows = (sql: SqlClient.SqlClient) => {
  const columns = sql.csv(Object.keys(copiedColumns).map((name) => sql`${sql(name)}`))
  const sources = { calls: sql`(SELECT ${columns} FROM calls) AS calls`, refused_calls: refusedCalls(sql) }

  return {
    oldest: (table: LogTable) =>
      Effect.map(
        sql<{ readonly first: Date | null }>`SELECT min(created_at) AS first FROM ${sql(table)}`,
        ([row]) => row?.first ?? undefined
      ),

    /** The rows after a position and before a time, in order. */
    between: (
      table: LogTable,
      { end, id, limit, start }: {
        readonly start: Date
        readonly id: string
        readonly end: Date
        readonly limit: number
      }
    ) =>
      // With both bounds in one condition, a database without statistics expects few rows, and sorts all of them.
      sql<CopiedRow>`
        SELECT * FROM (
          SELECT * FROM ${sources[table]}
          WHERE created_at >= ${start} AND (created_at > ${start} OR id > ${id})
          ORDER BY created_at, id LIMIT ${limit}
        ) AS next WHERE created_at < ${end} ORDER BY created_at, id`,

    findAll: (ids: ReadonlyArray<string>) =>
      sql<CopiedRow>`
        SELECT ${columns} FROM calls
        WHERE created_at = ANY(${array(ids.map((id) => new Date(idMillis(id))), timestamptz)})
          AND id = ANY(${textArray(ids)})`,

    /** For each of the calls, the last call since a time that has undone it. */
    undoneBy: (ids: ReadonlyArray<CallId>, since: Date) =>
      Effect.orDie(sql<{ readonly id: CallId; readonly undo_of: CallId }>`
        SELECT max(id) AS id, undo_of FROM calls
        WHERE undo_of = ANY(${textArray(ids)}) AND outcome = 'ok' AND NOT dry_run AND created_at >= ${since}
        GROUP BY undo_of`)
  }
}
