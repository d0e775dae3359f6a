import { millis, number, share } from "../../../Dashboard/Parts/Numbers.ts"
import type { Bucket, Period } from "./Periods.ts"
import { changeOf, dollars, millisBetween } from "./StatsWords.ts"

export const totals = (buckets: ReadonlyArray<Bucket> = []) => {
  const sum = (field: "calls" | "errors" | "refused" | "cached" | "cost_usd") =>
    buckets.reduce((total, bucket) => total + bucket[field], 0)
  const latencies = (field: "p50_ms" | "p95_ms") =>
    buckets.flatMap((bucket) => bucket[field] ?? []).toSorted((one, other) => one - other)
  return {
    calls: sum("calls"),
    failed: sum("errors") - sum("refused"),
    refused: sum("refused"),
    cached: sum("cached"),
    cost: sum("cost_usd"),
    p50: latencies("p50_ms"),
    p95: latencies("p95_ms")
  }
}

const cachedShare = ({ cached, calls }: ReturnType<typeof totals>): number => calls === 0 ? 0 : cached / calls

/** The middle one of the hours or days, because latencies of several times cannot be added up. */
const middle = (sorted: ReadonlyArray<number>): number | null => sorted[sorted.length >> 1] ?? null

/** The value of a figure when there are no calls. */
const noneYet = "none yet"

interface Compared {
  readonly now: number | null
  readonly before: number | null
  readonly isShare?: boolean
  /** Whether more is worse. */
  readonly isWorse?: boolean
}

interface Figure extends Compared {
  readonly title: string
  readonly value: string
  readonly about?: string | undefined
}

const Change = (
  { before, isShare = false, isWorse = false, now, than }: Compared & { readonly than: string }
) => {
  const change = changeOf(now, before, isShare)
  if (change === undefined) return null
  const { direction, sign, spoken } = change
  return (
    <span className={isWorse && direction === "up" ? "change worse" : "change"}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{spoken} {than}</span>
    </span>
  )
}

/** @param before the buckets of the period before, if figures are compared with it */
export const Figures = ({ before, buckets, period }: {
  readonly buckets: ReadonlyArray<Bucket> | undefined
  readonly before?: ReadonlyArray<Bucket> | undefined
  readonly period: Period
}) => {
  const now = totals(buckets)
  const earlier = totals(before)
  const latency = (name: "p50" | "p95") => ({
    title: `${name} latency`,
    value: now[name].length === 0 ? noneYet : millis(middle(now[name])),
    about: now[name].length > 1 ? `each ${period.bucket} ${millisBetween(now[name])}` : undefined,
    now: middle(now[name]),
    before: middle(earlier[name])
  })
  const count = (name: "calls" | "failed" | "refused", about?: string) => ({
    value: number.format(now[name]),
    about,
    now: now[name],
    before: earlier[name]
  })
  const figures: ReadonlyArray<Figure> = [
    { title: "Calls", ...count("calls") },
    {
      title: "Failed",
      ...count("failed", now.calls === 0 ? undefined : share(now.failed, now.calls)),
      isWorse: true
    },
    { title: "Refused", ...count("refused", "not sent") },
    latency("p50"),
    latency("p95"),
    {
      title: "From the cache",
      value: now.calls === 0 ? noneYet : share(now.cached, now.calls),
      now: cachedShare(now),
      before: cachedShare(earlier),
      isShare: true
    },
    { title: "Cost", value: dollars.format(now.cost), now: now.cost, before: earlier.cost }
  ]
  return (
    <dl className="figures">
      {figures.map(({ about, before: beforeIt, title, value, ...change }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            {buckets ? value : <span className="placeholder" />}
            {buckets && before && (
              <Change {...change} before={earlier.calls === 0 ? null : beforeIt} than={period.before} />
            )}
          </dd>
          <dd className="meta">{about}</dd>
        </div>
      ))}
    </dl>
  )
}
