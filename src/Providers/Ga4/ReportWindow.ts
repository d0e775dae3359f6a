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

/** The window as it is sent. Relative days are those of the property's time zone, which only its reports name. */
export const sentWindow = (input: WindowInput): DateWindow =>
  reportWindow.resolve(input, (days) => ({ start: `${days}daysAgo`, end: "yesterday" }))

/** The window in dates: of UTC if the time zone is unknown, and then `shown` is the window as it was sent. */
export const reportedWindow = Effect.fnUntraced(function*(reports: ReadonlyArray<ReportResponse>, input: WindowInput) {
  const timeZone = reports.map(({ metadata }) => metadata?.timeZone).find((zone) => zone !== undefined) ?? null
  const zone = Option.flatMap(Option.fromNullishOr(timeZone), DateTime.zoneMakeNamed)
  const yesterday = addDays(yield* today(Option.getOrElse(zone, () => DateTime.zoneMakeOffset(0))), -1)
  const dates = reportWindow.resolve(input, (days) => lastDays(days, yesterday))
  return {
    timeZone,
    dates,
    shown: Option.isSome(zone) ? dates : sentWindow(input),
    notes: dates.end > yesterday ? [`Days after ${yesterday} are not over yet, so their figures are incomplete.`] : []
  }
})
