import { number } from "../../../Dashboard/Parts/Numbers.ts"
import { maxOf } from "../../../Domain/Lists.ts"
import type { DatasetDay } from "../Declared.ts"
import { dayName } from "./DatasetWords.ts"

const height = 80

/** The rows of each day. The calendar below it reads the days one by one. */
export const DayChart = ({ days }: { readonly days: ReadonlyArray<DatasetDay> }) => {
  const [first, last] = [days[0], days.at(-1)]
  const most = maxOf(days.map(({ rows }) => rows), 0)
  if (first === undefined || last === undefined || most === 0) return null
  const y = (rows: number) => height * rows / most
  return (
    <figure className="day-chart">
      <figcaption className="label">Rows a day, at most {number.format(most)}</figcaption>
      <svg
        viewBox={`0 0 ${days.length} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Rows a day from ${dayName(first.day)} to ${dayName(last.day)}, at most ${number.format(most)}.`}
      >
        {days.map(({ day, rows }, index) => (
          <rect key={day} className="bar-ok" x={index + 0.15} y={height - y(rows)} width={0.7} height={y(rows)} />
        ))}
      </svg>
      <p className="row-of spread meta" aria-hidden="true">
        <span>{dayName(first.day)}</span>
        <span>{dayName(last.day)}</span>
      </p>
    </figure>
  )
}
