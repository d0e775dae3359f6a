import { type Comparison, previousWindow } from "../Tooling/Comparison.ts"
import { addDays, type DateWindow, includesDay } from "../Tooling/DateWindow.ts"
import { type BucketRow, distinctDays, type PreviousRows, topRows } from "./TopRows.ts"

const noFigures = { clicks: 0, impressions: 0, ctr: null, position: null }

/** The figures of the window before, from the same response: the provider keeps only a few months. */
export const previousRows = (
  all: ReadonlyArray<BucketRow>,
  window: DateWindow,
  comparison: Comparison
): PreviousRows => {
  const previous = previousWindow(comparison, window)
  const rows = all.filter(({ day }) => includesDay(previous, day))
  const buckets = distinctDays(rows).length
  const byKey = new Map(topRows(rows).map(({ key, ...figures }) => [key, figures]))
  return {
    fields: { previous_start: previous.start, previous_end: previous.end },
    ofKey: (key) => buckets === 0 ? undefined : byKey.get(key) ?? noFigures,
    notes: coverageNotes(all, window, previous)
  }
}

const buckets = (count: number): string => count === 1 ? "1 bucket" : `${count} buckets`

const coverageNotes = (
  all: ReadonlyArray<BucketRow>,
  window: DateWindow,
  previous: DateWindow
): ReadonlyArray<string> => {
  const available = distinctDays(all)
  const [first] = available
  if (first === undefined) return []
  const count = (days: DateWindow) => available.filter((day) => includesDay(days, day)).length
  const named = `The previous window, ${previous.start} to ${previous.end},`
  if (count(previous) === 0) return [`${named} has no bucket: the first of all is ${first}. So \`previous\` is null.`]
  const isCut = first > addDays(previous.start, 6)
  return isCut || count(previous) !== count(window)
    ? [
      `${named} has ${buckets(count(previous))}, this one ${count(window)}.`,
      ...isCut ? [`The first bucket of all is ${first}.`] : []
    ]
    : []
}
