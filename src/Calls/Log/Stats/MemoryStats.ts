import { type LoggedCall, matchesFilter } from "../../../Domain/Calls/Call.ts"
import {
  failureCodes,
  maxStatsBuckets,
  type Stats,
  type StatsBucket,
  type StatsDimension,
  statsFields,
  type StatsRequest
} from "../../../Domain/Calls/Stats.ts"
import { day, hour } from "../Storage/LogDay.ts"

/** The statistics of calls in memory. Percentiles are exact. */
export const statsOf = (
  calls: ReadonlyArray<LoggedCall>,
  { bucket, group, group_by, only = {}, since, until }: StatsRequest
): Stats => {
  const unit = bucket === "day" ? day : hour
  const startOf = ({ created_at }: LoggedCall) => Math.floor(created_at.getTime() / unit) * unit
  const counted = calls.filter((call) => matchesFilter(call, { ...only, since, until }))
    .filter((call) => group === undefined || groupOf(call, group_by) === group)
  const buckets = [...Map.groupBy(counted, startOf)]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([start, ofBucket]) =>
      [...Map.groupBy(ofBucket, (call) => groupOf(call, group_by))]
        .toSorted(([one], [other]) => (one ?? "") < (other ?? "") ? -1 : 1)
        .map(([group, calls]) => ({ start: new Date(start), group, ...figures(calls) }))
    )
  return { buckets: buckets.slice(0, maxStatsBuckets), truncated: buckets.length > maxStatsBuckets }
}

const groupOf = (call: LoggedCall, dimension: StatsDimension | undefined): string | null =>
  dimension === undefined ? null : call[statsFields[dimension]]

const figures = (calls: ReadonlyArray<LoggedCall>): Omit<StatsBucket, "start" | "group"> => {
  const latencies = calls.map(({ latency_ms }) => latency_ms).toSorted((one, other) => one - other)
  const percentile = (share: number) => latencies[Math.ceil(share * calls.length) - 1] ?? 0
  return {
    calls: calls.length,
    errors: calls.filter(({ error_code }) => error_code !== null).length,
    refused: calls.filter(({ error_code }) => error_code !== null && !failureCodes.includes(error_code)).length,
    cached: calls.filter(({ cached }) => cached).length,
    p50_ms: percentile(0.5),
    p95_ms: percentile(0.95),
    cost_usd: Number(calls.reduce((sum, { cost_usd }) => sum + cost_usd, 0).toFixed(9))
  }
}
