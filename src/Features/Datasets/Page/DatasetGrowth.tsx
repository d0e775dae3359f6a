import { useEffect, useRef, useState } from "react"
import { Link } from "wouter"
import { shortDay } from "../../../Dashboard/Parts/Day.ts"
import { counted, number } from "../../../Dashboard/Parts/Numbers.ts"
import { Panel } from "../../../Dashboard/Parts/Panel.tsx"
import { ProviderMark } from "../../../Dashboard/Parts/Provider.tsx"
import type { Dataset, DatasetDay } from "../Declared.ts"
import { datasetTitle, dayName, providerOf, size } from "./DatasetWords.ts"
import { useDatasetDays, useDatasets } from "./Queries.ts"

/** Each dataset takes a request for its days. */
const maxShown = 5

/** Loads days, which are many bytes, only when the person scrolls to their dataset. */
const useSeen = () => {
  const ref = useRef<HTMLLIElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (ref.current === null || isSeen) return
    const observer = new IntersectionObserver((entries) => setSeen(entries.some((entry) => entry.isIntersecting)))
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [isSeen])
  return { ref, isSeen }
}

const height = 24

/** The largest datasets, with the growth of their rows by day. */
export const DatasetGrowth = () => {
  const datasets = useDatasets().data ?? []
  const shown = datasets.filter(({ rows }) => rows > 0).toSorted((one, other) => other.rows - one.rows)
    .slice(0, maxShown)
  if (shown.length === 0) return null
  return (
    <Panel
      title="Datasets"
      isList
      beside={
        <Link className="meta" href="/datasets">
          {datasets.length > shown.length ? `All ${number.format(datasets.length)} datasets` : "All datasets"}
        </Link>
      }
    >
      <ul className="growth">{shown.map((dataset) => <Growth key={dataset.id} dataset={dataset} />)}</ul>
    </Panel>
  )
}

const Growth = ({ dataset }: { readonly dataset: Dataset }) => {
  const { bytes, id, report, rows } = dataset
  const { isSeen, ref } = useSeen()
  const days = useDatasetDays(id, isSeen).data ?? []
  const title = datasetTitle(dataset)
  return (
    <li ref={ref}>
      <span className="row-of">
        <ProviderMark id={providerOf(report)} />
        <Link className="name" href={`/datasets/${id}`} title={title}>{title}</Link>
      </span>
      <Line days={days} rows={rows} />
      <span className="growth-figures">
        {counted(rows, "row")} <span className="meta">{size(bytes)}</span>
        <span className="meta">{newestWords(days)}</span>
      </span>
    </li>
  )
}

const Line = ({ days, rows }: { readonly days: ReadonlyArray<DatasetDay>; readonly rows: number }) => {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return <span className="growth-line" />
  let sum = 0
  const points = days.map((day, index) => `L${index + 1} ${height * (1 - (sum += day.rows) / Math.max(1, rows))}`)
  return (
    <svg
      className="growth-line"
      viewBox={`0 0 ${days.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`All rows, from none before ${dayName(first.day)} to ${number.format(sum)} on ${dayName(last.day)}.`}
    >
      <path d={`M0 ${height}${points.join("")}V${height}Z`} />
    </svg>
  )
}

const week = 7

/** Describes the week up to the last day with rows. Later days are not fetched yet. */
const newestWords = (days: ReadonlyArray<DatasetDay>): string => {
  const end = days.findLastIndex(({ rows }) => rows > 0) + 1
  const [from, to] = [days[Math.max(0, end - week)], days[end - 1]]
  if (from === undefined || to === undefined || end <= week) return ""
  const newest = days.slice(end - week, end).reduce((sum, { rows }) => sum + rows, 0)
  return `${number.format(newest)} of ${shortDay.formatRange(new Date(from.day), new Date(to.day))}`
}
