import type { StatsBucket } from "../../../Domain/Stats.ts"
import { dollars, millis, number, share } from "./Words.ts"

/** Latencies cannot be added up, so they are those of the latest hour or day with calls. */
export const Figures = ({ buckets, format }: {
  readonly buckets: ReadonlyArray<StatsBucket> | undefined
  readonly format: (start: Date) => string
}) => {
  const sum = (field: "calls" | "errors" | "cached" | "cost_usd") =>
    (buckets ?? []).reduce((total, bucket) => total + bucket[field], 0)
  const calls = sum("calls")
  const latest = buckets?.at(-1)
  const at = latest ? `, ${format(latest.start)}` : ""
  const figures = [
    ["Calls", number.format(calls)],
    ["Failed", share(sum("errors"), calls)],
    [`p50${at}`, millis(latest?.p50_ms ?? null)],
    [`p95${at}`, millis(latest?.p95_ms ?? null)],
    ["From the cache", share(sum("cached"), calls)],
    ["Cost", dollars.format(sum("cost_usd"))]
  ] as const
  return (
    <dl className="figures">
      {figures.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{buckets ? value : <span className="placeholder" />}</dd>
        </div>
      ))}
    </dl>
  )
}
