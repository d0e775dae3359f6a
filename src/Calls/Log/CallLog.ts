import { Clock, Config, Context, Data, Duration, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { CallFilter, LoggedCall } from "../../Domain/Call.ts"
import type { CallId, MemberId } from "../../Domain/Ids.ts"
import { idMillis } from "../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import type { Principal } from "../../Domain/Principal.ts"
import { JsonText } from "../../Providers/JsonText.ts"
import { groupCommit } from "../../Sql/Batcher.ts"
import { textArray } from "../../Sql/BulkInsert.ts"
import { LoggedData } from "../ResponseDeduplication.ts"
import { withData } from "../SuccessfulResponse.ts"
import { callPages, loggedColumns } from "./CallPages.ts"
import { callRows, findData } from "./CallRows.ts"
import { keepPartitions, logRetention } from "./Partitions.ts"

/** A call that is over, as it is handed to the log: nothing in it is redacted yet. */
export interface CompletedCall extends Omit<LoggedCall, "created_at"> {
  readonly member_id: MemberId | null
  /** The body as received, as JSON text; `null` when none was read. */
  readonly request: string | null
  /** What is about to be answered, as JSON text. */
  readonly response: string
  /** The `data` of the answer, with which `response` ends; an error has none. */
  readonly data: JsonText | null
}

/** A call with its redacted bodies, however deeply they nest. */
export interface StoredCall extends LoggedCall {
  readonly request: JsonText | null
  readonly response: JsonText | null
}

export class LogUnavailable extends Data.TaggedError("LogUnavailable")<{ readonly cause: unknown }> {}

interface Row extends LoggedCall {
  readonly request: string | null
  /** Without its data where another call has the same. */
  readonly response: string | null
  /** That call: one of the same day and connection. */
  readonly same_data_as: CallId | null
}

/** Who looks: sees a call of its clients' connections, and its own that got no connection (section 3 of the contract). */
export type Viewer = Pick<Principal, "memberId" | "clientIds">

/** Every call, redacted before it is stored. What the log has answered for is there after a crash. */
export class CallLog extends Context.Service<CallLog, {
  /** Returns when the call is committed. Calls that end together are committed together. */
  readonly append: (call: CompletedCall) => Effect.Effect<void, LogUnavailable>
  /** Newest first. */
  readonly list: (viewer: Viewer, filter: CallFilter, page: PageRequest) => Effect.Effect<Page<LoggedCall>>
  readonly find: (viewer: Viewer, id: string) => Effect.Effect<Option.Option<StoredCall>>
}>()("openaccounts/Calls/CallLog") {
  static readonly layer = Layer.effect(
    CallLog,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const limit = yield* Config.Int("LOG_BODY_BYTES").pipe(Config.withDefault(65_536))
      const retention = yield* logRetention
      yield* keepPartitions(retention)

      const { prepare, settle, store } = callRows(sql, yield* LoggedData, limit)
      const log = yield* groupCommit(store)

      const oldest = Effect.map(Clock.currentTimeMillis, (now) => new Date(now - Duration.toMillis(retention)))

      const visibleTo = ({ clientIds, memberId }: Viewer) =>
        clientIds === null
          ? sql`true`
          : sql`(client_id = ANY(${textArray(clientIds)}) OR (connection_id IS NULL AND member_id = ${memberId}))`

      const columns = loggedColumns(sql)

      return CallLog.of({
        append: (call) =>
          Effect.suspend(() => {
            const prepared = prepare(call)
            return Effect.onExit(log(prepared), (exit) => Effect.sync(() => settle(prepared, Exit.isSuccess(exit))))
          }).pipe(Effect.catchCause((cause) => Effect.fail(new LogUnavailable({ cause })))),
        list: callPages(sql, retention),
        find: Effect.fn("CallLog.find")(function*(viewer, id) {
          const since = yield* oldest
          const [row] = yield* sql<Row>`
            SELECT ${columns}, request, response, same_data_as FROM calls
            WHERE created_at = ${new Date(idMillis(id))} AND id = ${id} AND created_at >= ${since} AND ${
            visibleTo(viewer)
          }`
          if (row === undefined) return Option.none()
          const { request, response, same_data_as, ...call } = row
          // Older than the retention though that call may be: it is there for as long as those that name it.
          const data = same_data_as === null ? undefined : (yield* findData(sql, [same_data_as])).get(same_data_as)
          const whole = response === null || data === undefined ? response : withData(response, data)
          return Option.some<StoredCall>({
            ...call,
            request: request === null ? null : JsonText.trusted(request),
            response: whole === null ? null : JsonText.trusted(whole)
          })
        }, Effect.orDie)
      })
    })
  ).pipe(Layer.provide(LoggedData.layer))
}
