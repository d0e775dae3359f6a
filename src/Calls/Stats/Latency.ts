import type { SqlClient } from "effect/sql"

/**
 * Latencies are counted in buckets, each a tenth wider than the one before, so that counts can be added. Bucket `i` holds
 * latencies up to 1.1^i milliseconds. The middle of a bucket is at most 5 % from any latency in it.
 */
const growth = 1.1

/** In milliseconds. Shorter latencies count as this. */
const shortest = 0.01

export const latencyBucket = (sql: SqlClient.SqlClient) =>
  sql.literal(`ceil(ln(greatest(latency_ms, ${shortest})) / ln(${growth}::double precision))::integer`)

const middle = (bucket: number): number => 2 * growth ** bucket / (growth + 1)

/**
 * Returns the latencies below which these shares of the calls are, in milliseconds with three decimals.
 *
 * @param pairs of a bucket and its number of calls; a bucket may occur several times
 */
export const percentiles = (pairs: ReadonlyArray<number>, shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const counts = new Map<number, number>()
  let total = 0
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [bucket = 0, count = 0] = pairs.slice(i, i + 2)
    counts.set(bucket, (counts.get(bucket) ?? 0) + count)
    total += count
  }
  const ascending = [...counts].toSorted(([a], [b]) => a - b)
  const percentile = (share: number): number => {
    let rest = Math.ceil(share * total)
    for (const [bucket, count] of ascending) {
      rest -= count
      if (rest <= 0) return Math.round(middle(bucket) * 1000) / 1000
    }
    return 0
  }
  return shares.map(percentile)
}
