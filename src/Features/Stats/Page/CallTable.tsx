import { millis, number } from "../../../Dashboard/Parts/Numbers.ts"
import type { Bucket } from "./Periods.ts"
import { dollars } from "./StatsWords.ts"

const titles = ["From", "Calls", "Failed", "Refused", "From the cache", "Cost", "p50", "p95"]

export const CallTable = ({ buckets, format }: {
  readonly buckets: ReadonlyArray<Bucket>
  readonly format: (start: Date) => string
}) => (
  <div className="table scrolled">
    <table aria-label="Calls">
      <thead>
        <tr>
          {titles.map((title, index) => <th key={title} scope="col" className={index === 0 ? "" : "number"}>{title}
          </th>)}
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ cached, calls, cost_usd, errors, p50_ms, p95_ms, refused, start }) => (
          <tr key={start.getTime()}>
            <td>{format(start)}</td>
            <td className="number">{number.format(calls)}</td>
            <td className="number">{number.format(errors - refused)}</td>
            <td className="number">{number.format(refused)}</td>
            <td className="number">{number.format(cached)}</td>
            <td className="number">{dollars.format(cost_usd)}</td>
            <td className="number">{millis(p50_ms)}</td>
            <td className="number">{millis(p95_ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
