import { Order, Schema } from "effect"
import { compareFigures, comparisonFields, previousWindowFields } from "../Tooling/Comparison.ts"
import { type DateWindow, daysBetween, includesDay } from "../Tooling/DateWindow.ts"
import { filterNotes, type TriedFilter } from "../Tooling/FilterNotes.ts"
import { Integer } from "../Tooling/Integer.ts"
import { pageInfoFields, type RowRange, slicePage } from "../Tooling/Paging.ts"
import { averagePosition, ratio, roundCount, roundPosition } from "../Tooling/Rounding.ts"
import { includesUrlText } from "../Tooling/UrlText.ts"
import { distinctRows, parseDay, type QueryStats } from "./Responses.ts"

export interface BucketRow {
  readonly key: string
  readonly day: string
  readonly clicks: number
  readonly impressions: number
  readonly position: number | null
}

const figureFields = {
  clicks: Integer,
  impressions: Integer,
  ctr: Schema.NullOr(Schema.Finite),
  position: Schema.NullOr(Schema.Finite)
}

export interface TopRow extends Figures {
  readonly key: string
}

type Figures = Schema.Struct<typeof figureFields>["Type"]

export const maxWindowDays = 180

export type Subject = "query" | "page"

export const topOutput = <const Fields extends Schema.Struct.Fields>(subject: Fields) =>
  Schema.Struct({
    site: Schema.String,
    start: Schema.String,
    end: Schema.String,
    buckets: Integer,
    first_bucket: Schema.NullOr(Schema.String),
    latest_bucket: Schema.NullOr(Schema.String).annotate({
      description: "The latest in the window. Without one there, the latest of all."
    }),
    ...previousWindowFields,
    rows: Schema.Array(Schema.Struct({ ...subject, ...figureFields, ...comparisonFields(figureFields) })),
    total: Integer,
    ...pageInfoFields,
    note: Schema.String
  })

export const bucketRows = ({ d }: typeof QueryStats.Type): ReadonlyArray<BucketRow> =>
  distinctRows(
    (d ?? []).flatMap((row) => {
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
    }),
    ({ day, key }) => [day, key]
  )

/** The provider sends -1 or 0 for a position that was not measured. */
const measured = (position: number | null | undefined): number | null =>
  typeof position === "number" && position > 0 ? position : null

/** Keeps the keys with a text that contains `value`, in any case. */
export interface TextFilter extends Pick<TriedFilter, "claim" | "value"> {
  readonly textOf: (key: string) => string
}

export interface PreviousRows {
  readonly fields: { readonly previous_start: string; readonly previous_end: string }
  /** `undefined` if the provider has no data of the previous window. */
  readonly ofKey: (key: string) => Figures | undefined
  readonly notes: ReadonlyArray<string>
}

export const topReport = <Name>(
  all: ReadonlyArray<BucketRow>,
  { filters, isDated, name, previous, range, subject, window }: {
    readonly window: DateWindow
    /** The window was given as dates, and need not end today. */
    readonly isDated: boolean
    readonly range: RowRange
    readonly filters: ReadonlyArray<TextFilter>
    readonly previous?: PreviousRows | undefined
    readonly subject: Subject
    readonly name: (key: string) => Name
  }
) => {
  const inWindow = all.filter(({ day }) => includesDay(window, day))
  const buckets = distinctDays(inWindow)
  const available = distinctDays(all)
  const latest = buckets.at(-1) ?? available.at(-1) ?? null
  const tests = filters.map(({ textOf, value }) => ({ textOf, includes: includesUrlText(value) }))
  const matches = (key: string) => tests.every(({ includes, textOf }) => includes(textOf(key)))
  const top = topRows(inWindow.filter(({ key }) => matches(key)))
  const { info, rows } = slicePage(top, range)
  return {
    ...window,
    ...previous?.fields,
    buckets: buckets.length,
    first_bucket: buckets.at(0) ?? null,
    latest_bucket: latest,
    rows: rows.map(({ key, ...figures }) => ({
      ...name(key),
      ...figures,
      ...previous && compareFigures(figures, previous.ofKey(key))
    })),
    total: top.length,
    ...info,
    note: [
      freshnessNote(window, latest),
      ...isDated && available.length > 0 ? [availableNote(available)] : [],
      ...previous?.notes ?? [],
      ...rows.length > 0
        ? []
        : [emptyNote({ subject, window, latest, isDated, buckets: buckets.length, total: top.length })],
      ...top.length > 0 || buckets.length === 0 ? [] : filterNotes(triedFilters(filters, topRows(inWindow)))
    ].join(" ")
  }
}

const triedFilters = (
  filters: ReadonlyArray<TextFilter>,
  rows: ReadonlyArray<TopRow>
): ReadonlyArray<TriedFilter> =>
  filters.map(({ claim, textOf, value }) => ({
    claim,
    value,
    matches: includesUrlText(value),
    values: [...new Set(rows.map(({ key }) => textOf(key)))],
    isComplete: true
  }))

export const distinctDays = (rows: ReadonlyArray<BucketRow>): ReadonlyArray<string> =>
  [...new Set(rows.map(({ day }) => day))].toSorted(Order.String)

export const topRows = (rows: ReadonlyArray<BucketRow>): ReadonlyArray<TopRow> =>
  [...Map.groupBy(rows, ({ key }) => key)].map(([key, rows]) => total(key, rows)).toSorted(byClicks)

const mostFirst = Order.flip(Order.Number)
const byClicks = Order.Struct({ clicks: mostFirst, impressions: mostFirst, key: Order.String })

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

const availableNote = (available: ReadonlyArray<string>): string =>
  `The provider has buckets from ${available.at(0)} to ${available.at(-1)}.`

const emptyNote = ({ buckets, isDated, latest, subject, total, window }: {
  readonly isDated: boolean
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
      !isDated && reaching > 0 && reaching <= maxWindowDays ? `; ${reaching} \`days\` reach the latest one` : ""
    }.`
  }
  if (total === 0) return `No ${subject} of the window matches the filter.`
  return `\`offset\` is past the last of ${total} rows.`
}
