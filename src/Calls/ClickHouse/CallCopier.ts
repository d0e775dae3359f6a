import { PgTypes } from "@effect/sql-pg"
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { randomUUID } from "node:crypto"
import { idMillis } from "../../Domain/NewId.ts"
import { array, textArray } from "../../Sql/BulkStatement.ts"
import { copiedColumns } from "../Log/Storage/CallRows.ts"
import type { LogTable } from "../Log/Storage/LogDay.ts"
import { refusedCalls } from "../Log/Storage/RefusedCalls.ts"
import { logRetention } from "../Log/Storage/Retention.ts"
import { prepareTable, toClickHouseRow } from "./CallTable.ts"
import { ClickHouse } from "./ClickHouse.ts"

/** In milliseconds. A call is logged by then, or was announced in `uncopied_calls` before. */
const grace = Duration.toMillis("5 minutes")

/** In milliseconds. When an instance dies, another one goes on after it. */
const lease = Duration.toMillis("2 minutes")

const maxRows = 2000
const maxCharacters = 2_000_000
const maxLate = 500

interface Row {
  readonly id: string
  readonly created_at: Date
  readonly bodies?: Uint8Array | null
  readonly request?: string | null
  readonly response?: string | null
}

const lengthOf = (rows: ReadonlyArray<Row>): number =>
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

  const columns = sql.csv(Object.keys(copiedColumns).map((name) => sql`${sql(name)}`))
  const sources: Readonly<Record<LogTable, { readonly rows: Fragment; readonly refused: boolean }>> = {
    calls: { rows: sql`(SELECT ${columns} FROM calls) AS calls`, refused: false },
    refused_calls: { rows: refusedCalls(sql), refused: true }
  }

  const insert = (rows: ReadonlyArray<Row>, refused: boolean) =>
    rows.length === 0 ? Effect.void : clickHouse.insert(rows.map((row) => ({ ...toClickHouseRow(row), refused })))

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
    const { refused, rows: from } = sources[source]
    const end = new Date(now - grace)
    const [oldest] = claimed.until === null
      ? yield* sql<{ readonly first: Date | null }>`SELECT min(created_at) AS first FROM ${sql(source)}`
      : []
    const start = claimed.until ?? oldest?.first ?? end
    if (start > end) return undefined
    // With both bounds in one condition, a database without statistics expects few rows, and sorts all of them.
    const rows = yield* sql<Row>`
      SELECT * FROM (
        SELECT * FROM ${from}
        WHERE created_at >= ${start} AND (created_at > ${start} OR id > ${claimed.id})
        ORDER BY created_at, id LIMIT ${count}
      ) AS next WHERE created_at < ${end} ORDER BY created_at, id`
    yield* insert(rows, refused)
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
    const ids = announced.map(({ id }) => id)
    const times = array(ids.map((id) => new Date(idMillis(id))), PgTypes.OID.timestamptz)
    const rows = yield* sql<Row>`
      SELECT ${columns} FROM calls WHERE created_at = ANY(${times}) AND id = ANY(${textArray(ids)})`
    yield* insert(rows, false)
    yield* sql`
      DELETE FROM uncopied_calls
      WHERE id = ANY(${textArray(rows.map(({ id }) => id))}) OR announced_at < now() - interval '1 day'`
  })

  let isPrepared = false
  const copy = Effect.gen(function*() {
    yield* clickHouse.query("SELECT 1")
    if (!isPrepared) yield* prepareTable(retention)
    isPrepared = true
    yield* copyAll("calls")
    yield* copyAll("refused_calls")
    yield* copyLate
  })
  return Effect.provideService(copy, ClickHouse, clickHouse)
})

/** Says once when ClickHouse goes away and once when it is back. */
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
