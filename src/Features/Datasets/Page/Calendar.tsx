import type { KeyboardEvent, MouseEvent } from "react"
import { dayInMillis } from "../../../Dashboard/Parts/Day.ts"
import { counted, share } from "../../../Dashboard/Parts/Numbers.ts"
import type { DatasetDay } from "../Declared.ts"
import { dayName, dayWords } from "./DatasetWords.ts"

const monthName = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" })

const glyphs = { done: "", capped: "!", failed: "×", pending: "" } as const

/** Four shades of coverage. Without a total of the property, a day that was fetched has the strongest. */
const shadeOf = ({ coverage, status }: DatasetDay): string =>
  status === "pending" || status === "failed"
    ? status
    : `${status} shade-${coverage === null ? 4 : Math.min(4, 1 + Math.floor(coverage * 4))}`

/** The columns of a month begin on Monday. */
const columnOf = (day: string): number => (new Date(day).getUTCDay() + 6) % 7 + 1

const moved = (day: string, days: number): string =>
  new Date(new Date(day).getTime() + days * dayInMillis).toISOString().slice(0, 10)

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 }

export const Calendar = ({ days, measure, onSelect, selected }: {
  readonly days: ReadonlyArray<DatasetDay>
  /** The metric whose share the coverage is. */
  readonly measure: string
  readonly selected: string | undefined
  readonly onSelect: (day: string) => void
}) => {
  const byDay = new Map(days.map((day) => [day.day, day]))
  const months = Map.groupBy(days, ({ day }) => day.slice(0, 7))
  const shown = byDay.get(selected ?? "")
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const from = selected ?? days.at(-1)?.day
    if (from === undefined) return
    const next = selected === undefined ? from : moved(from, step)
    // Weeks have one day of seven.
    const near = byDay.has(next) ? next : days[days.findIndex(({ day }) => day === from) + Math.sign(step)]?.day
    if (near !== undefined) onSelect(near)
  }
  const onClick = ({ target }: MouseEvent) => {
    const day = target instanceof HTMLElement ? target.dataset["day"] : undefined
    if (day !== undefined) onSelect(day)
  }
  return (
    <div className="stack">
      <div
        className="calendar"
        role="img"
        aria-label="Coverage of each day. The arrow keys read the days."
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        {[...months].map(([month, ofMonth]) => (
          <div key={month}>
            <span className="meta">{monthName.format(new Date(`${month}-01`))}</span>
            <div className="calendar-month">
              {ofMonth.map((day) => (
                <span
                  key={day.day}
                  data-day={day.day}
                  className={`calendar-day ${shadeOf(day)}${day.day === selected ? " selected" : ""}`}
                  style={{
                    gridColumn: columnOf(day.day),
                    gridRow: rowOf(day.day) - rowOf(ofMonth[0]?.day ?? day.day) + 1
                  }}
                  title={[dayName(day.day), ...words(day, measure)].join(", ")}
                >
                  {Number(day.day.slice(8))}
                  {glyphs[day.status]}
                </span>
              ))}
            </div>
          </div>
        ))}
      </div>
      <p className="calendar-words" aria-live="polite">
        {shown === undefined
          ? "Choose a day to read what it has."
          : [dayName(shown.day), ...words(shown, measure)].join(", ")}
      </p>
      <ul className="calendar-legend" aria-label="Legend">
        <li>
          <span className="calendar-day done shade-2" /> <span className="calendar-day done shade-4" />{" "}
          Fetched: the stronger, the more of the {measure}
        </li>
        <li>
          <span className="calendar-day capped shade-3">!</span> Capped: the source gives no more rows
        </li>
        <li>
          <span className="calendar-day failed">×</span> Failed
        </li>
        <li>
          <span className="calendar-day pending" /> Not fetched yet
        </li>
      </ul>
    </div>
  )
}

const rowOf = (day: string): number => {
  const first = columnOf(`${day.slice(0, 7)}-01`)
  return Math.floor((Number(day.slice(8)) + first - 2) / 7) + 1
}

const words = ({ coverage, final, rows, status }: DatasetDay, measure: string): ReadonlyArray<string> => [
  dayWords[status],
  ...status === "pending" || status === "failed" ? [] : [
    counted(rows, "row"),
    ...coverage === null ? [] : [`${share(coverage, 1)} of the ${measure}`],
    final ? "final" : "still changing"
  ]
]
