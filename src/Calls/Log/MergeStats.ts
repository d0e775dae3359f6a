import type { StatsRow } from "./CallStats.ts"

/** Adds figures of the same bucket and value that come from two stores. Returns the buckets in their order. */
export const mergeStats = (rows: ReadonlyArray<StatsRow>): ReadonlyArray<StatsRow> => {
  const merged = new Map<string, StatsRow>()
  for (const row of rows) {
    const name = `${row.start?.getTime()} ${row.value}`
    const other = merged.get(name)
    merged.set(
      name,
      other === undefined ? row : {
        start: row.start,
        value: row.value,
        calls: row.calls + other.calls,
        errors: row.errors + other.errors,
        refused: row.refused + other.refused,
        cached: row.cached + other.cached,
        cost: row.cost + other.cost,
        latencies: `${other.latencies},${row.latencies}`
      }
    )
  }
  return [...merged.values()].filter(({ start }) => start !== null)
    .toSorted((one, other) =>
      (one.start?.getTime() ?? 0) - (other.start?.getTime() ?? 0) || (one.value < other.value ? -1 : 1)
    )
}
