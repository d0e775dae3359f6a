import type { Bucket } from "./Periods.ts"
import { dollars, millisBetween, number, share } from "./Words.ts"

export const Figures = ({ buckets, per }: {
  readonly buckets: ReadonlyArray<Bucket> | undefined
  readonly per: "hour" | "day"
}) => {
  const sum = (field: "calls" | "errors" | "cached" | "cost_usd") =>
    (buckets ?? []).reduce((total, bucket) => total + bucket[field], 0)
  const latencies = (field: "p50_ms" | "p95_ms") => (buckets ?? []).flatMap((bucket) => bucket[field] ?? [])
  const calls = sum("calls")
  const figures = [
    ["Calls", number.format(calls)],
    ["Failed", `${number.format(sum("errors"))}`, share(sum("errors"), calls)],
    ["p50 latency", millisBetween(latencies("p50_ms")), `each ${per}`],
    ["p95 latency", millisBetween(latencies("p95_ms")), `each ${per}`],
    ["From the cache", share(sum("cached"), calls)],
    ["Cost", dollars.format(sum("cost_usd"))]
  ] as const
  return (
    <dl className="figures">
      {figures.map(([title, value, about]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{buckets ? value : <span className="placeholder" />}</dd>
          <dd className="meta">{about}</dd>
        </div>
      ))}
    </dl>
  )
}
