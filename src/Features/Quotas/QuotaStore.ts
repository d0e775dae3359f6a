import { PgTypes } from "@effect/sql-pg"
import { Clock, Context, Effect, Exit, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomInt } from "node:crypto"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { makeBatcher } from "../../Sql/Batcher.ts"
import { array, textArray } from "../../Sql/BulkStatement.ts"
import { sweepTable } from "../../Sql/Sweep.ts"
import { Bucket, emptyBucket, endsAt } from "./Bucket/Bucket.ts"

const lock = advisoryLock("quotas", 7_226_924)
const reachLock = advisoryLock("quota_reach")
const usesLock = advisoryLock("quota_uses")

/** `change` may run several times, because other instances change the same bucket. */
export interface BucketChange {
  readonly key: string
  readonly change: (bucket: Bucket) => Bucket
}

/** A bucket that a connection has used in its window. */
export interface BucketUse {
  readonly key: string
  readonly connectionId: ConnectionId
  readonly quota: string
  readonly resource: string | null
  /** Epoch milliseconds. */
  readonly endsAt: number
}

/** The buckets of all instances of one database. */
export class QuotaStore extends Context.Service<QuotaStore, {
  readonly change: (change: BucketChange) => Effect.Effect<void>
  readonly read: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Bucket>>
  readonly addUses: (uses: ReadonlyArray<BucketUse>) => Effect.Effect<void>
  readonly uses: (connectionIds: ReadonlyArray<ConnectionId>) => Effect.Effect<ReadonlyArray<Omit<BucketUse, "endsAt">>>
  /** Until when it is remembered that an account reaches a resource, in epoch milliseconds. 0: it is not. */
  readonly reachedUntil: (key: string) => Effect.Effect<number>
  readonly addReach: (key: string, until: number) => Effect.Effect<void>
}>()("openaccounts/Features/Quotas/QuotaStore") {
  static readonly layer = Layer.effect(
    QuotaStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const change = yield* makeBatcher(changeTogether(sql), { joinsTurn: true })

      const isOld = (now: Date) => sql`ends_at <= ${now}`
      yield* sweepTable({ lock, what: "quotas", table: "quota_buckets", isOld })
      yield* sweepTable({ lock: reachLock, what: "quotas", table: "quota_reach", isOld })
      yield* sweepTable({ lock: usesLock, what: "quotas", table: "quota_uses", isOld })

      return QuotaStore.of({
        change,
        read: (keys) =>
          Effect.map(
            Effect.orDie(readBuckets(sql, keys)),
            (found) => new Map(found.map(([key, { bucket }]) => [key, bucket]))
          ),
        addUses: (uses) =>
          uses.length === 0 ? Effect.void : Effect.asVoid(Effect.orDie(sql`
            INSERT INTO quota_uses (connection_id, key, quota, resource, ends_at)
            SELECT * FROM unnest(
              ${textArray(uses.map(({ connectionId }) => connectionId))},
              ${textArray(uses.map(({ key }) => key))},
              ${textArray(uses.map(({ quota }) => quota))},
              ${array(uses.map(({ resource }) => resource), PgTypes.OID.text)},
              ${array(uses.map(({ endsAt }) => new Date(endsAt)), PgTypes.OID.timestamptz)}
            ) AS used (connection_id, key, quota, resource, ends_at)
            ORDER BY connection_id COLLATE "C", key COLLATE "C"
            ON CONFLICT (connection_id, key) DO UPDATE SET ends_at = greatest(quota_uses.ends_at, excluded.ends_at)`)),
        uses: (connectionIds) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.orDie(sql<Omit<BucketUse, "endsAt">>`
              SELECT key, connection_id AS "connectionId", quota, resource FROM quota_uses
              WHERE connection_id = ANY(${textArray(connectionIds)}) AND ends_at > ${new Date(now)}
              ORDER BY quota, connection_id, resource, key
              LIMIT 10000`)),
        reachedUntil: (key) =>
          Effect.map(
            Effect.orDie(
              sql<{ readonly endsAt: Date }>`SELECT ends_at AS "endsAt" FROM quota_reach WHERE key = ${key}`
            ),
            ([row]) => row?.endsAt.getTime() ?? 0
          ),
        addReach: (key, until) =>
          Effect.asVoid(Effect.orDie(sql`
            INSERT INTO quota_reach (key, ends_at) VALUES (${key}, ${new Date(until)})
            ON CONFLICT (key) DO UPDATE SET ends_at = greatest(quota_reach.ends_at, excluded.ends_at)`))
      })
    })
  )
}

