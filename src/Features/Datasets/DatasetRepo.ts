import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { type ConnectionId, DatasetId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { rowsOf, selectNewest } from "../../Sql/Rows.ts"
import { Dataset, type DatasetChange, DatasetDay } from "./Declared.ts"

export interface DatasetToCreate
  extends
    Pick<Dataset, "connection_id" | "report" | "resource" | "dimensions" | "metrics" | "since" | "schedule" | "name">
{
  readonly memberId: string
}

/** The datasets and their days, as people manage them. `DatasetRuns` is the part of the runner. */
export class DatasetRepo extends Context.Service<DatasetRepo, {
  readonly create: (dataset: DatasetToCreate) => Effect.Effect<Dataset>
  /** The datasets of the connections; `null` means all. */
  readonly page: (connections: ReadonlyArray<ConnectionId> | null, page: PageRequest) => Effect.Effect<Page<Dataset>>
  readonly find: (id: string) => Effect.Effect<Option.Option<Dataset>>
  /** A pause ends the work of the instance that has the lease. `paused: false` starts a run, after one under way. */
  readonly change: (id: DatasetId, change: DatasetChange) => Effect.Effect<Option.Option<Dataset>>
  readonly delete: (id: DatasetId) => Effect.Effect<boolean>
  /** Oldest first. */
  readonly days: (id: DatasetId) => Effect.Effect<ReadonlyArray<DatasetDay>>
}>()("openaccounts/Features/Datasets/DatasetRepo") {
  static readonly layer = Layer.effect(
    DatasetRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = (id: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => selectDatasets(sql, now, sql`id = ${id}`)).pipe(
          Effect.map(([dataset]) => Option.fromUndefinedOr(dataset))
        )

      return DatasetRepo.of({
        create: Effect.fn("DatasetRepo.create")(function*(dataset) {
          const id = DatasetId.make(yield* newId("dst"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const { dimensions, memberId, metrics, ...fields } = dataset
          yield* sql`INSERT INTO datasets ${
            sql.insert({
              id,
              ...fields,
              member_id: memberId,
              dimensions: textArray(dimensions),
              metrics: textArray(metrics),
              paused: false,
              created_at: now,
              failures: 0,
              failed: false,
              due_at: now
            })
          }`
          return yield* Effect.orDie(Effect.fromOption(yield* find(id)))
        }, Effect.orDie),

        page: (connections, page) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            selectNewest(sql, page, (after, end) =>
              selectDatasets(
                sql,
                now,
                connections === null ? after : sql`${after} AND connection_id = ANY(${textArray(connections)})`,
                end
              ))),

        find,

        change: Effect.fn("DatasetRepo.change")(function*(id, { name, paused, schedule }) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const renamed: ReadonlyArray<Fragment> = name === undefined ? [] : [sql`name = ${name}`]
          const scheduled = schedule === undefined ? [] : [sql`schedule = ${schedule}`]
          const stopped = paused === true ? [sql`paused = true, leased_by = NULL, leased_until = NULL`] : []
          const started = paused === false ? [sql`paused = false, failed = false, failures = 0`] : []
          const due = paused === false || schedule === "daily"
            // Another time makes the next run follow one that is under way, or has not noticed a pause.
            ? [sql`due_at = CASE WHEN due_at < ${now} AND leased_by IS NULL AND NOT paused THEN due_at ELSE ${now} END`]
            : []
          const changes: ReadonlyArray<Fragment> = [...renamed, ...scheduled, ...stopped, ...started, ...due]
          if (changes.length > 0) yield* sql`UPDATE datasets SET ${sql.csv(changes)} WHERE id = ${id}`
          return yield* find(id)
        }, Effect.orDie),

        delete: Effect.fn("DatasetRepo.delete")(function*(id) {
          yield* sql`DELETE FROM dataset_days WHERE dataset_id = ${id}`
          const deleted = yield* sql`DELETE FROM datasets WHERE id = ${id} RETURNING id`
          return deleted.length > 0
        }, Effect.orDie),

        days: (id) =>
          days.all(sql`
            SELECT day, status, rows, coverage, final, fetched_at FROM dataset_days
            WHERE dataset_id = ${id} ORDER BY day`)
      })
    })
  )
}

/** `now` is in epoch milliseconds. */
export const selectDatasets = (
  sql: SqlClient.SqlClient,
  now: number,
  which: Fragment,
  end: Fragment = sql``
): Effect.Effect<ReadonlyArray<Dataset>> =>
  datasets.all(sql`
    SELECT id, name, connection_id, report, resource, dimensions, metrics, since, schedule,
      CASE WHEN paused THEN 'paused' WHEN failed THEN 'failed'
        WHEN run_started_at IS NOT NULL OR due_at <= ${new Date(now)} THEN 'running' ELSE 'idle' END AS status,
      days, rows, bytes, last_error, CASE WHEN NOT paused THEN due_at END AS next_run_at, created_at
    FROM datasets CROSS JOIN LATERAL (
      SELECT json_build_object(
          'done', count(*) FILTER (WHERE status = 'done'), 'pending', count(*) FILTER (WHERE status = 'pending'),
          'capped', count(*) FILTER (WHERE status = 'capped'), 'failed', count(*) FILTER (WHERE status = 'failed')
        ) AS days, coalesce(sum(rows), 0)::float8 AS rows, coalesce(sum(bytes), 0)::float8 AS bytes
      FROM dataset_days WHERE dataset_id = datasets.id
    ) AS sums
    WHERE ${which} ${end}`)

const datasets = rowsOf(Dataset.mapFields((fields) => ({
  ...fields,
  next_run_at: Schema.NullOr(Schema.Date),
  created_at: Schema.Date
})))

const days = rowsOf(DatasetDay.mapFields((fields) => ({ ...fields, fetched_at: Schema.NullOr(Schema.Date) })))
