import { Clock, DateTime, Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { LoggedCallDetail } from "../../../Api/Calls/LogsApi.ts"
import { dailyFigures, hourlyFigures, insertFigures, loggedCalls } from "../../../Calls/Log/Stats/StatsRows.ts"
import { day, hour, partitionOf, startOfDay } from "../../../Calls/Log/Storage/LogDay.ts"
import type { ApiKey } from "../../../Domain/Access/ApiKey.ts"
import { newIdAt } from "../../../Domain/NewId.ts"
import { Sandbox } from "../../../Sandbox/Sandbox.ts"
import { inTransaction } from "../../../Sql/Transaction.ts"
import { historyDays, type PastCall, pastCalls, type Routine, type Script } from "./Routines.ts"
import {
  adminClient,
  type ApiClient,
  apiClient,
  callsOf,
  type DemoCalls,
  findClient,
  findMember,
  type SeededDemo
} from "./Seed.ts"

const expiredFor = Duration.toMillis("26 hours")

const setUpFor = Duration.days(historyDays + 2)

type Caller = Readonly<Record<"member_id" | "key_id" | "grant_id", string | null>>

interface Template {
  readonly sample: LoggedCallDetail
  readonly connectionOf: (provider: string) => string | undefined
  readonly clientId: string
  readonly caller: Caller
}

const targetOf = ({ request: { endpoint, tool } }: Routine) => tool === undefined ? `raw:${endpoint}` : `tool:${tool}`

const addPartner = Effect.fnUntraced(function*(url: string, admin: ApiClient) {
  const { connections } = yield* Sandbox
  const client = yield* findClient(admin, "Larchwood Books")
  const member = yield* findMember(admin, { email: "sam@example.com", name: "Sam Larch", client_ids: [client.id] })
  const made = yield* admin.managedConnections.list({ query: { client_id: client.id, limit: 200 } })
  const key = yield* admin.keys.create({ payload: { member_id: member.id, name: "Larchwood figures" } })
  yield* admin.keys.create({ payload: { member_id: member.id, name: "Notebook" } })
  const names: Readonly<Record<string, string>> = { gsc: "Search Console", ga4: "Analytics", gsheets: "Lead sheet" }
  const partner = yield* Effect.forEach(connections.filter(({ provider }) => provider in names), (connection) => {
    const existing = made.connections.find(({ provider }) => provider === connection.provider)
    if (existing) return Effect.succeed(existing)
    const credentials = connection.provider === "ga4" ? { refresh_token: "1//sandbox-ended" } : connection.credentials
    const label = `Larchwood: ${names[connection.provider]}`
    return admin.managedConnections.create({
      payload: { ...connection, credentials, label, client_id: client.id, external_account: "data@larchwood.example" }
    })
  })
  const reader = yield* apiClient(url, Redacted.make(key.key))
  yield* Effect.ignore(reader.call.call({ payload: { provider: "ga4", tool: "ga4_list_properties" } }))
  const { calls: [failed] } = yield* reader.logs.list({ query: { provider: "ga4", outcome: "error", limit: 1 } })
  const failure = yield* Effect.fromNullishOr(failed)
  return { client, connections: partner, key, failure: yield* reader.logs.get({ params: { call_id: failure.id } }) }
})

const sampleOf = Effect.fnUntraced(function*({ write, writer }: DemoCalls, routine: Routine) {
  const query = { target: targetOf(routine), provider: routine.request.provider, outcome: "ok", limit: 1 } as const
  const { calls: [logged] } = yield* writer.logs.list({ query })
  const call_id = logged?.id ?? (yield* write(routine.request)).call_id
  return yield* writer.logs.get({ params: { call_id } })
})

const errors = {
  upstream_error: [503, "The provider answered with status 503."],
  upstream_unreachable: [502, "The provider did not answer within 10 seconds."]
} as const

const rowOf = ({ at, latency, outcome }: PastCall, { caller, clientId, connectionOf, sample }: Template) => {
  const id = newIdAt("call", at)
  const provider = sample.provider ?? ""
  const isSample = outcome === "ok" || outcome === "cached"
  const latency_ms = Math.round(latency * 1000) / 1000
  const [status, message] = isSample ? [sample.http_status, ""] : errors[outcome]
  const code = isSample ? sample.error_code : outcome
  const connection_id = connectionOf(provider)
  const same = sample.response !== null && typeof sample.response === "object" ? sample.response : {}
  const response = !isSample
    ? { call_id: id, error: { code, message } }
    : code === null
    ? { ...same, call_id: id, connection_id, cached: outcome === "cached", latency_ms }
    : { ...same, call_id: id }
  return {
    id,
    created_at: DateTime.formatIso(DateTime.makeUnsafe(at)),
    client_id: clientId,
    connection_id,
    ...caller,
    provider,
    target: sample.target,
    outcome: code === null ? "ok" : "error",
    http_status: status,
    error_code: code,
    latency_ms,
    cost_usd: 0,
    cached: outcome === "cached",
    dry_run: false,
    request: JSON.stringify(sample.request),
    response: JSON.stringify(response)
  }
}

const callerWith = ({ id, member_id }: Pick<ApiKey, "id" | "member_id">) => ({ member_id, key_id: id, grant_id: null })

/** Only a member's consent in a browser makes a grant through the service. */
const grantOf = <Agent extends object>(now: number, agent: Agent) => ({
  id: newIdAt("gra", now),
  ...agent,
  access: "read_only",
  writes: "allow",
  undo: true,
  created_at: DateTime.formatIso(DateTime.makeUnsafe(now))
})

/** One partition for all earlier days: the service makes one for each day since yesterday. */
const addPartition = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [first] = yield* sql<{ readonly start: Date }>`
    SELECT (min(right(relname, 8)) || 'T00:00Z')::timestamptz AS start
    FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'calls'::regclass`
  const { start } = yield* Effect.fromNullishOr(first)
  yield* sql`
    CREATE TABLE ${sql(partitionOf(start.getTime() - day))} PARTITION OF calls
    FOR VALUES FROM (MINVALUE) TO (${sql.literal(`'${start.toISOString()}'`)})`
})

