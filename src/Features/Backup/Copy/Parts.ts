import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

export const Outline = Schema.Struct({
  name: Schema.String,
  columns: Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String })),
  partitions: Schema.Array(Schema.Struct({
    name: Schema.String,
    bound: Schema.String.check(Schema.isPattern(/^FOR VALUES FROM \((?:MINVALUE|'[-+: \d]+')\) TO \('[-+: \d]+'\)$/))
  }))
})
export type Outline = typeof Outline.Type

/** `sum` adds the hashes of all rows. */
export const Sum = Schema.Struct({ rows: Schema.String, sum: Schema.String })
export type Sum = typeof Sum.Type

/** A copy of a database: its `migrations` and tables, then rows as text, then the sums. */
export const Part = Schema.Union([
  Schema.Struct({ migrations: Schema.Array(Schema.String), tables: Schema.Array(Outline) }),
  Schema.Struct({ table: Schema.String, rows: Schema.Array(Schema.Array(Schema.NullOr(Schema.String))) }),
  Schema.Struct({ sums: Schema.Record(Schema.String, Sum) })
])
export type Part = typeof Part.Type

/** The text of values must be the same on every server. */
export const useCommonText = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach([
    sql`SET LOCAL TimeZone = 'UTC'`,
    sql`SET LOCAL DateStyle = 'ISO, MDY'`,
    sql`SET LOCAL IntervalStyle = 'postgres'`,
    sql`SET LOCAL bytea_output = 'hex'`,
    sql`SET LOCAL extra_float_digits = 1`,
    sql`SET LOCAL statement_timeout = 0`,
    sql`SET LOCAL idle_in_transaction_session_timeout = 0`
  ], (statement) =>
    statement, { discard: true }))

/**
 * Tables that refer to another come last. Unlogged tables hold what the service makes again: the cache and counts of
 * requests.
 */
export const outlines = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql<Outline>`
    SELECT relname AS name, (
      SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY attnum)
      FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    ) AS columns, (
      SELECT coalesce(json_agg(
        json_build_object('name', part.relname, 'bound', pg_get_expr(part.relpartbound, part.oid)) ORDER BY part.relname
      ), '[]') FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid WHERE inhparent = pg_class.oid
    ) AS partitions
    FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relpersistence = 'p' AND relname <> 'effect_sql_migrations'
    ORDER BY EXISTS (SELECT FROM pg_constraint WHERE conrelid = pg_class.oid AND contype = 'f'), relname COLLATE "C"`)

/** Sums do not depend on the order of rows. */
export const sumsOf = Effect.fnUntraced(function*(tables: ReadonlyArray<Outline>) {
  const sql = yield* SqlClient.SqlClient
  const sums: Record<string, Sum> = {}
  for (const { name } of tables) {
    const [sum] = yield* sql<Sum>`
      SELECT count(*)::text AS rows, coalesce(sum(
        ('x' || encode(substr(sha256(convert_to(one::text, 'UTF8')), 1, 7), 'hex'))::bit(56)::bigint
      ), 0)::text AS sum
      FROM ${sql(name)} AS one`
    if (sum !== undefined) sums[name] = sum
  }
  return sums
})
