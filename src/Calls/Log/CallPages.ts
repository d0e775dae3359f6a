import { Clock, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { CallFilter, LoggedCall } from "../../Domain/Call.ts"
import { idMillis } from "../../Domain/NewId.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import type { Viewer } from "../../Domain/Principal.ts"
import { textArray } from "../../Sql/BulkInsert.ts"
import { selectPage } from "../../Sql/Rows.ts"
import { day, startOfDay } from "./LogDay.ts"
import { refusedCalls, refusedRetention } from "./RefusedCalls.ts"

export const loggedColumns = (sql: SqlClient.SqlClient) =>
  sql`id, provider, target, outcome, http_status, error_code, latency_ms, cost_usd, cached,
    connection_id, client_id, key_id, created_at`

/** Pages of the log within `retention`, newest first. */
export const callPages = (sql: SqlClient.SqlClient, retention: Duration.Duration) => {
  // With equality, the planner may scan the log by time until it has met enough calls of the client. A range together
  // with the order keeps it on the index. The same for the provider.
  const ofClient = sql`calls.client_id BETWEEN client.id AND client.id AND connection_id IS NOT NULL`

  const ofProvider = (provider: CallFilter["provider"]) =>
    provider === undefined ? sql`true` : sql`provider BETWEEN ${provider} AND ${provider}`

  // Literals, so that the planner can use the partial index of errors.
  const outcomeIs = (outcome: CallFilter["outcome"]) => {
    switch (outcome) {
      case undefined:
        return sql`true`
      case "ok":
        return sql`outcome = 'ok'`
      case "error":
        return sql`outcome = 'error'`
    }
  }

  const columns = loggedColumns(sql)
  const refused = refusedCalls(sql)
  const byTime = sql`created_at DESC, id DESC`

  return Effect.fn("CallLog.list")(function*(viewer: Viewer, filter: CallFilter, { cursor, limit }: PageRequest) {
    const now = yield* Clock.currentTimeMillis
    const oldest = now - Duration.toMillis(retention)
    const keptRefused = sql`created_at >= ${new Date(now - Duration.toMillis(refusedRetention(retention)))}`
    const before = cursor === undefined
      ? sql`true`
      : sql`created_at <= ${new Date(idMillis(cursor))} AND id < ${cursor}`

    const newest = (count: number, which: Fragment, order: Fragment, from = sql`calls`) =>
      sql<LoggedCall>`
        SELECT ${columns} FROM ${from}
        WHERE ${which} AND ${ofProvider(filter.provider)} AND ${outcomeIs(filter.outcome)}
        ORDER BY ${order} LIMIT ${count}`

    const { clientIds, memberId } = viewer
    if (clientIds === null) {
      const kept = sql`created_at >= ${new Date(oldest)} AND ${before}`
      const order = filter.provider === undefined ? byTime : sql`provider DESC, ${byTime}`
      return yield* selectPage(limit, (count) =>
        sql<LoggedCall>`
          (${newest(count, kept, order)}) UNION ALL (${
          newest(count, sql`${keptRefused} AND ${before}`, byTime, refused)
        })
          ORDER BY ${byTime} LIMIT ${count}`)
    }

    const ofMember = (count: number, when: Fragment) =>
      sql<LoggedCall>`
        SELECT * FROM (
          SELECT of_client.* FROM (SELECT DISTINCT unnest(${textArray(clientIds)}) AS id) AS client
          CROSS JOIN LATERAL (${
        newest(count, sql`${ofClient} AND ${when}`, sql`client_id DESC, ${byTime}`)
      }) AS of_client
          UNION ALL (${newest(count, sql`connection_id IS NULL AND member_id = ${memberId} AND ${when}`, byTime)})
          UNION ALL (${newest(count, sql`member_id = ${memberId} AND ${keptRefused} AND ${when}`, byTime, refused)})
        ) AS seen
        ORDER BY ${byTime} LIMIT ${count}`

    return yield* selectPage(
      limit,
      Effect.fnUntraced(function*(count) {
        const found: Array<LoggedCall> = []
        let until = before
        for (const since of lookBack(cursor === undefined ? now : idMillis(cursor), oldest)) {
          const start = new Date(since)
          found.push(...(yield* ofMember(count - found.length, sql`created_at >= ${start} AND ${until}`)))
          if (found.length >= count) break
          until = sql`created_at < ${start}`
        }
        return found
      })
    )
  })
}

/** Days to look back first, and the factor of each further step. */
const nearest = 2
const factor = 8

/**
 * Returns the starts of the steps from `newest` back to `oldest`, in epoch milliseconds. Most pages are found in the
 * latest partitions, so the others are not searched. A step ends where a partition does.
 */
const lookBack = (newest: number, oldest: number): ReadonlyArray<number> => {
  const tomorrow = startOfDay(newest) + day
  const steps: Array<number> = []
  for (let days = nearest; tomorrow - days * day > oldest; days *= factor) steps.push(tomorrow - days * day)
  return [...steps, oldest]
}
