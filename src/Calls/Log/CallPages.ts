import { Clock, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { seesEveryCall, type Viewer } from "../../Domain/Access/Principal.ts"
import type { CallFilter, CallSearch, LoggedCall } from "../../Domain/Calls/Call.ts"
import { append } from "../../Domain/Lists.ts"
import { idMillis } from "../../Domain/NewId.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { selectPage } from "../../Sql/Rows.ts"
import { day, startOfDay } from "./Storage/LogDay.ts"
import { refusedCalls, refusedRetention } from "./Storage/RefusedCalls.ts"

const storedColumns = (sql: SqlClient.SqlClient) =>
  sql`id, provider, target, outcome, http_status, error_code, latency_ms, cost_usd, cached,
    connection_id, client_id, resource, member_id, key_id, grant_id, dry_run, undo_of, bulk_call_id, undoable_until,
    created_at`

export const loggedColumns = (sql: SqlClient.SqlClient, table: "calls" | "seen" = "calls") =>
  sql`${storedColumns(sql)},
    CASE WHEN key_id IS NOT NULL THEN 'key' WHEN grant_id IS NOT NULL THEN 'grant' WHEN member_id IS NOT NULL THEN 'session'
      END AS via,
    CASE WHEN undoable_until IS NOT NULL THEN ${undoneBy(sql, sql.literal(table))} END AS undone_by`

/** A day more than a call can be undone: the clocks of instances may differ. */
const undoneBy = (sql: SqlClient.SqlClient, table: Fragment) =>
  sql`(
    SELECT max(undo.id) FROM calls AS undo
    WHERE undo.undo_of = ${table}.id AND undo.outcome = 'ok' AND NOT undo.dry_run AND undo.created_at >= ${table}.created_at - interval '1 day'
      AND undo.created_at < ${table}.undoable_until + interval '1 day'
  )`

export const visibleTo = (sql: SqlClient.SqlClient, viewer: Viewer) =>
  seesEveryCall(viewer)
    ? sql`true`
    : sql`(${onConnections(sql, viewer)} OR (connection_id IS NULL AND member_id = ${viewer.memberId}))`

const onConnections = (sql: SqlClient.SqlClient, { clientIds, connectionIds }: Viewer) =>
  sql.and([
    ...(clientIds === null ? [] : [sql`client_id = ANY(${textArray(clientIds)})`]),
    ...(connectionIds === null ? [] : [sql`connection_id = ANY(${textArray(connectionIds)})`])
  ])

/** A value of these selects few calls. */
const narrowColumns = ["bulk_call_id", "connection_id", "key_id", "grant_id", "resource"] as const

/**
 * With equality, the planner may scan the log by time until it finds enough calls. A range together with the order
 * keeps it on the index.
 */
const rangeColumns = [...narrowColumns, "client_id", "provider"] as const

export const callPages = (sql: SqlClient.SqlClient, retention: Duration.Duration) => {
  const filtered = (filter: CallFilter, columns: ReadonlyArray<keyof CallFilter>) =>
    columns.flatMap((name) => {
      const value = filter[name]
      return value === undefined ? [] : [{ column: sql(name), value }]
    })

  // Literals, so that the planner can use the partial index of errors.
  const outcomeIs = ({ error_code, outcome }: CallFilter) => {
    if (outcome === "ok") return sql`outcome = 'ok'`
    return outcome === "error" || error_code !== undefined ? sql`outcome = 'error'` : sql`true`
  }

  const conditions = (filter: CallFilter): Fragment =>
    sql.and([
      outcomeIs(filter),
      ...filtered(filter, rangeColumns).map(({ column, value }) => sql`${column} BETWEEN ${value} AND ${value}`),
      ...filtered(filter, ["member_id", "target", "error_code", "cached"])
        .map(({ column, value }) => sql`${column} = ${value}`)
    ])

  const [columns, stored] = [loggedColumns(sql, "seen"), storedColumns(sql)]
  const refused = refusedCalls(sql)
  const byTime = sql`created_at DESC, id DESC`

  // OFFSET keeps the planner from searching all calls by time for the hashes.
  const withHash = (hashes: ReadonlyArray<string>, when: Fragment) =>
    sql`(
      SELECT * FROM calls
      WHERE secret_hashes IS NOT NULL AND string_to_array(secret_hashes, ' ') && ${textArray(hashes)} AND ${when}
      OFFSET 0
    ) AS calls`

  return Effect.fn("CallLog.list")(function*(viewer: Viewer, filter: CallSearch, { cursor, limit }: PageRequest) {
    const now = yield* Clock.currentTimeMillis
    const oldest = Math.max(now - Duration.toMillis(retention), filter.since?.getTime() ?? -Infinity)
    const oldestRefused = new Date(Math.max(oldest, now - Duration.toMillis(refusedRetention(retention))))
    const keptRefused = sql`created_at >= ${oldestRefused}`
    const before = sql.and([
      ...(cursor === undefined ? [] : [sql`created_at <= ${new Date(idMillis(cursor))}`, sql`id < ${cursor}`]),
      ...(filter.until === undefined ? [sql`true`] : [sql`created_at < ${filter.until}`])
    ])
    const matching = conditions(filter)

    const newest = (count: number, which: Fragment, order: Fragment, from = sql`calls`) =>
      sql`
        SELECT ${stored} FROM ${from}
        WHERE ${which} AND ${before} AND ${matching}
        ORDER BY ${order} LIMIT ${count}`

    const { clientIds, connectionIds, memberId } = viewer
    const [range] = filtered(filter, rangeColumns)
    const isNarrow = narrowColumns.some((name) => filter[name] !== undefined)
    const visible = visibleTo(sql, viewer)
    const order = range === undefined ? byTime : sql`${range.column} DESC, ${byTime}`
    const ofAll = (count: number, when: Fragment) =>
      sql`
        (${newest(count, sql`${when} AND ${visible}`, order)})
        UNION ALL (${newest(count, sql`${keptRefused} AND ${when} AND ${visible}`, byTime, refused)})`

    const [column, ids, limits] = connectionIds === null
      ? [sql`client_id`, clientIds ?? [], sql`connection_id IS NOT NULL`]
      : [sql`connection_id`, connectionIds, onConnections(sql, viewer)]
    const ofId = (id: string | Fragment, count: number, when: Fragment) =>
      newest(
        count,
        sql`calls.${column} BETWEEN ${id} AND ${id} AND ${limits} AND ${when}`,
        sql`${column} DESC, ${byTime}`
      )
    const [id] = ids
    const onIds = (count: number, when: Fragment) =>
      id !== undefined && ids.length === 1
        ? sql`(${ofId(id, count, when)})`
        : sql`
          SELECT of_one.* FROM (SELECT DISTINCT unnest(${textArray(ids)}) AS id) AS one
          CROSS JOIN LATERAL (${ofId(sql`one.id`, count, when)}) AS of_one`
    const ofMember = (count: number, when: Fragment) =>
      sql`
        ${onIds(count, when)}
        UNION ALL (${newest(count, sql`connection_id IS NULL AND member_id = ${memberId} AND ${when}`, byTime)})
        UNION ALL (${newest(count, sql`member_id = ${memberId} AND ${keptRefused} AND ${when}`, byTime, refused)})`

    const { secret_hashes: hashes } = filter
    const ofHashes = hashes &&
      ((count: number, when: Fragment) => newest(count, visible, byTime, withHash(hashes, when)))
    const search = ofHashes ?? (seesEveryCall(viewer) || isNarrow ? ofAll : ofMember)
    const latest = Math.min(cursor === undefined ? now : idMillis(cursor), filter.until?.getTime() ?? Infinity)
    return yield* selectPage(
      limit,
      Effect.fnUntraced(function*(count) {
        const found: Array<LoggedCall> = []
        // Another instance's clock may be up to a day ahead. Later partitions are empty.
        let to = startOfDay(now) + 2 * day
        for (const from of lookBack(latest, oldest)) {
          const rest = count - found.length
          // Parameters, so that other partitions are pruned before the statement starts.
          const when = sql`created_at >= ${new Date(from)} AND created_at < ${new Date(to)}`
          append(
            found,
            yield* sql<LoggedCall>`
              SELECT ${columns} FROM (${search(rest, when)}) AS seen ORDER BY ${byTime} LIMIT ${rest}`
          )
          if (found.length >= count) return found
          to = from
        }
        return found
      })
    )
  })
}

const firstDays = 2
const growth = 8

/**
 * The starts of the steps from `newest` back to `oldest`, in epoch milliseconds. The latest partitions hold most pages,
 * so they are searched first. A step ends where a partition does.
 */
const lookBack = (newest: number, oldest: number): ReadonlyArray<number> => {
  const tomorrow = startOfDay(newest) + day
  const steps: Array<number> = []
  for (let days = firstDays; tomorrow - days * day > oldest; days *= growth) steps.push(tomorrow - days * day)
  return [...steps, oldest]
}
