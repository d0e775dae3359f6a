import { dayInMillis, hourInMillis, shortDay } from "../../../Dashboard/Parts/Day.ts"
import { maxStatsDays, type StatsBucket } from "../../../Domain/Calls/Stats.ts"

const formats = {
  hour: new Intl.DateTimeFormat(undefined, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
    timeZoneName: "short"
  }),
  day: shortDay
}

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

const ofDays = (title: string, before: string, first: number, count: number): Period => ({
  title,
  before,
  bucket: "day",
  step: dayInMillis,
  first,
  count
})

const lastDays = (now: number, count: number) =>
  ofDays(`Last ${count} days`, `the ${count} days before`, until(now, dayInMillis, count), count)

/** The start of the month of `now`, or of one that is some months later. */
const monthOf = (now: number, later = 0): number => {
  const today = new Date(now)
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + later)
}

const lastMonth = (now: number) => {
  const first = monthOf(now, -1)
  return ofDays("Last month", "the month before", first, (monthOf(now) - first) / dayInMillis)
}

export const periodNames = ["day", "", "month", "this_month", "last_month"] as const

/** A chosen range of days: the first and the last one, such as `2026-11-01..2026-11-15`. */
export type ChosenDays = `${string}..${string}`
export type PeriodName = typeof periodNames[number] | ChosenDays

const millisOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** `undefined` for a range that the service does not answer. */
export const chosenDays = (from: string, to: string): ChosenDays | undefined => {
  const count = (millisOf(to) - millisOf(from)) / dayInMillis + 1
  return count >= 1 && count <= maxStatsDays ? `${from}..${to}` : undefined
}

const isoDays = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/

export const periodNameOf = (text: string): PeriodName => {
  const [, from = "", to = ""] = isoDays.exec(text) ?? []
  return chosenDays(from, to) ?? periodNames.find((name) => name === text) ?? ""
}

const periodOfDays = (days: ChosenDays): Period => {
  const [from = "", to = ""] = days.split("..")
  const first = millisOf(from)
  const count = (millisOf(to) - first) / dayInMillis + 1
  const before = count === 1 ? "the day before" : `the ${count} days before`
  return ofDays(formats.day.formatRange(first, millisOf(to)), before, first, count)
}

export const periodOf = (name: PeriodName, now: number): Period => {
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
      return lastDays(now, 7)
    case "month":
      return lastDays(now, 30)
    case "this_month":
      return ofDays("This month", "last month until the same day", monthOf(now), new Date(now).getUTCDate())
    case "last_month":
      return lastMonth(now)
    default:
      return periodOfDays(name)
  }
}

/** The title inside a sentence. */
export const wordsOf = (title: string): string => title.replace(/^(?:Last|This)\b/, (word) => word.toLowerCase())

export const endOf = ({ count, first, step }: Period): number => first + count * step

interface Span {
  readonly since: Date
  readonly until?: Date
}

export const spanOf = (name: PeriodName, now: number): Span => {
  const period = periodOf(name, now)
  const end = endOf(period)
  return { since: new Date(period.first), ...end <= now && { until: new Date(end) } }
}

/** The period before, until the same time of its last day: a day that has not ended is not compared with a whole one. */
export const spanBefore = (name: PeriodName, now: number): Span => {
  const { count, first, step } = periodOf(name, now)
  if (name === "last_month") return spanOf(name, first)
  const elapsed = Math.min(now - first, count * step)
  const start = name === "this_month" ? lastMonth(now).first : first - count * step
  return { since: new Date(start), until: new Date(Math.min(first, start + elapsed)) }
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
      { start: new Date(start), calls: 0, errors: 0, refused: 0, cached: 0, p50_ms: null, p95_ms: null, cost_usd: 0 }
  })
}
