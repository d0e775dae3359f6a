import { Order } from "effect"
import { type DateWindow, daysBetween, includesDay } from "../Tooling/DateWindow.ts"
import { type PageInfo, type RowRange, slicePage } from "../Tooling/Paging.ts"
import { averagePosition, ratio, roundCount, roundPosition } from "../Tooling/Rounding.ts"
import { distinctRows, parseDay, type QueryStats } from "./Responses.ts"

export interface BucketRow {
  readonly key: string
  readonly day: string
  readonly clicks: number
  readonly impressions: number
  readonly position: number | null
}

export interface TopRow {
  readonly key: string
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number | null
  readonly position: number | null
}

export const maxWindowDays = 180

export type Subject = "query" | "page"

export interface TopReport extends DateWindow, PageInfo {
  readonly buckets: number
  readonly first_bucket: string | null
  /** The latest in the window. Without one there, the latest of all. */
  readonly latest_bucket: string | null
  readonly rows: ReadonlyArray<Omit<TopRow, "key"> & { readonly [Name in Subject]?: string }>
  readonly total: number
  readonly note: string
}

export const bucketRows = ({ d }: typeof QueryStats.Type): ReadonlyArray<BucketRow> =>
  distinctRows((d ?? []).flatMap((row) => {
    const key = row.Query ?? ""
    const day = parseDay(row.Date ?? "")
    if (key.trim() === "" || day === null) return []
    return [{
      key,
      day,
      clicks: row.Clicks ?? 0,
      impressions: row.Impressions ?? 0,
      position: measured(row.AvgImpressionPosition)
    }]
  }))

/** The provider sends -1 or 0 for a position that was not measured. */
const measured = (position: number | null | undefined): number | null =>
  typeof position === "number" && position > 0 ? position : null

export const topReport = (
  all: ReadonlyArray<BucketRow>,
  { matches, range, subject, window }: {
    readonly window: DateWindow
    readonly range: RowRange
    readonly matches: (key: string) => boolean
    readonly subject: Subject
  }
): TopReport => {
  const inWindow = all.filter(({ day }) => includesDay(window, day))
  const buckets = distinctDays(inWindow)
  const latest = buckets.at(-1) ?? distinctDays(all).at(-1) ?? null
  const top = topRows(inWindow.filter(({ key }) => matches(key)))
  const { info, rows } = slicePage(top, range)
  return {
    ...window,
    buckets: buckets.length,
    first_bucket: buckets.at(0) ?? null,
    latest_bucket: latest,
    rows: rows.map(({ key, ...figures }) => ({ [subject]: key, ...figures })),
    total: top.length,
    ...info,
    note: [
      freshnessNote(window, latest),
      ...rows.length > 0 ? [] : [emptyNote({ subject, window, latest, buckets: buckets.length, total: top.length })]
    ].join(" ")
  }
}

const distinctDays = (rows: ReadonlyArray<BucketRow>): ReadonlyArray<string> =>
  [...new Set(rows.map(({ day }) => day))].toSorted(Order.String)

export const topRows = (rows: ReadonlyArray<BucketRow>): ReadonlyArray<TopRow> =>
  [...Map.groupBy(rows, ({ key }) => key)].map(([key, rows]) => total(key, rows)).toSorted(byClicks)

const byClicks = Order.combineAll<TopRow>([
  Order.flip(Order.mapInput(Order.Number, ({ clicks }) => clicks)),
  Order.flip(Order.mapInput(Order.Number, ({ impressions }) => impressions)),
  Order.mapInput(Order.String, ({ key }) => key)
])

const total = (key: string, rows: ReadonlyArray<BucketRow>): TopRow => {
  const clicks = rows.reduce((sum, row) => sum + row.clicks, 0)
  const impressions = rows.reduce((sum, row) => sum + row.impressions, 0)
  const average = averagePosition(
    rows.flatMap(({ impressions, position }) => position === null ? [] : [{ impressions, position }])
  )
  return {
    key,
    clicks: roundCount(clicks),
    impressions: roundCount(impressions),
    ctr: ratio(clicks, impressions),
    position: average === null ? null : roundPosition(average)
  }
}

const freshnessNote = (window: DateWindow, latest: string | null): string => {
  const weekly =
    "The source is weekly: a bucket counts when its date lies in the window, so the edges are approximate " +
    "by up to 6 days."
  if (latest === null) return `${weekly} There is no bucket at all.`
  const age = daysBetween(latest, window.end)
  return `${weekly} The latest bucket is ${latest}${age > 0 ? `, ${age} days before the end of the window` : ""}.`
}

const emptyNote = ({ buckets, latest, subject, total, window }: {
  readonly subject: Subject
  readonly window: DateWindow
  readonly latest: string | null
  readonly buckets: number
  readonly total: number
}): string => {
  if (latest === null) return `The provider has no ${subject} data for this site: it is new, or has too little traffic.`
  if (buckets === 0) {
    const reaching = daysBetween(latest, window.end) + 1
    return `No bucket lies in the window${
      reaching > 0 && reaching <= maxWindowDays ? `; ${reaching} \`days\` reach the latest one` : ""
    }.`
  }
  if (total === 0) return `No ${subject} of the window matches the filter.`
  return `\`offset\` is past the last of ${total} rows.`
}
