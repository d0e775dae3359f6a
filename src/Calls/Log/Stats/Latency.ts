import type { SqlClient } from "effect/sql"

/**
 * Counts of buckets can be added. Bucket `i` holds latencies up to 1.1^i milliseconds, so its middle is within 5 % of
 * each of them.
 */
export const growth = 1.1

export const shortestMillis = 0.01

export const latencyBucket = (sql: SqlClient.SqlClient) =>
  sql.literal(`ceil(ln(greatest(latency_ms, ${shortestMillis})) / ln(${growth}::double precision))::integer`)

const middle = (bucket: number): number => 2 * growth ** bucket / (growth + 1)

/**
 * Finds percentiles of latency, in milliseconds with three decimals. `pairs` alternates a bucket and its number of
 * calls, and may repeat a bucket.
 */
export const percentilesOf = (pairs: ReadonlyArray<number>): (share: number) => number => {
  const counts = new Map<number, number>()
  let total = 0
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [bucket = 0, count = 0] = pairs.slice(i, i + 2)
    counts.set(bucket, (counts.get(bucket) ?? 0) + count)
    total += count
  }
  const ascending = [...counts].toSorted(([a], [b]) => a - b)
  return (share) => {
    let rest = Math.ceil(share * total)
    for (const [bucket, count] of ascending) {
      rest -= count
      if (rest <= 0) return Math.round(middle(bucket) * 1000) / 1000
    }
    return 0
  }
}
