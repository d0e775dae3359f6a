import { dayInMillis } from "../../../Dashboard/Parts/Day.ts"
import type { StatsBucket } from "../../../Domain/Calls/Stats.ts"

const hourInMillis = 3_600_000

/** In UTC, as the service counts. Buckets of `step` milliseconds. */
export interface Period {
  readonly title: string
  readonly before: string
  readonly bucket: "hour" | "day"
  readonly step: number
  readonly first: number
  readonly count: number
}

const until = (now: number, step: number, count: number) => (Math.floor(now / step) - count + 1) * step

const lastMonth = (now: number): Period => {
  const today = new Date(now)
  const end = Date.UTC(today.getUTCFullYear(), today.getUTCMonth())
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1)
  const count = (end - first) / dayInMillis
  return { title: "Last month", before: "the month before", bucket: "day", step: dayInMillis, first, count }
}

export const periodNames = ["day", "", "month", "last_month"] as const
export type PeriodName = typeof periodNames[number]

export const periodNameOf = (text: string): PeriodName => periodNames.find((name) => name === text) ?? ""

export const periodOf = (name: PeriodName, now: number): Period => {
  const days = { bucket: "day", step: dayInMillis } as const
  switch (name) {
    case "day":
      return {
        title: "Last 24 hours",
        before: "the 24 hours before",
        bucket: "hour",
        step: hourInMillis,
        first: until(now, hourInMillis, 24),
        count: 24
      }
    case "":
      return {
        title: "Last 7 days",
        before: "the 7 days before",
        ...days,
        first: until(now, dayInMillis, 7),
        count: 7
      }
    case "month":
      return {
        title: "Last 30 days",
        before: "the 30 days before",
        ...days,
        first: until(now, dayInMillis, 30),
        count: 30
      }
    case "last_month":
      return lastMonth(now)
  }
}

export const endOf = ({ count, first, step }: Period): number => first + count * step

interface Span {
  readonly since: Date
  readonly until?: Date
}

export const spanOf = (name: PeriodName, now: number): Span => {
  const period = periodOf(name, now)
  return { since: new Date(period.first), ...name === "last_month" && { until: new Date(endOf(period)) } }
}

/** The period before, until the same time of its last day: a day that has not ended is not compared with a whole one. */
export const spanBefore = (name: PeriodName, now: number): Span => {
  const { count, first, step } = periodOf(name, now)
  return name === "last_month"
    ? spanOf(name, first)
    : { since: new Date(first - count * step), until: new Date(now - count * step) }
}

const formats = {
  hour: new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }),
  day: new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" })
}

export const formatStart = ({ bucket }: Period, start: Date): string => formats[bucket].format(start)

export interface Bucket extends Omit<StatsBucket, "group" | "p50_ms" | "p95_ms"> {
  readonly p50_ms: number | null
  readonly p95_ms: number | null
}

export const withEmptyBuckets = (
  found: ReadonlyArray<Bucket>,
  { count, first, step }: Period
): ReadonlyArray<Bucket> => {
  const byStart = new Map(found.map((bucket) => [bucket.start.getTime(), bucket]))
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * step
    return byStart.get(start) ??
      { start: new Date(start), calls: 0, errors: 0, cached: 0, p50_ms: null, p95_ms: null, cost_usd: 0 }
  })
}
