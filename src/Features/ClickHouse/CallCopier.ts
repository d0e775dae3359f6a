import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { type CopiedRow, copiedRows } from "../../Calls/Log/Storage/CopiedRows.ts"
import type { LogTable } from "../../Calls/Log/Storage/LogDay.ts"
import { logRetention } from "../../Calls/Log/Storage/Retention.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { prepareTable, toClickHouseRow } from "./CallTable.ts"
import { ClickHouse } from "./ClickHouse.ts"

/** The delay of the copy in milliseconds. A call is logged by then, or was announced in `uncopied_calls` before. */
const grace = Duration.toMillis("5 minutes")

/** The lease in milliseconds. When an instance dies, another one goes on after it. */
const lease = Duration.toMillis("2 minutes")

const maxRows = 2000
const maxCharacters = 2_000_000
const maxLate = 500

const lengthOf = (rows: ReadonlyArray<CopiedRow>): number =>
  rows.reduce(
    (sum, { bodies, request, response }) =>
      sum + 500 + (bodies?.length ?? 0) + (request?.length ?? 0) + (response?.length ?? 0),
    0
  )

/**
 * Copies the log to ClickHouse, on one instance at a time, in the order of the calls' times. The position is stored
 * after each batch. A batch that is repeated adds nothing, because the table keeps one row of each id.
 */
export const makeCopier = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const clickHouse = yield* ClickHouse
  const retention = yield* logRetention
  const instance = randomUUID()

  const log = copiedRows(sql)

  const insert = (source: LogTable, rows: ReadonlyArray<CopiedRow>) => {
    const refused = source === "refused_calls"
    return rows.length === 0
      ? Effect.void
      : clickHouse.insert(rows.map((row) => ({ ...toClickHouseRow(row), refused })))
  }

  /** Returns the position, if this instance has the lease. */
  const claim = Effect.fnUntraced(function*(source: LogTable, now: number) {
    const [claimed] = yield* sql<{ readonly until: Date | null; readonly id: string }>`
      UPDATE call_copies SET leased_by = ${instance}, leased_until = ${new Date(now + lease)}
      WHERE source = ${source} AND (leased_by = ${instance} OR leased_until IS NULL OR leased_until < ${new Date(now)})
      RETURNING copied_until AS until, copied_id AS id`
    return claimed
  })

  const move = (source: LogTable, until: Date, id: string) =>
    sql`
      UPDATE call_copies SET copied_until = ${until}, copied_id = ${id}
      WHERE source = ${source} AND leased_by = ${instance}`

  /** Returns the number of rows of the next batch, or none when there is no more to copy. */
  const copyBatch = Effect.fnUntraced(function*(source: LogTable, count: number) {
    const now = yield* Clock.currentTimeMillis
    const claimed = yield* claim(source, now)
    if (claimed === undefined) return undefined
    const end = new Date(now - grace)
    const start = claimed.until ?? (yield* log.oldest(source)) ?? end
    if (start > end) return undefined
    const rows = yield* log.between(source, { start, id: claimed.id, end, limit: count })
    yield* insert(source, rows)
    const last = rows.length < count ? undefined : rows.at(-1)
    yield* last === undefined ? move(source, end, "") : move(source, last.created_at, last.id)
    return last === undefined
      ? undefined
      : Math.max(1, Math.min(maxRows, Math.floor(maxCharacters / lengthOf(rows) * rows.length)))
  })

  const copyAll = Effect.fnUntraced(function*(source: LogTable) {
    for (let count: number | undefined = 200; count !== undefined;) count = yield* copyBatch(source, count)
  })

  const copyLate = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    if ((yield* claim("calls", now)) === undefined) return
    const announced = yield* sql<{ readonly id: string }>`SELECT id FROM uncopied_calls ORDER BY id LIMIT ${maxLate}`
    if (announced.length === 0) return
    const rows = yield* log.findAll(announced.map(({ id }) => id))
    yield* insert("calls", rows)
    yield* sql`
      DELETE FROM uncopied_calls
      WHERE id = ANY(${textArray(rows.map(({ id }) => id))}) OR announced_at < now() - interval '1 day'`
  })

  /** Everything that Postgres has, because ClickHouse has nothing. */
  const copyAgain = sql`UPDATE call_copies SET copied_until = NULL, copied_id = ''`

  let isPrepared = false
  const copy = Effect.gen(function*() {
    // A ClickHouse that was away may be back without its table.
    if (yield* clickHouse.isAway) isPrepared = false
    yield* clickHouse.query("SELECT 1")
    if (!isPrepared) yield* prepareTable(retention, copyAgain)
    isPrepared = true
    yield* copyAll("calls")
    yield* copyAll("refused_calls")
    yield* copyLate
  })
  return Effect.provideService(copy, ClickHouse, clickHouse)
})

/** Logs once when ClickHouse goes away and once when it is back. */
export const CallCopier = Layer.effectDiscard(Effect.gen(function*() {
  const copy = yield* makeCopier
  let failing = false
  const tick = Effect.matchCauseEffect(copy, {
    onSuccess: () => {
      if (!failing) return Effect.void
      failing = false
      return Effect.logInfo("ClickHouse has the log again")
    },
    onFailure: (cause) => {
      if (failing) return Effect.void
      failing = true
      return Effect.logWarning("The log could not be copied to ClickHouse. Calls go on, and the copy catches up", cause)
    }
  })
  yield* Effect.forkScoped(Effect.repeat(tick, Schedule.spaced("5 seconds")))
}))
