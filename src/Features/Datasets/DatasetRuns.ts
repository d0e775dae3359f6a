import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Events } from "../../Audit/Events.ts"
import { ConnectionId } from "../../Domain/Ids.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { type LeasedRows, leasedRows, type LeaseLost, requireRow } from "../../Sql/LeasedRows.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { inTransactionOrFail } from "../../Sql/Transaction.ts"
import { selectDatasets } from "./DatasetRepo.ts"
import { Dataset, DatasetError } from "./Declared.ts"

const Claim = Schema.Struct({
  ...Struct.pick(Dataset.fields, ["id", "name", "report", "resource", "dimensions", "metrics", "since", "schedule"]),
  connectionId: ConnectionId,
  memberId: Schema.String,
  failures: Schema.Int,
  runStartedAt: Schema.Date,
  dueAt: Schema.Date
})
/** A dataset that this instance works on. */
export type Claim = typeof Claim.Type

export interface FetchedDay {
  readonly day: string
  readonly rows: number
  readonly bytes: number
  readonly coverage: number | null
  readonly capped: boolean
  readonly final: boolean
}

export interface RunEnd {
  readonly dueAt: Date | null
  /** Absent: the run has fetched all that it should. */
  readonly problem?: { readonly error: DatasetError; readonly failures: number; readonly failed: boolean }
}

/**
 * Who works on which dataset, and what is left to fetch. One instance has the lease of a dataset, and the days are rows
 * that people see anyway. Effect's workflows on a cluster would need shards, runners that reach each other, and four
 * tables of messages and replies beside them.
 */
