import { millis, number } from "../../../Dashboard/Parts/Numbers.ts"
import type { Bucket } from "./Periods.ts"
import { dollars } from "./StatsWords.ts"

const figures: ReadonlyArray<{ readonly title: string; readonly value: (bucket: Bucket) => string }> = [
  { title: "Calls", value: ({ calls }) => number.format(calls) },
  { title: "Failed", value: ({ errors, refused }) => number.format(errors - refused) },
  { title: "Refused", value: ({ refused }) => number.format(refused) },
  { title: "From the cache", value: ({ cached }) => number.format(cached) },
  { title: "Cost", value: ({ cost_usd }) => dollars.format(cost_usd) },
  { title: "p50", value: ({ p50_ms }) => millis(p50_ms) },
  { title: "p95", value: ({ p95_ms }) => millis(p95_ms) }
]

export const CallTable = ({ buckets, format }: {
  readonly buckets: ReadonlyArray<Bucket>
  readonly format: (start: Date) => string
}) => (
  <div className="table scrolled" role="region" aria-label="Calls over time" tabIndex={0}>
    <table aria-label="Calls">
      <thead>
        <tr>
          <th scope="col">From</th>
          {figures.map(({ title }) => <th key={title} scope="col" className="number">{title}</th>)}
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucket.start.getTime()}>
            <td>{format(bucket.start)}</td>
            {figures.map(({ title, value }) => (
              <td key={title} className="number" data-title={title}>{value(bucket)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
