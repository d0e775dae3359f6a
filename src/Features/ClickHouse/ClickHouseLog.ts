import { Clock, Duration, Effect, Layer, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Unavailable } from "../../Api/Errors/RequestErrors.ts"
import { CallLog, isLate, LogUnavailable } from "../../Calls/Log/CallLog.ts"
import { callStats, toStats } from "../../Calls/Log/CallStats.ts"
import { mergeStats } from "../../Calls/Log/MergeStats.ts"
import { copiedRows } from "../../Calls/Log/Storage/CopiedRows.ts"
import { LogBodies } from "../../Calls/Log/Storage/LogBodies.ts"
import { day, startOfDay } from "../../Calls/Log/Storage/LogDay.ts"
import { refusedResponse } from "../../Calls/Log/Storage/RefusedCalls.ts"
import { logRetention } from "../../Calls/Log/Storage/Retention.ts"
import type { Viewer } from "../../Domain/Access/Principal.ts"
import type { CallSearch, LoggedCall, StoredCall } from "../../Domain/Calls/Call.ts"
import type { CallId } from "../../Domain/Ids.ts"
import { minOf } from "../../Domain/Lists.ts"
import { idMillis } from "../../Domain/NewId.ts"
import { defaultLimit, type PageRequest } from "../../Domain/Page.ts"
import { CallCopier } from "./CallCopier.ts"
import { ClickHouse, type ClickHouseFailed } from "./ClickHouse.ts"
import { copiedUntil, CopyProgress } from "./CopyProgress.ts"
import { makeReader, type StoredDetail, toBodies, toCall } from "./ReadCalls.ts"
import { localRetention } from "./Settings.ts"

const unavailable = new Unavailable({
  message: "ClickHouse, which has the older calls, does not answer. Later calls can be read: use `since`.",
  details: { retry_after_seconds: 10 },
  retryAfter: "10"
})

/** A log of which Postgres has the latest days, and ClickHouse everything before. Each call is read from one of them. */
export const ClickHouseLog = Layer.effect(
  CallLog,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const local = yield* CallLog
    const bodies = yield* LogBodies
    const clickHouse = yield* ClickHouse
    const retention = yield* logRetention
    const reader = yield* makeReader(retention)
    const localMillis = Duration.toMillis(yield* localRetention)
    const localStats = callStats(sql)
    const rows = copiedRows(sql)

    /** Postgres is read from this time on. It keeps one more day, and calls that are not copied yet. */
    const border = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      return Math.min(startOfDay(now - localMillis), yield* copiedUntil)
    }).pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.orDie)

    /** The call that undoes another one is later, so either store may have it. */
    const withUndoneBy = Effect.fnUntraced(function*(calls: ReadonlyArray<LoggedCall>) {
      const undoable = calls.filter(({ undoable_until }) => undoable_until !== null)
      const [first] = undoable
      if (first === undefined) return calls
      const oldest = new Date(minOf(undoable.map(({ created_at }) => created_at.getTime())) - day)
      const found = new Map<string, CallId>()
      const undone = [
        ...yield* reader.undoneBy(undoable),
        ...yield* rows.undoneBy(undoable.map(({ id }) => id), oldest)
      ]
      for (const { id, undo_of } of undone) if (id > (found.get(undo_of) ?? "")) found.set(undo_of, id)
      return calls.map((call) => ({ ...call, undone_by: found.get(call.id) ?? null }))
    })

    const list = Effect.fn("CallLog.list")(function*(viewer: Viewer, filter: CallSearch, page: PageRequest) {
      const { cursor, limit = defaultLimit } = page
      const from = yield* border
      const isOlder = cursor !== undefined && idMillis(cursor) < from
      const later = isOlder || filter.until !== undefined && filter.until.getTime() <= from
        ? { items: [], cursor: null }
        : yield* local.list(viewer, { ...filter, since: laterOf(filter.since, from) }, page)
      const hasOlder = filter.since === undefined || filter.since.getTime() < from
      if (later.cursor !== null || !hasOlder || from === -Infinity) return later
      const to = Math.min(from, filter.until?.getTime() ?? Infinity)
      const count = limit + 1 - later.items.length
      const found = yield* older(
        Effect.flatMap(reader.list(viewer, filter, { to, cursor, count }), withUndoneBy)
      )
      const items = [...later.items, ...found].slice(0, limit)
      return { items, cursor: found.length === count ? items.at(-1)?.id ?? null : null }
    })

    const toStored = Effect.fnUntraced(function*(row: StoredDetail) {
      const [call] = yield* withUndoneBy([toCall(row)])
      if (call === undefined) return Option.none<StoredCall>()
      if (row.refused) return Option.some({ ...call, request: null, response: refusedResponse(call) })
      return Option.some<StoredCall>({
        ...call,
        ...(yield* bodies.decrypt(call.id, toBodies(row), reader.bodiesOf))
      })
    })

    const find = Effect.fn("CallLog.find")(function*(viewer: Viewer, id: string) {
      const found = yield* local.find(viewer, id)
      const isDeleted = idMillis(id) < (yield* Clock.currentTimeMillis) - Duration.toMillis(retention)
      if (Option.isSome(found) || isDeleted || idMillis(id) >= (yield* border)) return found
      return yield* older(Effect.flatMap(
        reader.find(viewer, id),
        (row) => row === undefined ? Effect.succeed(Option.none<StoredCall>()) : toStored(row)
      ))
    })

    return CallLog.of({
      append: (call) =>
        Effect.clockWith((clock) =>
          isLate(call, clock.currentTimeMillisUnsafe())
            ? sql`
              INSERT INTO uncopied_calls (id, created_at) VALUES (${call.id}, ${new Date(idMillis(call.id))})
              ON CONFLICT DO NOTHING`.pipe(
              Effect.mapError((cause) => new LogUnavailable({ cause })),
              Effect.andThen(local.append(call))
            )
            : local.append(call)
        ),
      list,
      find,
      stats: Effect.fn("CallLog.stats")(function*(viewer, request) {
        const from = yield* border
        const [since, until] = [request.since.getTime(), request.until.getTime()]
        const ofLater = yield* localStats(viewer, { ...request, since: laterOf(request.since, from) })
        const ofOlder = since >= from
          ? []
          : yield* older(reader.stats(viewer, { ...request, until: new Date(Math.min(until, from)) }))
        return toStats(mergeStats([...ofOlder, ...ofLater]))
      }),
      isDegraded: clickHouse.isAway
    })
  })
)

const older = <A>(read: Effect.Effect<A, ClickHouseFailed>) => Effect.mapError(read, () => unavailable)

const laterOf = (since: Date | undefined, millis: number): Date => new Date(Math.max(since?.getTime() ?? 0, millis, 0))

export const clickHouseLog = (url: Redacted.Redacted) =>
  Layer.merge(ClickHouseLog, CallCopier).pipe(
    Layer.provide([CallLog.layer, ClickHouse.layer(url), LogBodies.layer]),
    Layer.provide(CopyProgress)
  )
