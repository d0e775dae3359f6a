import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { groupCommit } from "../../Sql/Batcher.ts"
import { runBoth, runBulk } from "../../Sql/BulkStatement.ts"
import { newestByName, responseInsert, type ResponseRow } from "./CachedResponses.ts"
import { callInsert, type CallRow, type PreparedCall, toWholeRow } from "./CallRows.ts"
import { ResponseDeduplication } from "./ResponseDeduplication.ts"

type Write = { readonly call: PreparedCall } | { readonly response: ResponseRow }

/**
 * Writes a call and its response for the cache with one statement, together with those of other calls that end at the
 * same time. Returns after the commit.
 */
export class CallWrites extends Context.Service<CallWrites, {
  readonly log: (call: PreparedCall) => Effect.Effect<void, SqlError>
  readonly store: (response: ResponseRow) => Effect.Effect<void, SqlError>
}>()("openaccounts/Calls/Storage/CallWrites") {
  static readonly layer = Layer.effect(
    CallWrites,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deduplication = yield* ResponseDeduplication
      const { server } = deduplication

      const [calls, responses] = [callInsert(sql), responseInsert(sql)]
      const insertResponses = runBulk<ResponseRow>(sql, responses)
      const insertCalls = runBulk<CallRow, { readonly server: string }>(sql, calls)
      const insertAll = runBoth<ResponseRow, CallRow, { readonly server: string }>(sql, responses, calls)

      /** Inserts no call and returns false if the calls that it references are on another server. */
      const insertOnKnownServer = (rows: ReadonlyArray<CallRow>, responses: ReadonlyArray<ResponseRow>) =>
        Effect.map(
          Effect.suspend(() =>
            responses.length === 0
              ? insertCalls(rows, server.current)
              : insertAll(responses, rows, server.current)
          ),
          ([inserted]) => {
            if (inserted === undefined) return false
            server.current = inserted.server
            return true
          }
        )

      const isOutdated = (call: PreparedCall) => call.server !== null && call.server !== server.current

      const write = (writes: ReadonlyArray<Write>): Effect.Effect<void, SqlError> => {
        const calls = writes.flatMap((write) => "call" in write ? [write.call] : [])
        const responses = newestByName(writes.flatMap((write) => "response" in write ? [write.response] : []))
        if (calls.length === 0) return Effect.asVoid(insertResponses(responses))
        const rows = calls.map((prepared) => isOutdated(prepared) ? toWholeRow(prepared.call) : prepared.row)
        return Effect.flatMap(insertOnKnownServer(rows, responses), (isStored) => {
          if (isStored) return Effect.void
          deduplication.forget()
          // The responses are stored already.
          return Effect.asVoid(insertOnKnownServer(calls.map(({ call }) => toWholeRow(call)), []))
        })
      }

      const commit = yield* groupCommit(write, {
        isSingle: (writes) => writes.filter((write) => "call" in write).length < 2,
        joinsTurn: true
      })
      return CallWrites.of({
        log: (call) => commit({ call }),
        store: (response) => commit({ response })
      })
    })
  ).pipe(Layer.provide(ResponseDeduplication.layer))
}
