import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { groupCommit } from "../Sql/Batcher.ts"
import { runBoth, runBulk } from "../Sql/BulkStatement.ts"
import { newestByName, responseInsert, type ResponseRow } from "./Cache/CachedResponses.ts"
import { callInsert, type CallRow } from "./Log/Storage/CallRows.ts"

type Write = { readonly call: CallRow } | { readonly response: ResponseRow }

/**
 * Writes a call and its response for the cache with one statement, together with those of other calls that end at the
 * same time. With two statements, a lone read takes Postgres twice the time. Returns after the commit.
 */
export class CallWrites extends Context.Service<CallWrites, {
  readonly log: (call: CallRow) => Effect.Effect<void, SqlError>
  readonly store: (response: ResponseRow) => Effect.Effect<void, SqlError>
}>()("openaccounts/Calls/CallWrites") {
  static readonly layer = Layer.effect(
    CallWrites,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [calls, responses] = [callInsert(sql), responseInsert(sql)]
      const insertCalls = runBulk(sql, calls)
      const insertResponses = runBulk(sql, responses)
      const insertBoth = runBoth(sql, responses, calls)

      const write = (writes: ReadonlyArray<Write>) => {
        const calls = writes.flatMap((each) => "call" in each ? [each.call] : [])
        const responses = newestByName(writes.flatMap((each) => "response" in each ? [each.response] : []))
        if (calls.length === 0) return insertResponses(responses)
        return responses.length === 0 ? insertCalls(calls) : insertBoth(responses, calls)
      }

      const commit = yield* groupCommit(write, {
        isSingle: (writes) => writes.filter((each) => "call" in each).length < 2,
        joinsTurn: true
      })
      return CallWrites.of({
        log: (call) => commit({ call }),
        store: (response) => commit({ response })
      })
    })
  )
}
