import { Clock, Context, Data, Duration, Effect, Exit, Layer, Option, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { type CallEntry, type CallFilter, type LoggedCall, loggedFields, type StoredCall } from "../../Domain/Call.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import { idMillis } from "../../Domain/NewId.ts"
import { defaultLimit, type Page, type PageRequest } from "../../Domain/Page.ts"
import { seesConnection, seesEveryCall, type Viewer } from "../../Domain/Principal.ts"
import { groupCommit } from "../../Sql/Batcher.ts"
import { appendData } from "../Results/ResponseText.ts"
import { callRows } from "../Storage/CallRows.ts"
import { CallWrites } from "../Storage/CallWrites.ts"
import { keepPartitions, logRetention } from "../Storage/Partitions.ts"
import { refusedCalls, refusedResponse, refusedRetention, storeRefused } from "../Storage/RefusedCalls.ts"
import { ResponseDeduplication } from "../Storage/ResponseDeduplication.ts"
import { callPages, loggedColumns, visibleTo } from "./CallPages.ts"

export class LogUnavailable extends Data.TaggedError("LogUnavailable")<{ readonly cause: unknown }> {}

interface Row extends LoggedCall {
  readonly request: string | null
  /** Without its data if `same_data_as` is set. */
  readonly response: string | null
  readonly same_data_as: CallId | null
}

/** In milliseconds. Longer calls are counted apart from their hour. */
const lateAfter = 60_000

/** Receives redacted calls only. */
export class CallLog extends Context.Service<CallLog, {
  /** Returns after the commit. */
  readonly append: (call: CallEntry) => Effect.Effect<void, LogUnavailable>
  /** Newest first. */
  readonly list: (viewer: Viewer, filter: CallFilter, page: PageRequest) => Effect.Effect<Page<LoggedCall>>
  readonly find: (viewer: Viewer, id: string) => Effect.Effect<Option.Option<StoredCall>>
}>()("openaccounts/Calls/Log/CallLog") {
  static readonly layer = Layer.effect(
    CallLog,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deduplication = yield* ResponseDeduplication
      const retention = yield* logRetention
      yield* keepPartitions("calls", retention)
      yield* keepPartitions("refused_calls", refusedRetention(retention))

      const { prepare, settle } = callRows(deduplication)
      const writes = yield* CallWrites
      const insertRefused = yield* groupCommit(storeRefused(sql))

      const columns = loggedColumns(sql)

      const findRefused = Effect.fnUntraced(function*(viewer: Viewer, id: string) {
        const oldest = since(yield* Clock.currentTimeMillis, refusedRetention(retention))
        const [call] = yield* sql<LoggedCall>`
          SELECT ${columns} FROM ${refusedCalls(sql)}
          WHERE created_at = ${new Date(idMillis(id))} AND id = ${id} AND created_at >= ${oldest} AND ${
          visibleTo(sql, viewer)
        }`
        return call === undefined
          ? Option.none()
          : Option.some<StoredCall>({ ...call, request: null, response: refusedResponse(call) })
      })

      /** Runs before the call is logged, so that its hour is never counted without it. */
      const announceLate = ({ id }: CallEntry) =>
        sql`INSERT INTO late_calls (id, created_at) VALUES (${id}, ${new Date(idMillis(id))}) ON CONFLICT DO NOTHING`

      const append = (call: CallEntry) =>
        Effect.suspend(() => {
          if (call.omitsBodies === true) return insertRefused(call)
          const prepared = prepare(call)
          return Effect.onExit(
            writes.log(prepared),
            (exit) => Effect.sync(() => settle(prepared, Exit.isSuccess(exit)))
          )
        })

      return CallLog.of({
        append: (call) =>
          Effect.clockWith((clock) =>
            clock.currentTimeMillisUnsafe() - idMillis(call.id) > lateAfter
              ? Effect.andThen(announceLate(call), append(call))
              : append(call)
          ).pipe(Effect.catchCause((cause) => Effect.fail(new LogUnavailable({ cause })))),
        list: callPages(sql, retention),
        find: Effect.fn("CallLog.find")(function*(viewer, id) {
          const oldest = since(yield* Clock.currentTimeMillis, retention)
          const [row] = yield* sql<Row>`
            SELECT ${columns}, request, response, same_data_as FROM calls
            WHERE created_at = ${new Date(idMillis(id))} AND id = ${id} AND created_at >= ${oldest} AND ${
            visibleTo(sql, viewer)
          }`
          if (row === undefined) return yield* findRefused(viewer, id)
          const { request, response, same_data_as, ...call } = row
          const data = same_data_as === null
            ? undefined
            : (yield* deduplication.read([same_data_as])).get(same_data_as)
          const whole = response === null || data === undefined ? response : appendData(response, data)
          return Option.some<StoredCall>({ ...call, request: toJsonText(request), response: toJsonText(whole) })
        }, Effect.orDie)
      })
    })
  ).pipe(Layer.provide([CallWrites.layer, ResponseDeduplication.layer]))

  static readonly layerMemory = Layer.sync(CallLog, () => {
    const calls: Array<CallEntry> = []
    return CallLog.of({
      append: (call) => Effect.sync(() => void calls.push(call)),
      list: (viewer, filter, { cursor, limit = defaultLimit }) =>
        Effect.sync(() => {
          const found = calls
            .filter((call) =>
              isVisible(call, viewer) && matches(call, filter) && (cursor === undefined || call.id < cursor)
            )
            .toSorted((one, other) => one.id < other.id ? 1 : -1)
          const items = found.slice(0, limit).map(toLoggedCall)
          return { items, cursor: found.length > limit ? items.at(-1)?.id ?? null : null }
        }),
      find: (viewer, id) =>
        Effect.sync(() => {
          const call = calls.find((call) => call.id === id && isVisible(call, viewer))
          if (call === undefined) return Option.none()
          return Option.some({
            ...toLoggedCall(call),
            request: call.omitsBodies === true ? null : toJsonText(call.request),
            response: call.omitsBodies === true ? refusedResponse(toLoggedCall(call)) : toJsonText(call.response)
          })
        })
    })
  })
}

const since = (now: number, kept: Duration.Duration): Date => new Date(now - Duration.toMillis(kept))

const isVisible = ({ client_id, connection_id, member_id }: CallEntry, viewer: Viewer) => {
  if (seesEveryCall(viewer)) return true
  return connection_id === null
    ? member_id === viewer.memberId
    : seesConnection(viewer, connection_id, client_id)
}

const matches = (call: CallEntry, { since, until, ...filter }: CallFilter) => {
  const millis = idMillis(call.id)
  return Struct.keys(filter).every((name) => filter[name] === undefined || filter[name] === call[name]) &&
    (since === undefined || millis >= since.getTime()) && (until === undefined || millis < until.getTime())
}

const toJsonText = (text: string | null) => text === null ? null : JsonText.trusted(text)

const toLoggedCall = (call: CallEntry): LoggedCall => loggedFields({ ...call, created_at: new Date(idMillis(call.id)) })
