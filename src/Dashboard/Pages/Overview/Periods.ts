import type { StatsBucket } from "../../../Domain/Stats.ts"
import { dayInMillis } from "../../Parts/Day.ts"
import type { Bucket } from "./CallChart.tsx"

const hourInMillis = 3_600_000

export const periods = {
  "": { title: "Last 7 days", bucket: "day", step: dayInMillis, count: 7 },
  day: { title: "Last 24 hours", bucket: "hour", step: hourInMillis, count: 24 },
  month: { title: "Last 30 days", bucket: "day", step: dayInMillis, count: 30 }
} as const

export const periodOf = (name: string) => periods[name === "day" || name === "month" ? name : ""]
export type Period = ReturnType<typeof periodOf>

/** In UTC, as the service counts. */
export const startOf = ({ count, step }: Period): number => (Math.floor(Date.now() / step) - count + 1) * step

const formats = {
  hour: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }),
  day: new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" })
}

export const formatStart = ({ bucket }: Period, start: Date): string => formats[bucket].format(start)

export const withEmptyBuckets = (found: ReadonlyArray<StatsBucket>, period: Period): ReadonlyArray<Bucket> => {
  const byStart = new Map(found.map((bucket) => [bucket.start.getTime(), bucket]))
  const first = startOf(period)
  return Array.from({ length: period.count }, (_, index) => {
    const start = first + index * period.step
    return byStart.get(start) ??
      { start: new Date(start), calls: 0, errors: 0, cached: 0, p50_ms: null, p95_ms: null, cost_usd: 0 }
  })
}
