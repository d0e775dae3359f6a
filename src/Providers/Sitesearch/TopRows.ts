import { Order } from "effect"
import { type DateWindow, includesDay } from "../Tooling/DateWindow.ts"
import { type PageInfo, type RowRange, slicePage } from "../Tooling/Paging.ts"
import { averagePosition, ratio, roundCount, roundPosition } from "../Tooling/Rounding.ts"
import type { QueryStats } from "./Answers.ts"
import { daysBetween, parseDay } from "./Days.ts"
import { distinctRows } from "./Repeats.ts"

/** What one query or page had in one bucket, which is a week as a rule. */
export interface BucketRow {
  readonly key: string
  readonly day: string
  readonly clicks: number
  readonly impressions: number
  readonly position: number | null
}

/** What one query or page had in all buckets of a window. `ctr` is a fraction. */
export interface TopRow {
  readonly key: string
  readonly clicks: number
  readonly impressions: number
  readonly ctr: number | null
  readonly position: number | null
}

/** In days. */
export const longestWindow = 180

export type Subject = "query" | "page"

export interface TopReport extends DateWindow, PageInfo {
  /** How many different dates lie in the window. */
  readonly buckets: number
  readonly first_bucket: string | null
  /** The latest in the window; without one, the latest there is. */
  readonly latest_bucket: string | null
  /** With the key under the name of the subject. */
  readonly rows: ReadonlyArray<Omit<TopRow, "key"> & { readonly [Name in Subject]?: string }>
  readonly total: number
  readonly note: string
}

/** The rows that say what they are about and when. */
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
      position: reported(row.AvgImpressionPosition)
    }]
  }))

/** -1 or 0 stands for a position that was not measured. */
const reported = (position: number | null | undefined): number | null =>
  typeof position === "number" && position > 0 ? position : null

export const topReport = (
  all: ReadonlyArray<BucketRow>,
  { page, subject, wanted, window }: {
    readonly window: DateWindow
    readonly page: RowRange
    readonly wanted: (key: string) => boolean
    readonly subject: Subject
  }
): TopReport => {
  const inWindow = all.filter(({ day }) => includesDay(window, day))
  const buckets = daysOf(inWindow)
  const latest = buckets.at(-1) ?? daysOf(all).at(-1) ?? null
  const top = topRows(inWindow.filter(({ key }) => wanted(key)))
  const { info, rows } = slicePage(top, page)
  return {
    ...window,
    buckets: buckets.length,
    first_bucket: buckets.at(0) ?? null,
    latest_bucket: latest,
    rows: rows.map(({ key, ...figures }) => ({ [subject]: key, ...figures })),
    total: top.length,
    ...info,
    note: [
      lag(window, latest),
      ...rows.length > 0 ? [] : [emptiness({ subject, window, latest, buckets: buckets.length, total: top.length })]
    ].join(" ")
  }
}

const daysOf = (rows: ReadonlyArray<BucketRow>): ReadonlyArray<string> =>
  [...new Set(rows.map(({ day }) => day))].toSorted(Order.String)

/** By clicks, then impressions, from the most; then by key. */
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

const lag = (window: DateWindow, latest: string | null): string => {
  const weekly =
    "The source is weekly: a bucket counts when its date lies in the window, so the edges are approximate " +
    "by up to 6 days."
  if (latest === null) return `${weekly} There is no bucket at all.`
  const age = daysBetween(latest, window.end)
  return `${weekly} The latest bucket is ${latest}${age > 0 ? `, ${age} days before the end of the window` : ""}.`
}

const emptiness = ({ buckets, latest, subject, total, window }: {
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
      reaching > 0 && reaching <= longestWindow ? `; ${reaching} \`days\` reach the latest one` : ""
    }.`
  }
  if (total === 0) return `No ${subject} of the window matches the filter.`
  return `\`offset\` is past the last of ${total} rows.`
}