const BucketText = Schema.fromJsonString(Bucket)
const decodeText = Schema.decodeUnknownOption(BucketText)
const encode = Schema.encodeSync(BucketText)

/** A bucket of another version of the service starts again. */
const decode = (text: string): Bucket => Option.getOrElse(decodeText(text), () => emptyBucket)

interface Cached {
  readonly version: number
  readonly bucket: Bucket
}

const readBuckets = (sql: SqlClient.SqlClient, keys: ReadonlyArray<string>) =>
  Effect.map(
    sql<{ readonly key: string; readonly version: number; readonly bucket: string }>`
      SELECT key, version, bucket FROM quota_buckets WHERE key = ANY(${textArray(keys)})`,
    (rows) => rows.map(({ bucket, key, version }): [string, Cached] => [key, { version, bucket: decode(bucket) }])
  )

const maxCached = 10_000

/**
 * Changes buckets by compare and swap: an instance that alone changes a bucket needs one statement. After a conflict it
 * reads the buckets that others have changed.
 */
const changeTogether = (sql: SqlClient.SqlClient) => {
  const cached = new Map<string, Cached>()

  const write = Effect.fnUntraced(function*(changed: ReadonlyMap<string, Cached>) {
    const now = yield* Clock.currentTimeMillis
    const keys = [...changed.keys()].toSorted()
    const states = keys.map((key) => changed.get(key) ?? { version: 0, bucket: emptyBucket })
    const written = yield* sql<{ readonly key: string }>`
      INSERT INTO quota_buckets AS held (key, version, bucket, ends_at)
      SELECT key, version, bucket, ends_at
      FROM unnest(
        ${textArray(keys)},
        ${array(states.map(({ version }) => version), PgTypes.OID.int4)},
        ${textArray(states.map(({ bucket }) => encode(bucket)))},
        ${array(states.map(({ bucket }) => new Date(endsAt(bucket, now))), PgTypes.OID.timestamptz)}
      ) AS changed (key, version, bucket, ends_at)
      ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO UPDATE SET
        version = excluded.version, bucket = excluded.bucket, ends_at = excluded.ends_at
      WHERE (held.key, held.version) IN (
        SELECT * FROM unnest(
          ${textArray(keys)},
          ${array(keys.map((key) => cached.get(key)?.version ?? 0), PgTypes.OID.int4)}
        )
      )
      RETURNING key`
    return new Set(written.map(({ key }) => key))
  })

  return (changes: ReadonlyArray<BucketChange>) =>
    Effect.orDie(Effect.gen(function*() {
      if (cached.size > maxCached) cached.clear()
      for (let left = changes;;) {
        const changed = new Map<string, Cached>()
        for (const { change, key } of left) {
          const before = changed.get(key)?.bucket ?? cached.get(key)?.bucket ?? emptyBucket
          changed.set(key, { version: randomInt(1, 2 ** 31), bucket: change(before) })
        }
        const written = yield* write(changed)
        for (const [key, state] of changed) if (written.has(key)) cached.set(key, state)
        left = left.filter(({ key }) => !written.has(key))
        if (left.length === 0) return changes.map(() => Exit.void)
        for (const { key } of left) cached.delete(key)
        for (const [key, found] of yield* readBuckets(sql, left.map(({ key }) => key))) cached.set(key, found)
      }
    }))
}
