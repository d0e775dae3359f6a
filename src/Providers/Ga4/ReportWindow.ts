import { DateTime, Effect, Option } from "effect"
import { addDays, type DateWindow, lastDays, today } from "../Tooling/DateWindow.ts"
import { type WindowInput, windowInput } from "../Tooling/WindowInput.ts"
import type { ReportResponse } from "./Responses.ts"

export const reportWindow = windowInput({
  description: "Length of the window in whole days. It ends yesterday.",
  minimum: 1,
  maximum: 1100,
  default: 28
})

/** Relative days are those of the property's time zone, which only its reports name. */
const relativeDays = (days: number): DateWindow => ({ start: `${days}daysAgo`, end: "yesterday" })

export const dateRange = (input: WindowInput) => {
  const { end, start } = reportWindow.resolve(input, relativeDays)
  return { startDate: start, endDate: end }
}

export interface ReportedWindow extends DateWindow {
  readonly timeZone: string | null
  readonly notes: ReadonlyArray<string>
}

export const reportedWindow = Effect.fnUntraced(function*(reports: ReadonlyArray<ReportResponse>, input: WindowInput) {
  const timeZone = reports.map(({ metadata }) => metadata?.timeZone).find((zone) => zone !== undefined) ?? null
  const zone = Option.flatMap(Option.fromNullishOr(timeZone), DateTime.zoneMakeNamed)
  if (Option.isNone(zone)) return { timeZone, ...reportWindow.resolve(input, relativeDays), notes: [] }
  const yesterday = addDays(yield* today(zone.value), -1)
  const window = reportWindow.resolve(input, (days) => lastDays(days, yesterday))
  return {
    timeZone,
    ...window,
    notes: window.end > yesterday ? [`Days after ${yesterday} are not over yet, so their figures are incomplete.`] : []
  } satisfies ReportedWindow
})