const insertCalls = Effect.fnUntraced(function*(rows: ReadonlyArray<ReturnType<typeof rowOf>>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO calls SELECT * FROM json_populate_recordset(NULL::calls, ${JSON.stringify(rows)}::json)`
})

const insertWeek = Effect.fnUntraced(function*(
  rows: ReadonlyArray<ReturnType<typeof rowOf>>,
  grants: ReadonlyArray<ReturnType<typeof grantOf>>,
  now: number
) {
  const sql = yield* SqlClient.SqlClient
  const setUp = new Date(now - Duration.toMillis(setUpFor))
  yield* sql`UPDATE call_stats_progress SET counted_until = NULL`
  yield* sql`DELETE FROM call_stats`
  yield* addPartition
  yield* insertCalls(rows)
  yield* sql`INSERT INTO grants SELECT * FROM json_populate_recordset(NULL::grants, ${JSON.stringify(grants)}::json)`
  for (const table of ["clients", "members", "keys", "connections", "grants"]) {
    yield* sql`UPDATE ${sql(table)} SET created_at = ${setUp}`
  }
  for (
    const [table, column] of [["keys", "key_id"], ["connections", "connection_id"], ["grants", "grant_id"]] as const
  ) {
    yield* sql`
      UPDATE ${sql(table)} SET last_used_at = greatest(last_used_at, call.at)
      FROM (SELECT ${sql(column)} AS id, max(created_at) AS at FROM calls GROUP BY 1) AS call WHERE call.id = ${
      sql(table)
    }.id`
  }
})

/** Counts all hours together: the service counts one at a time, which takes seconds for two months. */
const insertEarlier = Effect.fnUntraced(function*(rows: ReadonlyArray<ReturnType<typeof rowOf>>, now: number) {
  const sql = yield* SqlClient.SqlClient
  const end = Math.floor(now / hour - 1) * hour
  const hourly = sql`(SELECT * FROM call_stats WHERE hours = 1 AND started_at < ${new Date(startOfDay(end))}) AS hourly`
  yield* insertCalls(rows)
  yield* sql`DELETE FROM call_stats`
  yield* insertFigures(sql, hourlyFigures(sql, loggedCalls(sql, sql`created_at < ${new Date(end)}`)))
  yield* insertFigures(sql, dailyFigures(sql, hourly))
  yield* sql`UPDATE call_stats_progress SET counted_until = ${new Date(end)}`
})

/**
 * Adds the calls of a week by three scripts and an agent of two clients. Adds nothing if the log has a call of more than
 * an hour ago. Returns what adds the weeks before, so that the demo starts without them. The log, the statistics and the
 * times of last use agree.
 */
export const addHistory = Effect.fnUntraced(function*(url: string, seeded: SeededDemo) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const old = new Date(now - Duration.toMillis("1 hour"))
  const earlier = yield* sql`SELECT id FROM calls WHERE created_at < ${old} LIMIT 1`
  if (earlier.length > 0) return Effect.void
  const admin = yield* adminClient(url)
  const own = yield* admin.managedConnections.list({ query: { client_id: seeded.client_id, limit: 200 } })
  const partner = yield* addPartner(url, admin)
  const { keys } = yield* admin.keys.list({ query: { limit: 200 } })
  const keyOf = (secret: string) => keys.find(({ hint, revoked_at }) => revoked_at === null && secret.endsWith(hint))
  const report = yield* Effect.fromNullishOr(keyOf(seeded.read_only_key))
  const leadImport = yield* Effect.fromNullishOr(keyOf(seeded.read_write_key))
  const assistant = grantOf(now, {
    agent_name: "Claude Code",
    agent_client_id: "https://claude.ai/oauth/claude-code-client-metadata",
    member_id: report.member_id,
    connection_ids: null
  })
  const helper = grantOf(now, {
    agent_name: "Report helper",
    agent_client_id: "report-helper",
    member_id: partner.key.member_id,
    connection_ids: partner.connections.slice(0, 1).map(({ id }) => id)
  })
  const callers: Readonly<Record<Script, Caller>> = {
    report: callerWith(report),
    import: callerWith(leadImport),
    partner: callerWith(partner.key),
    agent: { member_id: assistant.member_id, key_id: null, grant_id: assistant.id }
  }

  const demoCalls = yield* callsOf(url, seeded)
  const samples = new Map<string, LoggedCallDetail>()
  const templateOf = Effect.fnUntraced(function*(routine: Routine, at: number) {
    const target = targetOf(routine)
    const isPartner = routine.script === "partner"
    const hasEnded = isPartner && routine.request.provider === "ga4" && at > now - expiredFor
    const sample = samples.get(target) ?? (yield* sampleOf(demoCalls, routine))
    samples.set(target, sample)
    const connections = isPartner ? partner.connections : own.connections
    return {
      sample: hasEnded ? { ...sample, ...failureOf(partner.failure) } : sample,
      clientId: isPartner ? partner.client.id : seeded.client_id,
      connectionOf: (provider: string) => connections.find((each) => each.provider === provider)?.id,
      caller: callers[routine.script]
    }
  })
  const calls = pastCalls(now)
  const rowsOf = (isWanted: (call: PastCall) => boolean) =>
    Effect.forEach(
      calls.filter(isWanted),
      (call) => Effect.map(templateOf(call.routine, call.at), (template) => rowOf(call, template))
    )
  const isOfWeek = ({ at }: PastCall) => at > now - 7 * day
  yield* inTransaction(sql)(insertWeek(yield* rowsOf(isOfWeek), [assistant, helper], now))
  return Effect.flatMap(rowsOf((call) => !isOfWeek(call)), (rows) => inTransaction(sql)(insertEarlier(rows, now)))
})

const failureOf = ({ error_code, http_status, response }: LoggedCallDetail) => ({ error_code, http_status, response })
