import { type KeyboardEvent, useState } from "react"
import { dollars, millis, number } from "./Words.ts"

export interface Bucket {
  readonly start: Date
  readonly calls: number
  readonly errors: number
  readonly cached: number
  readonly p50_ms: number | null
  readonly p95_ms: number | null
  readonly cost_usd: number
}

const width = 960
const barsHeight = 160
const linesHeight = 80
const gap = 24
const height = barsHeight + gap + linesHeight

export const CallChart = ({ buckets, format, onOpen }: {
  readonly buckets: ReadonlyArray<Bucket>
  readonly format: (start: Date) => string
  readonly onOpen: (bucket: Bucket) => void
}) => {
  const [selected, setSelected] = useState<number>()
  const [asTable, setAsTable] = useState(false)
  const step = width / Math.max(1, buckets.length)
  const maxCalls = Math.max(1, ...buckets.map(({ calls }) => calls))
  const maxLatency = Math.max(1, ...buckets.map(({ p95_ms }) => p95_ms ?? 0))
  const barOf = (count: number) => count / maxCalls * barsHeight
  const heightOf = (latency: number) => height - latency / maxLatency * (linesHeight - 4) - 2
  const lineOf = (value: (bucket: Bucket) => number | null) =>
    buckets
      .flatMap((bucket, index) => {
        const latency = value(bucket)
        return latency === null ? [] : [`${(index + 0.5) * step},${heightOf(latency)}`]
      })
      .join(" ")
  const move = (event: KeyboardEvent) => {
    const chosen = selected === undefined ? undefined : buckets[selected]
    if (event.key === "Enter" && chosen) return onOpen(chosen)
    const change = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (change === undefined || buckets.length === 0) return
    event.preventDefault()
    setSelected(Math.min(buckets.length - 1, Math.max(0, (selected ?? -1) + change)))
  }
  const bucket = selected === undefined ? undefined : buckets[selected]
  return (
    <figure className="chart">
      <figcaption className="row-of">
        <span className="legend legend-ok">ok</span>
        <span className="legend legend-error">failed</span>
        <span className="legend legend-p50">p50</span>
        <span className="legend legend-p95">p95</span>
        <span className="reading" aria-live="polite">
          {bucket &&
            `${format(bucket.start)}: ${number.format(bucket.calls)} calls, ${number.format(bucket.errors)} failed, ` +
              `${number.format(bucket.cached)} from the cache, ${dollars.format(bucket.cost_usd)}, ` +
              `p50 ${millis(bucket.p50_ms)}, p95 ${millis(bucket.p95_ms)}`}
        </span>
        <button type="button" className="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          Table
        </button>
      </figcaption>
      {asTable ? <ChartTable buckets={buckets} format={format} /> : (
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Calls: at most ${
            number.format(maxCalls)
          } at a time. The arrow keys read the values, Enter opens the logs.`}
          tabIndex={0}
          onKeyDown={move}
          onMouseLeave={() => setSelected(undefined)}
        >
          {buckets.map((bucket, index) => (
            <g
              key={bucket.start.getTime()}
              onMouseEnter={() => setSelected(index)}
              onClick={() => onOpen(bucket)}
            >
              <rect
                className={index === selected ? "bar-space selected" : "bar-space"}
                x={index * step}
                y={0}
                width={step}
                height={height}
              />
              <rect
                className="bar-ok"
                x={index * step + step * 0.15}
                y={barsHeight - barOf(bucket.calls)}
                width={step * 0.7}
                height={barOf(bucket.calls - bucket.errors)}
              />
              <rect
                className="bar-error"
                x={index * step + step * 0.15}
                y={barsHeight - barOf(bucket.errors)}
                width={step * 0.7}
                height={barOf(bucket.errors)}
              />
              {[bucket.p50_ms, bucket.p95_ms].map((latency, line) =>
                latency !== null && (
                  <rect
                    key={line}
                    className="point"
                    x={(index + 0.5) * step - 2}
                    y={heightOf(latency) - 2}
                    width={4}
                    height={4}
                  />
                )
              )}
            </g>
          ))}
          <line className="axis" x1={0} x2={width} y1={barsHeight} y2={barsHeight} />
          <polyline className="line-p95" points={lineOf(({ p95_ms }) => p95_ms)} />
          <polyline className="line-p50" points={lineOf(({ p50_ms }) => p50_ms)} />
          <line className="axis" x1={0} x2={width} y1={height} y2={height} />
        </svg>
      )}
      {!asTable && buckets[0] && (
        <p className="row-of meta axis-labels">
          <span>{format(buckets[0].start)}</span>
          <span>at most {number.format(maxCalls)} calls, {millis(maxLatency)}</span>
          <span>{format((buckets.at(-1) ?? buckets[0]).start)}</span>
        </p>
      )}
    </figure>
  )
}

const ChartTable = ({ buckets, format }: {
  readonly buckets: ReadonlyArray<Bucket>
  readonly format: (start: Date) => string
}) => (
  <div className="table">
    <table aria-label="Calls">
      <thead>
        <tr>
          {["From", "Calls", "Failed", "From the cache", "Cost", "p50", "p95"].map((title, index) => (
            <th key={title} scope="col" className={index === 0 ? "" : "number"}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ cached, calls, cost_usd, errors, p50_ms, p95_ms, start }) => (
          <tr key={start.getTime()}>
            <td>{format(start)}</td>
            <td className="number">{number.format(calls)}</td>
            <td className="number">{number.format(errors)}</td>
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
