import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { CallId } from "../../Domain/Ids.ts"
import { idMillis } from "../../Domain/NewId.ts"
import { array, insertColumns, textArray } from "../../Sql/BulkInsert.ts"
import { type DataHolder, type LoggedData, nameOfData } from "../ResponseDeduplication.ts"
import { dataIn, withoutData } from "../SuccessfulResponse.ts"
import type { CompletedCall } from "./CallLog.ts"
import { isLongerThan, loggedBody, loggedName } from "./LoggedBody.ts"

const { bool, float8, int2, text, timestamptz } = PgTypes.OID

const columnTypes = {
  id: text,
  created_at: timestamptz,
  client_id: text,
  connection_id: text,
  member_id: text,
  key_id: text,
  provider: text,
  target: text,
  outcome: text,
  http_status: int2,
  error_code: text,
  latency_ms: float8,
  cost_usd: float8,
  cached: bool,
  request: text,
  response: text,
  same_data_as: text
}

type Row = Readonly<Record<keyof typeof columnTypes, unknown>>

/** A call as it is about to be stored. */
interface PreparedCall {
  readonly call: CompletedCall
  readonly row: Row
  /** The server that has the call which this one names; `null` where it names none. */
  readonly server: string | null
  /** Where it has data that others may name it for. */
  readonly holder: DataHolder | undefined
}

/**
 * Stores calls redacted, with as much of their bodies as `limit` bytes. Data that a call is known to have is not kept
 * again: others name that call.
 */
export const callRows = (sql: SqlClient.SqlClient, holders: LoggedData["Service"], limit: number) => {
  const toRow = (call: CompletedCall, response: string, same_data_as: CallId | null): Row => ({
    ...call,
    response,
    same_data_as,
    provider: call.provider === null ? null : loggedName(call.provider),
    target: call.target === null ? null : loggedName(call.target),
    created_at: new Date(idMillis(call.id)),
    request: call.request === null ? null : loggedBody(call.request, limit)
  })

  const prepare = (call: CompletedCall): PreparedCall => {
    const { connection_id, data, id, response } = call
    const isWhole = data !== null && !isLongerThan(response, limit)
    const name = isWhole ? nameOfData(connection_id, data, idMillis(id)) : undefined
    const first = name === undefined ? undefined : holders.find(name)
    if (isWhole && first !== undefined) {
      const row = toRow(call, withoutData(response, data.text), first)
      return { call, row, server: holders.server, holder: undefined }
    }
    const stored = loggedBody(response, limit)
    const holder = name === undefined || dataIn(stored) === undefined
      ? undefined
      : { call: id, name, isAsAnswered: stored === response, isCommitted: false }
    if (holder !== undefined) holders.begin(holder)
    return { call, row: toRow(call, stored, null), server: null, holder }
  }

  // Another server, a replica that was promoted, may lack the latest calls. It was not started at the same microsecond.
  const server = sql`extract(epoch FROM pg_postmaster_start_time())::text`
  const insert = insertColumns<keyof typeof columnTypes, { readonly server: string }>(
    sql,
    "calls",
    columnTypes,
    sql`WHERE coalesce(${holders.server}, ${server}) = ${server} RETURNING ${server} AS server`
  )
  const insertThere = (rows: ReadonlyArray<Row>) =>
    Effect.map(Effect.suspend(() => insert(rows, holders.server)), ([stored]) => {
      if (stored === undefined) return false
      holders.server = stored.server
      return true
    })

  const whole = ({ call }: PreparedCall) => toRow(call, loggedBody(call.response, limit), null)

  const store = (calls: ReadonlyArray<PreparedCall>) => {
    // Prepared before it was known that the server is another one.
    const isOutdated = ({ server }: PreparedCall) => server !== null && server !== holders.server
    return Effect.flatMap(insertThere(calls.map((call) => isOutdated(call) ? whole(call) : call.row)), (isStored) => {
      if (isStored) return Effect.void
      holders.forget()
      return Effect.asVoid(insertThere(calls.map(whole)))
    })
  }

  /** What has come of a prepared call, which is then known for its data, or not. */
  const settle = ({ holder }: PreparedCall, isStored: boolean) => {
    if (holder !== undefined) holders.end(holder, isStored)
  }

  return { prepare, store, settle }
}

/** The data that calls have in the log, by call. */
export const findData = (sql: SqlClient.SqlClient, calls: ReadonlyArray<CallId>) =>
  Effect.map(
    sql<{ readonly id: CallId; readonly response: string | null }>`
      SELECT id, response FROM calls JOIN unnest(
        ${textArray(calls)}, ${array(calls.map((id) => new Date(idMillis(id))), timestamptz)}
      ) AS named (id, created_at) USING (id, created_at)`,
    (rows): ReadonlyMap<CallId, string> =>
      new Map(rows.flatMap(({ id, response }) => {
        const data = dataIn(response ?? "")
        return data === undefined ? [] : [[id, data]]
      }))
  )
