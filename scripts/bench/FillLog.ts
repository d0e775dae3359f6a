import { Clock, DateTime, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { day, partitionOf, startOfDay } from "../../src/Calls/Log/Storage/LogDay.ts"
import { textArray } from "../../src/Sql/BulkStatement.ts"
import { Database } from "../../src/Sql/Database.ts"
import type { Account, Storage } from "./Service.ts"
import { smallRead, smallReport } from "./Workload.ts"

const days = 30

const rareEvery = 1000
const errorEvery = 100

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const callId = (millis: number, index: number): string => {
  let time = ""
  for (let rest = millis; time.length < 10; rest = Math.floor(rest / 32)) time = `${alphabet[rest % 32]}${time}`
  return `call_${time}${index.toString(16).padStart(16, "0")}`
}

export interface FilledLog {
  readonly middle: string
  readonly deep: string
}

const fill = Effect.fn("fill")(function*(count: number, owner: Account, rare: Account) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const today = startOfDay(now)
  for (let start = today - days * day; start <= today; start += day) {
    const [from, to] = [start, start + day].map((millis) => DateTime.formatIso(DateTime.makeUnsafe(millis)))
    const name = partitionOf(start)
    yield* sql`
      CREATE TABLE IF NOT EXISTS ${sql(name)} PARTITION OF calls
      FOR VALUES FROM (${sql.literal(`'${from}'`)}) TO (${sql.literal(`'${to}'`)})`
  }

  const step = days * day / count
  const millisOf = (index: number) => Math.floor(now - (count - index) * step)
  const request = smallRead.bodies[0] ?? ""
  const response = `{"call_id":"","data":${smallReport().toString()}}`

  const size = 5000
  for (let first = 0; first < count; first += size) {
    const indices = Array.from({ length: Math.min(size, count - first) }, (_, i) => first + i)
    const ids = indices.map((index) => callId(millisOf(index), index))
    const times = indices.map((index) => DateTime.formatIso(DateTime.makeUnsafe(millisOf(index))))
    yield* sql`
      INSERT INTO calls (id, created_at, client_id, connection_id, member_id, key_id, provider, target, outcome, http_status,
        error_code, latency_ms, cost_usd, cached, request, response)
      SELECT call.id, call.created_at::timestamptz,
        CASE WHEN rare THEN ${rare.clientId} ELSE ${owner.clientId} END,
        'con_' || right(CASE WHEN rare THEN ${rare.clientId} ELSE ${owner.clientId} END, 26),
        CASE WHEN rare THEN ${rare.memberId} ELSE ${owner.memberId} END,
        CASE WHEN rare THEN ${rare.keyId} ELSE ${owner.keyId} END,
        'gsc', 'raw:searchanalytics.query',
        CASE WHEN failed THEN 'error' ELSE 'ok' END,
        CASE WHEN failed THEN 502 ELSE 200 END,
        CASE WHEN failed THEN 'upstream_unreachable' END,
        12.345, 0, false, ${request}, ${response}
      FROM (
        SELECT id, created_at, n % ${rareEvery}::int = 0 AS rare, n % ${errorEvery}::int = 0 AS failed
        FROM unnest(${textArray(ids)}, ${textArray(times)}) WITH ORDINALITY AS given (id, created_at, n)
      ) AS call`
  }
  yield* sql`ANALYZE calls`

  const idAt = (index: number) => callId(millisOf(index), index)
  return { middle: idAt(Math.floor(count / 2)), deep: idAt(Math.min(count - 1, 150)) } satisfies FilledLog
})

export const fillLog = Effect.fn("fillLog")(function*(storage: Storage, count: number, owner: Account, rare: Account) {
  const filled = fill(count, owner, rare)
  return storage.kind === "postgres"
    ? yield* Effect.provide(filled, Database.layerServer({ url: Redacted.make(storage.url) }))
    : yield* Effect.provide(filled, Database.layerEmbedded(`${storage.folder}/db`))
})
