import { Cache, type DateTime, Effect, type Result } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import type { Column } from "../../../Domain/Table/Table.ts"
import type { Issue } from "../../../Domain/Validation/Issue.ts"
import type { ProviderCalls } from "../../../Providers/Provider.ts"
import { addDays, daysBetween } from "../../../Providers/Tooling/DateWindow.ts"
import type { DatasetStorageFailed } from "../Files/FileStore.ts"
import type { DayRows } from "../Rows/DayRows.ts"
import type { Layout } from "../Rows/RowsOfDay.ts"

export interface Selection {
  readonly dimensions: ReadonlyArray<string>
  readonly metrics: ReadonlyArray<string>
}

export interface FetchedRows {
  /** The property's own clicks, or its first metric. `null` if it has no total. */
  readonly total: number | null
  /** The source has more rows than it gives. */
  readonly capped: boolean
}

/** A report of one property, for as long as a run lasts. */
export interface Source {
  readonly zone: DateTime.TimeZone
  /** The date in the time zone of the source. */
  readonly today: string
  /** The days from `since` on that the source has, without today. For weeks, their first days. */
  readonly days: (since: string) => ReadonlyArray<string>
  readonly layout: Layout
  readonly fetch: (day: string, rows: DayRows) => Effect.Effect<FetchedRows, ToolCallError | DatasetStorageFailed>
}

/** A kind of dataset. */
export interface Report {
  readonly provider: string
  /** Days in a partition. */
  readonly span: 1 | 7
  /** What to ask for, with defaults. Paths of issues start at the request body. */
  readonly select: (
    dimensions: ReadonlyArray<string> | undefined,
    metrics: ReadonlyArray<string> | undefined
  ) => Result.Result<Selection, ReadonlyArray<Issue>>
  readonly columns: (selection: Selection) => ReadonlyArray<Column>
  /** @param property the name of the resource at the provider */
  readonly open: (
    calls: ProviderCalls,
    property: string,
    selection: Selection
  ) => Effect.Effect<Source, ToolCallError>
}

/** Sources still change this many days before today. */
const changingDays = 3

export const isFinal = ({ span }: Report, day: string, today: string): boolean =>
  addDays(day, span - 1 + changingDays) < today

/** All days up to yesterday. */
export const daysUpTo = (today: string, first: string): ReadonlyArray<string> =>
  first >= today ? [] : Array.from({ length: daysBetween(first, today) }, (_, index) => addDays(first, index))

/** 1 without a total, because nothing is missing then. */
export const shareOf = (part: number, total: number): number =>
  total <= 0 ? 1 : Math.min(1, Math.round(part / total * 10_000) / 10_000)

/** Totals by day. The first question about a month reads all its days with one request. */
export const totalsByMonth = <E>(
  read: (window: { readonly start: string; readonly end: string }) => Effect.Effect<ReadonlyMap<string, number>, E>,
  today: string
) =>
  Effect.map(
    Cache.make({
      capacity: 24,
      lookup: (month: string) => {
        const next = addDays(`${month}-28`, 4).slice(0, 7)
        const last = addDays(`${next}-01`, -1)
        return read({ start: `${month}-01`, end: last < today ? last : today })
      }
    }),
    (months) => (day: string) => Effect.map(Cache.get(months, day.slice(0, 7)), (totals) => totals.get(day))
  )
