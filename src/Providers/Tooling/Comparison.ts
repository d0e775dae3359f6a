import { Record, Schema } from "effect"
import { addDays, type DateWindow, daysIn, lastDays, monthsBefore } from "./DateWindow.ts"
import { optionalChoice } from "./Fields.ts"
import { roundRate } from "./Rounding.ts"

export const compareField = {
  compare: optionalChoice(["previous_period", "previous_year"], {
    description: "Adds `previous` and `change` to the figures."
  })
}
export type Comparison = NonNullable<Schema.Struct<typeof compareField>["Type"]["compare"]>

/** The window of equal length just before, or the same dates of the year before, with 28 for 29 February. */
export const previousWindow = (comparison: Comparison, window: DateWindow): DateWindow =>
  comparison === "previous_year"
    ? { start: monthsBefore(window.start, 12), end: monthsBefore(window.end, 12) }
    : lastDays(daysIn(window), addDays(window.start, -1))

type Figures<Name extends string> = Readonly<Record<Name, number | null>>

const Figure = Schema.NullOr(Schema.Finite)

/** The part of an output that compares figures. */
export const comparisonFields = <Name extends string>(figures: Readonly<Record<Name, unknown>>) => {
  const fields = Record.map(figures, () => Figure)
  return {
    previous: Schema.optionalKey(Schema.Struct(fields)),
    change: Schema.optionalKey(
      Schema.Struct(fields).annotate({ description: "Difference to `previous`. Null where either is null." })
    )
  }
}

export const previousWindowFields = {
  previous_start: Schema.optionalKey(Schema.String),
  previous_end: Schema.optionalKey(Schema.String)
}

/** Without `previous`, the provider has no data of that time, so the figures are `null`. */
export const compareFigures = <Name extends string>(current: Figures<Name>, previous: Figures<Name> | undefined) => {
  const before = previous ?? Record.map(current, () => null)
  return { previous: before, change: Record.map(current, (figure, name) => difference(figure, before[name])) }
}

const difference = (figure: number | null, before: number | null): number | null =>
  figure === null || before === null ? null : roundRate(figure - before)
