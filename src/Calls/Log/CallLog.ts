import { Clock, Context, Data, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Unavailable } from "../../Api/Errors/RequestErrors.ts"
import { seesCall, type Viewer } from "../../Domain/Access/Principal.ts"
import {
  type CallEntry,
  type CallSearch,
  type LoggedCall,
  matchesFilter,
  type StoredCall
} from "../../Domain/Calls/Call.ts"
import type { Stats, StatsRequest } from "../../Domain/Calls/Stats.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { JsonText } from "../../Domain/Json/JsonText.ts"
import { idMillis } from "../../Domain/NewId.ts"
import { defaultLimit, type Page, type PageRequest } from "../../Domain/Page.ts"
import { groupCommit } from "../../Sql/Batcher.ts"
import { CallWrites } from "../CallWrites.ts"
import { callPages, loggedColumns, visibleTo } from "./CallPages.ts"
import { callStats, toStats } from "./CallStats.ts"
import { LogCopy } from "./LogCopy.ts"
import { statsOf } from "./Stats/MemoryStats.ts"
import { StatsRollUp } from "./Stats/StatsRollUp.ts"
import { callRow } from "./Storage/CallRows.ts"
import { type BodyColumns, LogBodies } from "./Storage/LogBodies.ts"
import { keepPartitions } from "./Storage/Partitions.ts"
import { refusedCalls, refusedResponse, refusedRetention, storeRefused } from "./Storage/RefusedCalls.ts"
import { logRetention } from "./Storage/Retention.ts"
import { toLoggedCall } from "./ToLoggedCall.ts"

export class LogUnavailable extends Data.TaggedError("LogUnavailable")<{ readonly cause: unknown }> {}

interface Row extends LoggedCall, BodyColumns {}

/** The longest call in milliseconds that is counted and copied with its hour. */
const lateAfter = 60_000

export const isLate = ({ id }: CallEntry, now: number): boolean => now - idMillis(id) > lateAfter

/** Receives redacted calls only. */
export class CallLog extends Context.Service<CallLog, {
  /** Returns after the commit. */
  readonly append: (call: CallEntry) => Effect.Effect<void, LogUnavailable>
  /** Newest first. Fails with `Unavailable` while a store of older calls is away, as do `find` and `stats`. */
  readonly list: (
    viewer: Viewer,
    filter: CallSearch,
    page: PageRequest
  ) => Effect.Effect<Page<LoggedCall>, Unavailable>
  readonly find: (viewer: Viewer, id: string) => Effect.Effect<Option.Option<StoredCall>, Unavailable>
  readonly stats: (viewer: Viewer, request: StatsRequest) => Effect.Effect<Stats, Unavailable>
  /** Whether a store of older calls is away. */
  readonly isDegraded?: Effect.Effect<boolean>
}>()("openaccounts/Calls/Log/CallLog") {
  static readonly layerNoDeps = Layer.effect(
    CallLog,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const copy = yield* LogCopy
      const retention = yield* logRetention
      const local = copy?.localRetention ?? retention
      const copied = (retention: Duration.Duration) => copy === undefined ? undefined : { retention, until: copy.until }
      yield* keepPartitions("calls", local, copied(retention))
      yield* keepPartitions("refused_calls", refusedRetention(local), copied(refusedRetention(retention)))

      const bodies = yield* LogBodies
      const writes = yield* CallWrites
      const insertRefused = yield* groupCommit(storeRefused(sql))

      const columns = loggedColumns(sql)
      const bodyColumns = sql`bodies, log_key_id, request, response, same_data_as`

      const findRefused = Effect.fnUntraced(function* findRefused(viewer: Viewer, id: string) {
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

      const bodiesOf = (id: CallId) =>
        Effect.map(
          sql<BodyColumns>`
            SELECT ${bodyColumns} FROM calls WHERE created_at = ${new Date(idMillis(id))} AND id = ${id}`,
          ([row]) => row
        )

      /** Runs before the call is logged, so that its hour is never counted without it. */
      const announceLate = ({ id }: CallEntry) =>
        sql`INSERT INTO late_calls (id, created_at) VALUES (${id}, ${new Date(idMillis(id))}) ON CONFLICT DO NOTHING`

      const append = (call: CallEntry) =>
        call.omitsBodies === true
          ? insertRefused(call)
          : Effect.flatMap(bodies.encrypt(call), (encrypted) => writes.log(callRow(call, encrypted)))

      const readStats = callStats(sql)

      return CallLog.of({
        append: (call) =>
          Effect.clockWith((clock) =>
            isLate(call, clock.currentTimeMillisUnsafe())
              ? Effect.andThen(announceLate(call), append(call))
              : append(call)
          ).pipe(Effect.catchCause((cause) => Effect.fail(new LogUnavailable({ cause })))),
        list: callPages(sql, retention),
        find: Effect.fn("CallLog.find")(function*(viewer, id) {
          const oldest = since(yield* Clock.currentTimeMillis, retention)
          const [row] = yield* sql<Row>`
            SELECT ${columns}, ${bodyColumns} FROM calls
            WHERE created_at = ${new Date(idMillis(id))} AND id = ${id} AND created_at >= ${oldest} AND ${
            visibleTo(sql, viewer)
          }`
          if (row === undefined) return yield* findRefused(viewer, id)
          const { bodies: _, log_key_id: __, same_data_as: ___, ...call } = row
          return Option.some<StoredCall>({ ...call, ...(yield* bodies.decrypt(row.id, row, bodiesOf)) })
        }, Effect.orDie),
        stats: (viewer, request) => Effect.map(readStats(viewer, request), toStats)
      })
    })
  ).pipe(Layer.provide(CallWrites.layer))

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([LogBodies.layer, StatsRollUp]))

  static readonly layerMemory = Layer.sync(CallLog, () => {
    const calls: Array<CallEntry> = []
    const seenBy = (viewer: Viewer) => calls.filter((call) => seesCall(viewer, call))
    return CallLog.of({
      append: (call) => Effect.sync(() => void calls.push(call)),
      list: (viewer, { secret_hashes, ...filter }, { cursor, limit = defaultLimit }) =>
        Effect.sync(() => {
          const found = seenBy(viewer).filter((call) => hasHash(call, secret_hashes)).map(toLoggedCall)
            .filter((call) => matchesFilter(call, filter) && (cursor === undefined || call.id < cursor))
            .toSorted((one, other) => one.id < other.id ? 1 : -1)
          const items = found.slice(0, limit)
          return { items, cursor: found.length > limit ? items.at(-1)?.id ?? null : null }
        }),
      find: (viewer, id) =>
        Effect.sync(() => {
          const call = seenBy(viewer).find((call) => call.id === id)
          if (call === undefined) return Option.none()
          return Option.some({
            ...toLoggedCall(call),
            request: call.omitsBodies === true ? null : toJsonText(call.request),
            response: call.omitsBodies === true ? refusedResponse(toLoggedCall(call)) : toJsonText(call.response)
          })
        }),
      stats: (viewer, request) => Effect.sync(() => statsOf(seenBy(viewer).map(toLoggedCall), request))
    })
  })
}

const hasHash = ({ secret_hashes: hashes }: CallEntry, wanted: ReadonlyArray<string> | undefined): boolean =>
  wanted === undefined || hashes?.split(" ").some((hash) => wanted.includes(hash)) === true

const since = (now: number, kept: Duration.Duration): Date => new Date(now - Duration.toMillis(kept))

const toJsonText = (text: string | null) => text === null ? null : JsonText.trusted(text)
