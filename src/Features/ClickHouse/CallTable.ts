import { PgTypes } from "@effect/sql-pg"
import { Duration, Effect, Record } from "effect"
import { copiedColumns } from "../../Calls/Log/Storage/CopiedRows.ts"
import { refusedRetention } from "../../Calls/Log/Storage/RefusedCalls.ts"
import { ClickHouse } from "./ClickHouse.ts"

const { bool, float8, int2, text, timestamptz } = PgTypes.OID

const types = new Map<number, string>([
  [bool, "Nullable(Bool)"],
  [float8, "Nullable(Float64)"],
  [int2, "Nullable(Int16)"],
  [text, "LowCardinality(Nullable(String))"],
  [timestamptz, "Nullable(DateTime64(3, 'UTC'))"]
])

const ownTypes: Readonly<Record<string, string>> = {
  id: "String",
  created_at: "DateTime64(3, 'UTC')",
  bodies: "Nullable(String) CODEC(ZSTD(3))",
  request: "Nullable(String) CODEC(ZSTD(3))",
  response: "Nullable(String) CODEC(ZSTD(3))",
  same_data_as: "Nullable(String)",
  undo_of: "Nullable(String)",
  bulk_call_id: "Nullable(String)",
  secret_hashes: "Nullable(String)"
}

/** A column of the log that a later version adds becomes a column here. */
const columns: Readonly<Record<string, string>> = {
  ...Record.map(copiedColumns, (oid, name) => ownTypes[name] ?? types.get(oid) ?? "Nullable(String)"),
  // True for a refused call of an unknown caller.
  refused: "Bool"
}

/** Indexes that find rare values without reading every row. */
const indexed = ["connection_id", "client_id", "member_id", "key_id", "grant_id", "resource", "error_code", "undo_of"]

/** Later days are beyond ClickHouse's `DateTime`. */
const maxRetention = Duration.days(20_000)

const ttlOf = (retention: Duration.Duration): string =>
  [
    ...(Duration.isLessThan(retention, maxRetention) ? [`${ends(retention)} DELETE`] : []),
    `${ends(refusedRetention(retention))} DELETE WHERE refused`
  ].join(", ")

const ends = (retention: Duration.Duration): string =>
  `toDateTime(created_at) + toIntervalSecond(${Math.ceil(Duration.toSeconds(retention))})`

/** Creates the table after `beforeNew`, or adds what an older version did not have. */
export const prepareTable = Effect.fnUntraced(function*<E>(
  retention: Duration.Duration,
  beforeNew: Effect.Effect<unknown, E>
) {
  const { command, database, query, table } = yield* ClickHouse
  const declared = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  const indices = indexed.map((name) => `INDEX by_${name} ${name} TYPE bloom_filter GRANULARITY 4`)
  const [made] = yield* query<{ readonly statement: string }>(
    "SELECT create_table_query AS statement FROM system.tables WHERE database = {database: String} AND name = 'calls'",
    { database }
  )
  if (made === undefined) yield* beforeNew
  yield* command(
    `CREATE TABLE IF NOT EXISTS ${table} (${[...declared, ...indices].join(", ")})
    ENGINE = ReplacingMergeTree PARTITION BY toMonday(created_at) ORDER BY (created_at, id) TTL ${ttlOf(retention)}`
  )
  const existing = yield* query<{ readonly name: string }>(
    "SELECT name FROM system.columns WHERE database = {database: String} AND table = 'calls'",
    { database }
  )
  const names = new Set(existing.map(({ name }) => name))
  const added = Object.entries(columns).filter(([name]) => !names.has(name))
  if (added.length > 0) {
    yield* command(`ALTER TABLE ${table} ${added.map(([name, type]) => `ADD COLUMN ${name} ${type}`).join(", ")}`)
  }
  if (made?.statement.includes(`toIntervalSecond(${Math.ceil(Duration.toSeconds(retention))})`) === false) {
    yield* command(`ALTER TABLE ${table} MODIFY TTL ${ttlOf(retention)} SETTINGS materialize_ttl_after_modify = 0`)
  }
})

/** The text that ClickHouse reads as a time. */
export const toTime = (date: Date): string => date.toISOString().slice(0, -1).replace("T", " ")

/** Bytes are in base64, because JSON has no other text for them. */
const toValue = (value: unknown): unknown => {
  if (value instanceof Date) return toTime(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value
}

export const toClickHouseRow = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, toValue(value)])
  )

export const fromTime = (text: string): Date => new Date(`${text.replace(" ", "T")}Z`)