export class DatasetRuns extends Context.Service<DatasetRuns, {
  readonly claim: Effect.Effect<Option.Option<Claim>, SqlError>
  readonly addDays: (claim: Claim, days: ReadonlyArray<string>) => Effect.Effect<void, LeaseLost | SqlError>
  readonly hasDays: (claim: Claim) => Effect.Effect<boolean, SqlError>
  /** The days that this run has not fetched yet and that are not final, oldest first. */
  readonly work: (claim: Claim) => Effect.Effect<ReadonlyArray<string>, SqlError>
  readonly saveDay: (claim: Claim, day: FetchedDay) => Effect.Effect<void, LeaseLost | SqlError>
  readonly failDay: (claim: Claim, day: string) => Effect.Effect<void, SqlError>
  readonly end: (claim: Claim, end: RunEnd) => Effect.Effect<void, SqlError>
  /** False after the dataset was deleted. */
  readonly exists: (claim: Claim) => Effect.Effect<boolean, SqlError>
  readonly leases: LeasedRows
}>()("openaccounts/Features/Datasets/DatasetRuns") {
  static readonly layer = Layer.effect(
    DatasetRuns,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const leases = yield* leasedRows("datasets")
      const isMine = ({ id }: Claim) => leases.isMine(id)
      const mine = ({ id }: Claim) => leases.isHeld(id)

      return DatasetRuns.of({
        claim: Effect.gen(function*() {
          const now = new Date(yield* Clock.currentTimeMillis)
          const [claimed] = yield* claims.orFail(sql`
            UPDATE datasets SET ${leases.lease(now)}, run_started_at = coalesce(run_started_at, ${now})
            WHERE id = (
              SELECT id FROM datasets
              WHERE NOT paused AND due_at <= ${now} AND ${leases.isFree(now)}
              ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            RETURNING id, connection_id AS "connectionId", member_id AS "memberId", name, report, resource, dimensions,
              metrics, since, schedule, failures, run_started_at AS "runStartedAt", due_at AS "dueAt"`)
          return Option.fromUndefinedOr(claimed)
        }),

        addDays: Effect.fnUntraced(function*(claim, days) {
          if (days.length === 0) return
          yield* sql`
            INSERT INTO dataset_days (dataset_id, day, status, rows, bytes, final)
            SELECT ${claim.id}, day, 'pending', 0, 0, false FROM unnest(${textArray(days)}) AS added (day)
            WHERE ${mine(claim)} ON CONFLICT DO NOTHING`
          // Without the lease nothing was inserted, and the run would end as if it had fetched these days.
          yield* requireRow(sql`SELECT 1 AS held WHERE ${mine(claim)}`)
        }),

        hasDays: ({ id }) =>
          Effect.map(
            sql`SELECT 1 AS found FROM dataset_days WHERE dataset_id = ${id} LIMIT 1`,
            ({ length }) => length > 0
          ),

        work: ({ id, runStartedAt }) =>
          Effect.map(
            openDays.orFail(sql`
              SELECT day FROM dataset_days
              WHERE dataset_id = ${id} AND NOT final
                AND (status IN ('pending', 'failed') OR fetched_at < ${runStartedAt})
              ORDER BY day`),
            (rows) => rows.map(({ day }) => day)
          ),

        saveDay: Effect.fnUntraced(function*(claim, { bytes, capped, coverage, day, final, rows }) {
          yield* requireRow(sql`
            UPDATE dataset_days SET status = ${capped ? "capped" : "done"}, rows = ${rows}, bytes = ${bytes},
              coverage = ${coverage}::float8, final = ${final}, fetched_at = ${new Date(yield* Clock.currentTimeMillis)}
            WHERE dataset_id = ${claim.id} AND day = ${day} AND ${mine(claim)} RETURNING day`)
          yield* sql`
            UPDATE datasets SET last_error = NULL, failed = false, failures = 0
            WHERE ${isMine(claim)} AND last_error IS NOT NULL`
        }),

        // A day that was fetched before keeps its rows.
        failDay: Effect.fnUntraced(function*(claim, day) {
          yield* sql`
            UPDATE dataset_days SET status = 'failed'
            WHERE dataset_id = ${claim.id} AND day = ${day} AND ${mine(claim)}`
        }),

        end: Effect.fnUntraced(function*(claim, { dueAt, problem }) {
          const error = problem && PgTypes.jsonb(encodeError(problem.error))
          const [before] = yield* states.orFail(sql`
            SELECT failed, date_trunc('milliseconds', due_at) <> ${claim.dueAt} AS "isAsked"
            FROM datasets WHERE ${isMine(claim)} FOR UPDATE`)
          if (before === undefined) return
          // A person asked for a run after this one began, so the next one begins now, also if this one failed.
          const failed = !before.isAsked && problem?.failed === true
          const failures = before.isAsked ? 0 : problem?.failures ?? 0
          yield* sql`
            UPDATE datasets SET ${leases.noLease},
              due_at = CASE WHEN ${before.isAsked} THEN due_at ELSE ${dueAt}::timestamptz END,
              run_started_at = CASE WHEN ${problem === undefined} THEN NULL ELSE run_started_at END,
              last_error = ${error ?? null}, failures = ${failures}, failed = ${failed}
            WHERE id = ${claim.id}`
          const type = problem === undefined
            ? "dataset.completed"
            : failed && !before.failed
            ? "dataset.failed"
            : undefined
          if (type === undefined) return
          const [dataset] = yield* selectDatasets(sql, yield* Clock.currentTimeMillis, sql`id = ${claim.id}`)
          if (dataset !== undefined) yield* events.record({ type, data: { dataset } })
        }, inTransactionOrFail(sql)),

        exists: ({ id }) =>
          Effect.map(sql`SELECT 1 AS found FROM datasets WHERE id = ${id}`, ({ length }) => length > 0),

        leases
      })
    })
  )
}

const claims = rowsOf(Claim)
const openDays = rowsOf(Schema.Struct({ day: Schema.String }))
const states = rowsOf(Schema.Struct({ failed: Schema.Boolean, isAsked: Schema.Boolean }))
const encodeError = Schema.encodeSync(DatasetError)
