import { Struct } from "effect"
import { dayInMillis, hourInMillis } from "../../../Dashboard/Parts/Day.ts"
import type { CallFilter } from "../../../Domain/Calls/Call.ts"
import { maxStatsDays, type StatsBucket, type StatsDimension, type StatsQuery } from "../../../Domain/Calls/Stats.ts"

const shownDays = 30

/** The calls in one hour or day of UTC, or in the part of it that is counted. */
export interface Bar {
  readonly start: Date
  readonly end: Date
  readonly succeeded: number
  readonly failed: number
  /** Whether the filter names an hour or a part of the day, and this bar is in it. */
  readonly isChosen: boolean
}

interface Span {
  readonly bucket: "hour" | "day"
  readonly since: Date
  readonly until?: Date
}

/** Hours for up to two days. A part of one day is shown within its day. `undefined` if the time has no length. */
export const histogramSpan = ({ since, until }: CallFilter, now: number): Span | undefined => {
  const end = until?.getTime() ?? now
  const today = Math.floor(now / dayInMillis) * dayInMillis
  if (since === undefined) {
    const last = until === undefined ? today : end - dayInMillis
    return { bucket: "day", since: new Date(last - (shownDays - 1) * dayInMillis), ...until && { until } }
  }
  const length = end - since.getTime()
  if (length <= 0) return undefined
  if (length > 2 * dayInMillis) {
    const earliest = (Math.ceil(end / dayInMillis) - maxStatsDays) * dayInMillis
    return { bucket: "day", since: new Date(Math.max(earliest, since.getTime())), ...until && { until } }
  }
  if (until === undefined || length >= dayInMillis) return { bucket: "hour", since, ...until && { until } }
  return {
    bucket: "hour",
    since: new Date(Math.floor(since.getTime() / dayInMillis) * dayInMillis),
    until: new Date(Math.ceil(until.getTime() / dayInMillis) * dayInMillis)
  }
}

const dimensions: Readonly<Record<string, StatsDimension>> = {
  provider: "provider",
  target: "target",
  client_id: "client",
  connection_id: "connection",
  key_id: "key",
  grant_id: "grant",
  error_code: "error_code"
}

/** `undefined` where the service keeps no figures: of a resource or a member, and of two fields together. */
export const histogramQuery = (filter: CallFilter): Pick<StatsQuery, "group" | "group_by"> | undefined => {
  const [first, ...others] = Object.entries(Struct.omit(filter, ["cached", "outcome", "since", "until"]))
  if (first === undefined) return {}
  const group_by = dimensions[first[0]]
  return group_by === undefined || others.length > 0 ? undefined : { group_by, group: first[1] }
}

/** Includes bars without calls. */
export const histogramBars = (
  buckets: ReadonlyArray<StatsBucket>,
  { cached, outcome, since: chosenSince, until: chosenUntil }: CallFilter,
  { bucket, since, until }: Span,
  now: number
): ReadonlyArray<Bar> => {
  const step = bucket === "hour" ? hourInMillis : dayInMillis
  const first = Math.floor(since.getTime() / step) * step
  const count = Math.ceil(((until?.getTime() ?? now) - first) / step)
  const found = new Map(buckets.map((each) => [each.start.getTime(), each]))
  const chosen = chosenSince !== undefined && chosenUntil !== undefined && until !== undefined &&
      (since < chosenSince || until > chosenUntil)
    ? { from: chosenSince.getTime(), to: chosenUntil.getTime() }
    : undefined
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * step
    const { cached: fromCache = 0, calls = 0, errors = 0 } = found.get(start) ?? {}
    const succeeded = cached === undefined ? calls - errors : cached ? fromCache : calls - errors - fromCache
    return {
      start: new Date(Math.max(start, since.getTime())),
      end: new Date(Math.min(start + step, until?.getTime() ?? Infinity)),
      succeeded: outcome === "error" ? 0 : succeeded,
      failed: outcome === "ok" || cached === true ? 0 : errors,
      isChosen: chosen !== undefined && start + step > chosen.from && start < chosen.to
    }
  })
}
