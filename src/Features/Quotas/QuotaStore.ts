import { Array as Arr, Clock, Context, Effect, Exit, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomInt } from "node:crypto"
import type { ConnectionId } from "../../Domain/Ids.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { makeBatcher } from "../../Sql/Batcher.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { sweepTable } from "../../Sql/Sweep.ts"
import { Bucket, emptyBucket, endsAt } from "./Bucket.ts"

const lock = advisoryLock("quotas", 7_226_924)
const reachLock = advisoryLock("quota_reach")
const usesLock = advisoryLock("quota_uses")

/** A bucket as this instance saw it last. The store changes it. */
export interface StoredBucket {
  readonly key: string
  bucket: Bucket
  /** 0 before the first change. */
  version: number
}

/** `change` may run several times, because other instances change the same bucket. */
export interface BucketChange {
  readonly stored: StoredBucket
  readonly change: (bucket: Bucket) => Bucket
}

/** A bucket that a connection has used in its window. */
export type BucketUse = {
  readonly key: string
  readonly connection_id: ConnectionId
  readonly quota: string
  readonly resource: string | null
  readonly ends_at: Date
}

/** The buckets of all instances of one database. */
export class QuotaStore extends Context.Service<QuotaStore, {
  readonly change: (change: BucketChange) => Effect.Effect<void>
  readonly read: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Pick<StoredBucket, "bucket">>>
  /** `uses` are sorted by connection and key. */
  readonly addUses: (uses: ReadonlyArray<BucketUse>) => Effect.Effect<void>
  readonly uses: (connectionIds: ReadonlyArray<ConnectionId>) => Effect.Effect<ReadonlyArray<BucketUse>>
  /** The time until which an account is known to reach a resource, in epoch milliseconds. 0 if it is not known. */
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
        read: (keys) => Effect.orDie(readBuckets(sql, keys)),
        addUses: (uses) =>
          Arr.isReadonlyArrayNonEmpty(uses) ?
            Effect.asVoid(Effect.orDie(sql`
            INSERT INTO quota_uses ${sql.insert(uses)}
            ON CONFLICT (connection_id, key) DO UPDATE SET ends_at = greatest(quota_uses.ends_at, excluded.ends_at)`)) :
            Effect.void,
        uses: (connectionIds) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.orDie(sql<BucketUse>`
              SELECT key, connection_id, quota, resource, ends_at FROM quota_uses
              WHERE connection_id = ANY(${textArray(connectionIds)}) AND ends_at > ${new Date(now)}
              ORDER BY quota, connection_id, resource, key
              LIMIT 10000`)),
        reachedUntil: (key) =>
          Effect.map(
            Effect.orDie(sql<{ readonly ends_at: Date }>`SELECT ends_at FROM quota_reach WHERE key = ${key}`),
            ([row]) => row?.ends_at.getTime() ?? 0
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

type State = Omit<StoredBucket, "key">

const readBuckets = (sql: SqlClient.SqlClient, keys: ReadonlyArray<string>) =>
  Effect.map(
    sql<{ readonly key: string; readonly version: number; readonly bucket: string }>`
      SELECT key, version, bucket FROM quota_buckets WHERE key = ANY(${textArray(keys)})`,
    (rows) => new Map<string, State>(rows.map(({ bucket, key, version }) => [key, { version, bucket: decode(bucket) }]))
  )

/** Counts up from a random number, so that a row that was deleted and made again has another one. */
const versionAfter = (version: number): number => version === 0 ? randomInt(1, 2 ** 31) : version % (2 ** 31 - 1) + 1

/**
 * Changes buckets by compare and swap: an instance that alone changes a bucket needs one statement. After a conflict it
 * reads the buckets that others have changed.
 */
const changeTogether = (sql: SqlClient.SqlClient) => {
  const write = Effect.fnUntraced(function*(changed: ReadonlyMap<string, State>) {
    const now = yield* Clock.currentTimeMillis
    const rowOf = ([key, { bucket, version }]: readonly [string, State]) => ({
      key,
      version,
      bucket: encode(bucket),
      ends_at: new Date(endsAt(bucket, now))
    })
    // Instances that write the same rows lock them in the same order.
    const [first, ...more] = [...changed].toSorted(([one], [other]) => one < other ? -1 : 1)
    if (first === undefined) return new Set<string>()
    const written = yield* sql<{ readonly key: string }>`
      INSERT INTO quota_buckets ${sql.insert([rowOf(first), ...more.map(rowOf)])}
      ON CONFLICT (key) DO UPDATE SET
        version = excluded.version, bucket = excluded.bucket, ends_at = excluded.ends_at
      WHERE excluded.version = quota_buckets.version % 2147483647 + 1
      RETURNING key`
    return new Set(written.map(({ key }) => key))
  })

  return (changes: ReadonlyArray<BucketChange>) =>
    Effect.orDie(Effect.gen(function*() {
      for (let left = changes; left.length > 0;) {
        const changed = new Map<string, State>()
        for (const { change, stored } of left) {
          const state = changed.get(stored.key) ?? { bucket: stored.bucket, version: versionAfter(stored.version) }
          changed.set(stored.key, { ...state, bucket: change(state.bucket) })
        }
        const written = yield* write(changed)
        const lost = left.filter(({ stored }) => !written.has(stored.key))
        const found = lost.length === 0 ? changed : yield* readBuckets(sql, lost.map(({ stored }) => stored.key))
        for (const { stored } of left) {
          const state = (written.has(stored.key) ? changed : found).get(stored.key)
          Object.assign(stored, state ?? { bucket: emptyBucket, version: 0 })
        }
        left = lost
      }
      return changes.map(() => Exit.void)
    }))
}
