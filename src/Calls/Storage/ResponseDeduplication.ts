import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { CallId, ConnectionId } from "../../Domain/Ids.ts"
import type { JsonText } from "../../Domain/Json/JsonText.ts"
import { idMillis } from "../../Domain/NewId.ts"
import { array, textArray } from "../../Sql/BulkStatement.ts"
import { dataOf } from "../Results/ResponseText.ts"
import { startOfDay } from "./LogDay.ts"

/** In characters. Shorter data is cheaper to store again. */
const minLength = 512

const capacity = 10_000

export interface DataHolder {
  readonly call: CallId
  readonly key: string
  isCommitted: boolean
}

/**
 * Stores identical response data once per connection and day; later rows, and cached responses, reference it. Each
 * instance remembers its own calls.
 */
export class ResponseDeduplication extends Context.Service<ResponseDeduplication, {
  /** `undefined` for data that is always stored. */
  readonly keyOf: (connection: ConnectionId | null, data: JsonText, millis: number) => string | undefined
  readonly findCommitted: (key: string) => CallId | undefined
  /** A call that has the data, or is being logged with it. */
  readonly findAny: (key: string) => CallId | undefined
  readonly begin: (holder: DataHolder) => void
  readonly end: (holder: DataHolder, isCommitted: boolean) => void
  /** The start time of the database server with the committed calls. A promoted replica may lack the latest ones. */
  readonly server: { current: string | null }
  readonly forget: () => void
  readonly read: (calls: ReadonlyArray<CallId>) => Effect.Effect<ReadonlyMap<CallId, string>, SqlError>
}>()("openaccounts/Calls/Storage/ResponseDeduplication") {
  static readonly layer = Layer.effect(
    ResponseDeduplication,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const holders = new Map<string, DataHolder>()
      const server: { current: string | null } = { current: null }

      return ResponseDeduplication.of({
        keyOf: (connection, data, millis) =>
          data.length < minLength ? undefined : `${startOfDay(millis)} ${connection} ${data.hash}`,
        findCommitted: (key) => {
          const holder = holders.get(key)
          return holder?.isCommitted === true ? holder.call : undefined
        },
        findAny: (key) => holders.get(key)?.call,
        begin: (holder) => {
          if (holders.has(holder.key)) return
          if (holders.size >= capacity) holders.clear()
          holders.set(holder.key, holder)
        },
        end: (holder, isCommitted) => {
          holder.isCommitted = isCommitted
          if (!isCommitted && holders.get(holder.key) === holder) holders.delete(holder.key)
        },
        server,
        forget: () => {
          holders.clear()
          server.current = null
        },
        read: (calls) =>
          Effect.map(
            sql<{ readonly id: CallId; readonly response: string | null }>`
              SELECT id, response FROM calls JOIN unnest(
                ${textArray(calls)}, ${array(calls.map((id) => new Date(idMillis(id))), PgTypes.OID.timestamptz)}
              ) AS named (id, created_at) USING (id, created_at)`,
            (rows) =>
              new Map(rows.flatMap(({ id, response }) => {
                const data = dataOf(response ?? "")
                return data === undefined ? [] : [[id, data]]
              }))
          )
      })
    })
  )
}
