import { type FocusEvent, type KeyboardEvent, type MouseEvent, useState } from "react"
import type { CallHistogramProps } from "../../../Dashboard/Frame/FeaturePages.ts"
import { axis } from "../../../Dashboard/Parts/Axis.ts"
import { shortDay } from "../../../Dashboard/Parts/Day.ts"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { readStats } from "../../../Dashboard/Service/Calls.ts"
import { useServiceQuery } from "../../../Dashboard/Service/Queries.ts"
import { useSession } from "../../../Dashboard/Session/Session.tsx"
import { counted } from "../../../Domain/Calls/MissingWords.ts"
import { maxStatsDays } from "../../../Domain/Calls/Stats.ts"
import { maxOf } from "../../../Domain/Lists.ts"
import { barAt } from "./BarAt.ts"
import { type Bar, histogramBars, histogramQuery, histogramSpan } from "./Histogram.ts"

const formats = {
  hour: new Intl.DateTimeFormat(undefined, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC"
  }),
  day: shortDay
}

const words = ({ failed, succeeded }: Bar): string =>
  `${counted(succeeded + failed, "call")}, ${number.format(failed)} failed or refused`

/** The calls of the list by hour or day. Choosing a bar lists its calls; choosing an hour again lists its whole day. */
export const CallHistogram = ({ filter, onChoose }: CallHistogramProps) => {
  const { isAdmin } = useSession()
  const [asTable, setAsTable] = useState(false)
  const [pointed, setPointed] = useState<number>()
  const now = Date.now()
  const span = histogramSpan(filter, now)
  const query = histogramQuery(filter)
  const { data, error, isPlaceholderData } = useServiceQuery(
    ["stats", "histogram", span?.bucket, span?.since.getTime(), span?.until?.getTime(), query],
    (service) => readStats(service, isAdmin, { ...span, ...query }),
    { live: true, enabled: query !== undefined && span !== undefined }
  )
  if (query === undefined) {
    return (
      <p className="meta">
        No chart for these filters: calls are counted by one of them at a time, and not by resource or member.
      </p>
    )
  }
  if (span === undefined) return null
  if (error) return <ErrorNotice error={error} isRead />
  const bars = histogramBars(data?.buckets ?? [], filter, span, now)
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return null
  const format = formats[span.bucket]
  const { end } = axis(maxOf(bars.map(({ failed, succeeded }) => failed + succeeded), 1))
  const bar = pointed === undefined ? undefined : bars[pointed]
  const current = bar ?? last
  const isCut = filter.since !== undefined && span.since > filter.since
  const choose = ({ end, isChosen, start }: Bar) =>
    isChosen && bars.filter((each) => each.isChosen).length === 1
      ? onChoose(first.start, last.end)
      : onChoose(start, end)
  const indexAt = (event: MouseEvent) => barAt(event, bars.length)
  // A tap moves no pointer, and a click that no pointer made has no place.
  const onClick = (event: MouseEvent) => choose(event.detail === 0 ? current : bars[indexAt(event)] ?? current)
  const onFocus = ({ currentTarget }: FocusEvent<HTMLDivElement>) => {
    if (currentTarget.matches(":focus-visible")) setPointed(bars.length - 1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") return choose(current)
    const at = pointed ?? bars.length - 1
    const next = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: bars.length - 1
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    setPointed(Math.min(bars.length - 1, Math.max(0, next)))
  }
  return (
    <figure className="histogram" aria-busy={data === undefined}>
      <figcaption className="row-of spread meta">
        <span>
          {bar
            ? `${format.format(bar.start)} UTC: ${words(bar)}`
            : `Calls ${span.bucket === "hour" ? "an hour" : "a day"}, UTC`}
        </span>
        <span className="row-of">
          <span className="legend legend-ok">succeeded</span>
          <span className="legend legend-error">failed or refused</span>
          <button type="button" className="quiet small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Table
          </button>
        </span>
      </figcaption>
      {asTable ? <BarTable bars={bars} format={format} onChoose={choose} /> : (
        <>
          <span className="histogram-end" aria-hidden="true">{number.format(end)}</span>
          <div
            className={isPlaceholderData ? "histogram-bars reloading" : "histogram-bars"}
            role="slider"
            tabIndex={0}
            aria-label="Calls over time. The arrow keys read the values, Enter lists the calls."
            aria-valuemin={1}
            aria-valuemax={bars.length}
            aria-valuenow={pointed === undefined ? bars.length : pointed + 1}
            aria-valuetext={`${format.format(current.start)}, ${words(current)}`}
            onKeyDown={onKeyDown}
            onPointerMove={(event) => setPointed(indexAt(event))}
            onPointerLeave={() => setPointed(undefined)}
            onFocus={onFocus}
            onBlur={() => setPointed(undefined)}
            onClick={onClick}
          >
            {bars.map(({ failed, isChosen, start, succeeded }, index) => (
              <span
                key={start.getTime()}
                className={["histogram-bar", index === pointed && "pointed", isChosen && "chosen"]
                  .filter(Boolean).join(" ")}
              >
                <span className="histogram-ok" style={{ height: `${100 * succeeded / end}%` }} />
                <span className="histogram-error" style={{ height: `${100 * failed / end}%` }} />
              </span>
            ))}
          </div>
          <p className="row-of spread meta" aria-hidden="true">
            <span>{format.format(first.start)}</span>
            <span>{format.format(last.start)}</span>
          </p>
        </>
      )}
      {isCut && <p className="meta">The chart has the last {maxStatsDays} days of this time.</p>}
    </figure>
  )
}

const BarTable = ({ bars, format, onChoose }: {
  readonly bars: ReadonlyArray<Bar>
  readonly format: Intl.DateTimeFormat
  readonly onChoose: (bar: Bar) => void
}) => (
  <div className="table scrolled">
    <table aria-label="Calls over time">
      <thead>
        <tr>
          <th scope="col">From, UTC</th>
          <th scope="col" className="number">Calls</th>
          <th scope="col" className="number">Failed or refused</th>
        </tr>
      </thead>
      <tbody>
        {bars.filter(({ failed, succeeded }) => failed + succeeded > 0).map((bar) => (
          <tr key={bar.start.getTime()}>
            <td>
              <button type="button" className="quiet small" onClick={() => onChoose(bar)}>
                {format.format(bar.start)}
              </button>
            </td>
            <td className="number" data-title="Calls">{number.format(bar.succeeded + bar.failed)}</td>
            <td className="number" data-title="Failed or refused">{number.format(bar.failed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
