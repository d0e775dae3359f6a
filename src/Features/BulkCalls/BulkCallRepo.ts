import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Layer, type Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Events } from "../../Audit/Events.ts"
import { overMemberShare } from "../../Capacity/Capacity.ts"
import { BulkCallId, type CallId, type ConnectionId, type HolderId, type MemberId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { PageRequest } from "../../Domain/Page.ts"
import { storedText } from "../../Domain/Text/StoredText.ts"
import { reEncryptById } from "../../Secrets/ReEncryptRows.ts"
import type { StoredSecrets } from "../../Secrets/StoredSecrets.ts"
import { Encrypted, Vault } from "../../Secrets/Vault.ts"
import { advisoryLock, lockOfMember } from "../../Sql/AdvisoryLock.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { leasedRows, LeaseLost, requireRow } from "../../Sql/LeasedRows.ts"
import { rowsOf, selectNewest } from "../../Sql/Rows.ts"
import { sweepTable } from "../../Sql/Sweep.ts"
import { inTransaction } from "../../Sql/Transaction.ts"
import { ResultSource } from "../Results/Kept/StoredResult.ts"
import {
  BulkRequest,
  Claim,
  Count,
  EndedRun,
  Run,
  type RunFailure,
  type RunRows,
  Stored,
  type StoredBulkCall,
  summaryOf
} from "./StoredBulkCall.ts"

const lock = advisoryLock("bulkCalls")

export const retention = Duration.hours(24)

/** Queued bulk calls of one member, beside the one that runs. */
const maxQueued = 5

export const bulkCallSecrets: ReadonlyArray<StoredSecrets> = [
  { cursor: "blk_", lost: null, reEncryption: reEncryptById({ table: "bulk_calls", bytes: "request" }) },
  { cursor: "run_", lost: null, reEncryption: reEncryptById({ table: "bulk_runs", bytes: "rows" }) }
]

const encodeRequest = Schema.encodeSync(Schema.fromJsonString(BulkRequest))
const decodeRequest = Schema.decodeUnknownSync(Schema.fromJsonString(BulkRequest))

const tooMany = overMemberShare(
  `The member has ${maxQueued} bulk calls that wait. Retry when one of them has begun.`,
  30
)

const requireRowOrDie = (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.catchTag(requireRow(statement), "SqlError", Effect.die)

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const vault = yield* Vault
  const transaction = inTransaction(sql)
  const leases = yield* leasedRows("bulk_calls")

  yield* sweepTable({
    lock,
    what: "bulk calls",
    table: "bulk_calls",
    isOld: (at) => sql`ended_at <= ${new Date(at.getTime() - Duration.toMillis(retention))}`
  })

  const columns = sql`id, status, started_at AS "startedAt", ended_at AS "endedAt", result_id AS "resultId", truncated`
  const ofRun = sql`id, place, connection_id AS "connectionId", resource, is_list AS "isList"`
  const mine = ({ id }: Claim) => leases.isHeld(id)

  const addRuns = Effect.fnUntraced(function*(
    id: BulkCallId,
    runs: ReadonlyArray<Omit<Run, "id">>
  ) {
    const added = yield* Effect.forEach(runs, (run) => Effect.map(newId("run"), (id) => ({ ...run, id })))
    yield* Effect.orDie(sql`
      INSERT INTO bulk_runs (id, bulk_call_id, place, connection_id, resource, is_list)
      SELECT id, ${id}, place::int, connection_id, resource, is_list::boolean FROM unnest(
        ${textArray(added.map((run) => run.id))}, ${textArray(added.map(({ place }) => `${place}`))},
        ${textArray(added.map(({ connectionId }) => connectionId))},
        ${textArray(added.map(({ resource }) => resource))}, ${textArray(added.map(({ isList }) => `${isList}`))}
      ) AS inserted (id, place, connection_id, resource, is_list)`)
  })

  const counts = (id: BulkCallId) =>
    runCounts.all(sql`
      SELECT connection_id AS "connectionId", status, code, count(*)::int AS count, count(source->'part')::int AS parts
      FROM bulk_runs WHERE bulk_call_id = ${id} GROUP BY 1, 2, 3`)

  return {
    add: Effect.fnUntraced(function*(
      holder: { readonly memberId: MemberId; readonly holder: HolderId },
      request: BulkRequest,
      runs: ReadonlyArray<Omit<Run, "id">>
    ) {
      const id = BulkCallId.make(yield* newId("blk"))
      const { bytes, encryptionKeyId } = vault.encrypt(id, Redacted.make(encodeRequest(request)))
      yield* transaction(Effect.gen(function*() {
        yield* lockOfMember(sql, "bulk calls", holder.memberId)
        const open = yield* sql`
          SELECT 1 FROM bulk_calls WHERE member_id = ${holder.memberId} AND status IN ('queued', 'running')`
        if (open.length > maxQueued) return yield* Effect.fail(tooMany)
        yield* sql`
          INSERT INTO bulk_calls (id, member_id, holder, status, request, encryption_key_id, result_id)
          VALUES (${id}, ${holder.memberId}, ${holder.holder}, 'queued', ${bytes}, ${encryptionKeyId},
            ${yield* newId("res")})`
        yield* addRuns(id, runs)
      }))
      yield* leases.wake
      return id
    }),

    leases,

    find: (holder: string, id: string): Effect.Effect<Option.Option<StoredBulkCall>> =>
      storedBulkCalls.first(sql`SELECT ${columns} FROM bulk_calls WHERE id = ${id} AND holder = ${holder}`),

    list: (holder: string, page: PageRequest) =>
      selectNewest(
        sql,
        page,
        (after, end) =>
          storedBulkCalls.all(sql`SELECT ${columns} FROM bulk_calls WHERE holder = ${holder} AND ${after} ${end}`)
      ),

    counts,

    /** The first runs that have failed, with at least one of each cause, or that have a part of their rows. */
    ended: (
      which: "failed" | "partial",
      id: BulkCallId,
      connections: ReadonlyArray<ConnectionId>,
      limit: number
    ) =>
      endedRuns.all(sql`
        SELECT ${ofRun}, call_id AS "callId", code, message, source->'part' AS page FROM (
          SELECT *, row_number() OVER (PARTITION BY code ORDER BY place, resource) = 1 AS is_example FROM bulk_runs
          WHERE bulk_call_id = ${id} AND connection_id = ANY(${textArray(connections)})
            AND ${which === "failed" ? sql`status = 'failed'` : sql`source->'part' IS NOT NULL`}
          ORDER BY is_example DESC, place, resource LIMIT ${limit}
        ) AS shown ORDER BY place, resource`),

    cancel: (id: BulkCallId) =>
      Effect.flatMap(now, (at) =>
        transaction(Effect.andThen(
          sql`
            UPDATE bulk_calls SET status = 'cancelled', ended_at = ${at}, ${leases.noLease}
            WHERE id = ${id} AND status IN ('queued', 'running')`,
          sql`
            UPDATE bulk_runs SET rows = NULL WHERE bulk_call_id = ${id}
              AND EXISTS (SELECT FROM bulk_calls WHERE id = ${id} AND status = 'cancelled')`
        ))),

    /** Claims the first open bulk call of a member that no instance works on. Ids are in the order of time. */
    claim: Effect.flatMap(now, (at) =>
      claimedBulkCalls.first(sql`
        UPDATE bulk_calls SET status = 'running', started_at = coalesce(started_at, ${at}), ${leases.lease(at)}
        WHERE id = (
          SELECT id FROM bulk_calls AS mine
          WHERE status IN ('queued', 'running') AND ${leases.isFree(at)}
            AND NOT EXISTS (
              SELECT FROM bulk_calls AS before
              WHERE before.member_id = mine.member_id AND before.status IN ('queued', 'running') AND before.id < mine.id
            )
          ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING ${columns}, member_id AS "memberId", holder, request AS bytes,
          encryption_key_id AS "encryptionKeyId"`)),

    request: (claim: Claim) =>
      Effect.map(vault.decrypt(claim.id, claim), (text) => decodeRequest(Redacted.value(text))),

    pending: ({ id }: Claim) =>
      pendingRuns.all(sql`
        SELECT ${ofRun}, due_at AS "dueAt" FROM bulk_runs WHERE bulk_call_id = ${id} AND status = 'pending'
        ORDER BY place, resource`),

    /** Replaces a run by one for each of the resources that its account lists. */
    replace: (claim: Claim, run: Run, resources: ReadonlyArray<string>) =>
      transaction(Effect.andThen(
        requireRowOrDie(sql`
          DELETE FROM bulk_runs WHERE id = ${run.id} AND status = 'pending' AND ${mine(claim)} RETURNING 1 AS gone`),
        addRuns(claim.id, resources.map((resource) => ({ ...run, resource, isList: false })))
      )),

    postpone: (claim: Claim, run: Run, until: Date) =>
      requireRowOrDie(sql`
        UPDATE bulk_runs SET due_at = ${until} WHERE id = ${run.id} AND ${mine(claim)} RETURNING 1 AS postponed`),

    /** Saves the end of a run, once. */
    save: (claim: Claim, { id }: Run, callId: CallId | null, end: RunFailure | RunRows) => {
      if ("code" in end) {
        return requireRowOrDie(sql`
          UPDATE bulk_runs SET status = 'failed', call_id = ${callId}, code = ${end.code},
            message = ${storedText(end.message.slice(0, 1000))}
          WHERE id = ${id} AND status = 'pending' AND ${mine(claim)} RETURNING 1 AS saved`)
      }
      const { bytes, encryptionKeyId } = vault.encrypt(id, Redacted.make(end.table))
      return requireRowOrDie(sql`
        UPDATE bulk_runs SET status = 'ok', call_id = ${callId}, row_count = ${end.rows},
          source = ${PgTypes.jsonb(end.source)}, rows = ${bytes}, encryption_key_id = ${encryptionKeyId}
        WHERE id = ${id} AND status = 'pending' AND ${mine(claim)} RETURNING 1 AS saved`)
    },

    /** How much of the bounds is used. */
    size: ({ id }: Claim) =>
      Effect.map(
        usedBounds.all(sql`
          SELECT count(*)::int AS runs, coalesce(sum(row_count), 0)::int AS rows,
            coalesce(sum(octet_length(rows)), 0)::float8 AS bytes
          FROM bulk_runs WHERE bulk_call_id = ${id}`),
        ([size = { runs: 0, rows: 0, bytes: 0 }]) => size
      ),

    /** The runs with rows, in the order of the table. */
    succeeded: ({ id }: Claim) =>
      succeededRuns.all(sql`
        SELECT id, octet_length(rows) AS bytes FROM bulk_runs WHERE bulk_call_id = ${id} AND rows IS NOT NULL
        ORDER BY place, resource`),

    /** What the runs have saved, in this order. */
    tables: Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
      const rows = yield* runTables.all(sql`
        SELECT id, source, rows AS bytes, encryption_key_id AS "encryptionKeyId" FROM bulk_runs
        WHERE id = ANY(${textArray(ids)}) AND rows IS NOT NULL ORDER BY place, resource`)
      if (rows.length < ids.length) return yield* new LeaseLost()
      return yield* Effect.forEach(
        rows,
        (row) => Effect.map(vault.decrypt(row.id, row), (text) => ({ source: row.source, text: Redacted.value(text) }))
      )
    }),

    /** Fails every run, because what is stored of them cannot be read. */
    failAll: (claim: Claim, { code, message }: RunFailure) =>
      Effect.orDie(sql`
        UPDATE bulk_runs SET status = 'failed', code = ${code}, message = ${message}, rows = NULL
        WHERE bulk_call_id = ${claim.id} AND status <> 'failed' AND ${mine(claim)}`),

    finish: (claim: Claim, truncated: boolean) =>
      transaction(Effect.gen(function*() {
        yield* requireRowOrDie(sql`
          UPDATE bulk_calls SET status = 'done', ended_at = ${yield* now}, truncated = ${truncated}, ${leases.noLease}
          WHERE ${leases.isMine(claim.id)} RETURNING 1 AS ended`)
        yield* sql`UPDATE bulk_runs SET rows = NULL WHERE bulk_call_id = ${claim.id}`
        const [found] = yield* storedBulkCalls.all(sql`SELECT ${columns} FROM bulk_calls WHERE id = ${claim.id}`)
        if (found === undefined) return
        const summary = summaryOf(found, yield* counts(claim.id))
        yield* events.record({ type: "bulk_call.completed", member_id: claim.memberId, data: { bulk_call: summary } })
      }))
  }
})

const storedBulkCalls = rowsOf(Stored)
const claimedBulkCalls = rowsOf(Claim)
const succeededRuns = rowsOf(Schema.Struct({ id: Schema.String, bytes: Schema.Int }))
const pendingRuns = rowsOf(Schema.Struct({ ...Run.fields, dueAt: Schema.NullOr(Schema.Date) }))
const endedRuns = rowsOf(EndedRun)
const runCounts = rowsOf(Count)
const usedBounds = rowsOf(Schema.Struct({ runs: Schema.Int, rows: Schema.Int, bytes: Schema.Finite }))
const runTables = rowsOf(Schema.Struct({ ...Encrypted.fields, id: Schema.String, source: ResultSource }))

/** Bulk calls and their runs, as they are stored. One instance has the lease of a bulk call. */
export class BulkCallRepo extends Context.Service<BulkCallRepo, Effect.Success<typeof make>>()(
  "openaccounts/Features/BulkCalls/BulkCallRepo"
) {
  static readonly layer = Layer.effect(BulkCallRepo, make)
}
