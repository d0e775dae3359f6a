import { useState } from "react"
import { useLocation } from "wouter"
import { loadLater } from "../../../Dashboard/Parts/LoadLater.tsx"
import { Panel } from "../../../Dashboard/Parts/Panel.tsx"
import { CallTable } from "./CallTable.tsx"
import { Figures } from "./Figures.tsx"
import { type Bucket, formatStart, type Period, withEmptyBuckets } from "./Periods.ts"

const CallChart = loadLater(
  async () => (await import("./CallChart.tsx")).CallChart,
  <div className="chart-area" aria-busy />
)

/** Fewer calls are read as numbers. */
const fewCalls = 10

/**
 * @param before the buckets of the period before, if figures are compared with it
 * @param logs the parameters of the logs that show the same calls, such as `client=cli_…`
 */
export const Usage = ({ before, buckets, isReloading = false, logs = "", period, title = "Calls" }: {
  readonly buckets: ReadonlyArray<Bucket> | undefined
  readonly before?: ReadonlyArray<Bucket> | undefined
  readonly period: Period
  readonly logs?: string
  readonly title?: string
  readonly isReloading?: boolean
}) => {
  const [, navigate] = useLocation()
  const [asTable, setAsTable] = useState(false)
  const format = (start: Date) => formatStart(period, start)
  const all = buckets && withEmptyBuckets(buckets, period)
  const count = (buckets ?? []).reduce((sum, { calls }) => sum + calls, 0)
  const open = ({ errors, start }: Bucket) => {
    const parameters = new URLSearchParams(logs)
    parameters.set("since", start.toISOString())
    parameters.set("until", new Date(start.getTime() + period.step).toISOString())
    if (errors > 0) parameters.set("outcome", "error")
    navigate(`/logs?${parameters}`)
  }
  return (
    <Panel
      title={title}
      busy={buckets === undefined}
      isReloading={isReloading}
      beside={count >= fewCalls && (
        <span className="row-of">
          <span className="legend legend-ok">succeeded</span>
          <span className="legend legend-refused">refused</span>
          <span className="legend legend-error">failed</span>
          <span className="legend legend-latency">p50 to p95</span>
          <button
            type="button"
            className="quiet small"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            Table
          </button>
        </span>
      )}
    >
      <Figures buckets={buckets} before={before} period={period} />
      {before && (
        <p className="meta">
          {before.length > 0
            ? `Compared with ${period.before}.`
            : `Without a comparison: there were no calls in ${period.before}.`}
        </p>
      )}
      {all && count >= fewCalls && (
        <figure className="chart">
          {asTable
            ? <CallTable buckets={all} format={format} />
            : <CallChart buckets={all} format={format} onOpen={open} />}
        </figure>
      )}
      {all && count === 0 && <p className="muted">No calls in this time.</p>}
    </Panel>
  )
}
