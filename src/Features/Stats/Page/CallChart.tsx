import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef, useState } from "react"
import { axis } from "../../../Dashboard/Parts/Axis.ts"
import { counted, millis, number } from "../../../Dashboard/Parts/Numbers.ts"
import { maxOf } from "../../../Domain/Lists.ts"
import { barAt } from "./BarAt.ts"
import type { Bucket } from "./Periods.ts"
import { dollars } from "./StatsWords.ts"

interface Props {
  readonly buckets: ReadonlyArray<Bucket>
  readonly format: (start: Date) => string
  readonly onOpen: (bucket: Bucket) => void
}

/** Pixels. */
const left = 60
const top = 8
const countsHeight = 150
const latencyTop = 196
const latencyHeight = 72
const labelsTop = latencyTop + latencyHeight + 18
const height = labelsTop + 6
const maxBarWidth = 24
const labelWidth = 64

const latencies = ["p95_ms", "p50_ms"] as const

const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

const words = (
  { cached, calls, cost_usd, errors, p50_ms, p95_ms, refused }: Bucket
): ReadonlyArray<string> => [
  `${counted(calls, "call")}, ${number.format(errors - refused)} failed, ${number.format(refused)} refused`,
  `p50 ${millis(p50_ms)}, p95 ${millis(p95_ms)}`,
  `${number.format(cached)} from the cache, ${dollars.format(cost_usd)}`
]

type Run = ReadonlyArray<{ readonly bucket: Bucket; readonly index: number }>

/** Each run is of hours or days that follow each other and were all measured. Lines have a gap between two runs. */
const measuredRuns = (buckets: ReadonlyArray<Bucket>): ReadonlyArray<Run> =>
  buckets.reduce<ReadonlyArray<Run>>(
    (runs, bucket, index) =>
      bucket.p50_ms === null
        ? [...runs, []]
        : [...runs.slice(0, -1), [...runs.at(-1) ?? [], { bucket, index }]],
    []
  ).filter((run) => run.length > 0)

export const CallChart = ({ buckets, format, onOpen }: Props) => {
  const { ref, width } = useWidth()
  const [selected, setSelected] = useState<number>()
  const band = Math.max(1, width - left) / Math.max(1, buckets.length)
  const countAxis = axis(maxOf(buckets.map(({ calls }) => calls), 1))
  const latencyAxis = axis(maxOf(buckets.map(({ p95_ms }) => p95_ms ?? 0), 1))
  const calls = (count: number) => top + countsHeight * (1 - count / countAxis.end)
  const latency = (time: number) => latencyTop + latencyHeight * (1 - time / latencyAxis.end)
  const barWidth = Math.min(maxBarWidth, band * 0.7)
  const center = (index: number) => left + (index + 0.5) * band
  const every = Math.ceil(labelWidth / Math.max(1, band))
  const runs = measuredRuns(buckets)
  const points = (run: Run, field: typeof latencies[number]) =>
    run.map(({ bucket, index }) => `${center(index)} ${latency(bucket[field] ?? 0)}`)
  const pathOf = (field: typeof latencies[number]) => runs.map((run) => `M${points(run, field).join("L")}`).join("")
  const between = runs
    .map((run) => `M${[...points(run, "p50_ms"), ...points(run, "p95_ms").toReversed()].join("L")}Z`)
    .join("")

  const indexAt = (event: MouseEvent) => barAt(event, buckets.length, left)
  const bucket = selected === undefined ? undefined : buckets[selected]
  // A tap moves no pointer, and a click that no pointer made has no place.
  const onClick = (event: MouseEvent) => {
    const clicked = event.detail === 0 ? bucket : buckets[indexAt(event)]
    if (clicked) onOpen(clicked)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && bucket) return onOpen(bucket)
    if (event.key === "Escape") return setSelected(undefined)
    const change = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (change === undefined || buckets.length === 0) return
    event.preventDefault()
    setSelected(Math.min(buckets.length - 1, Math.max(0, (selected ?? -1) + change)))
  }
  const isRight = selected !== undefined && center(selected) > width / 2
  return (
    <div className="chart-area" ref={ref}>
      <svg
        width={width}
        height={height}
        role="img"
        aria-label="Calls and latency. The arrow keys read the values, Enter opens the logs."
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setSelected(indexAt(event))}
        onPointerLeave={() => setSelected(undefined)}
        onBlur={() => setSelected(undefined)}
        onClick={onClick}
      >
        {selected !== undefined && (
          <rect
            className="band"
            x={left + selected * band}
            y={top}
            width={band}
            height={latencyTop + latencyHeight - top}
          />
        )}
        {[
          ...countAxis.ticks.map((tick) => ({ y: calls(tick), isBase: tick === 0, words: number.format(tick) })),
          ...latencyAxis.ticks.map((tick) => ({ y: latency(tick), isBase: tick === 0, words: millis(tick) }))
        ].map(({ isBase, words, y }) => (
          <g key={y}>
            <line className={isBase ? "baseline" : "tick"} x1={left} x2={width} y1={y} y2={y} />
            <text className="y-label" x={left - 8} y={y}>{words}</text>
          </g>
        ))}
        {buckets.map(({ calls: count, errors, refused, start }, index) => (
          <g key={start.getTime()}>
            {([
              ["bar-ok", count, errors],
              ["bar-refused", errors, errors - refused],
              ["bar-error", errors - refused, 0]
            ] as const).map(([className, from, to]) => (
              <rect
                key={className}
                className={className}
                x={center(index) - barWidth / 2}
                y={calls(from)}
                width={barWidth}
                height={calls(to) - calls(from)}
              />
            ))}
            {index % every === 0 && <text className="x-label" x={center(index)} y={labelsTop}>{format(start)}</text>}
          </g>
        ))}
        <path className="latency-between" d={between} />
        {latencies.map((field) => (
          <g key={field} className={`line-${field}`}>
            <path d={pathOf(field)} />
            {buckets.map((bucket, index) =>
              bucket[field] !== null && <circle key={index} cx={center(index)} cy={latency(bucket[field])} r={2} />
            )}
          </g>
        ))}
      </svg>
      {bucket && selected !== undefined && (
        <div
          className={isRight ? "chart-tip at-left" : "chart-tip"}
          style={{ left: center(selected) + (isRight ? -12 : 12) }}
        >
          <strong>{format(bucket.start)}</strong>
          {words(bucket).map((text) => <span key={text}>{text}</span>)}
        </div>
      )}
      <span className="visually-hidden" aria-live="polite">
        {bucket && [format(bucket.start), ...words(bucket)].join(", ")}
      </span>
    </div>
  )
}
