import { Schema, SchemaGetter } from "effect"
import { type DateWindow, daysIn } from "./DateWindow.ts"
import { optionalDay } from "./Fields.ts"

/** Either `days`, or `start` and `end`, both inclusive. */
export interface WindowInput {
  readonly days?: number
  readonly start?: string
  readonly end?: string
}

/** The fields of a tool that choose its window, in days. The rules between them are not in its JSON Schema. */
export const windowInput = (
  { description, ...bounds }: {
    readonly description: string
    readonly minimum: number
    readonly maximum: number
    readonly default: number
  }
) => ({
  fields: {
    days: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween(bounds)).annotate({ description, default: bounds.default })
    ),
    start: optionalDay("First day, `YYYY-MM-DD`. With `end`, instead of `days`."),
    end: optionalDay(`Last day, inclusive. At most ${bounds.maximum} days.`)
  },
  rules: Schema.makeFilter((input: WindowInput) => windowIssues(input, bounds.maximum)),
  /** Inputs with and without the default are the same call for the cache. */
  withDefault: <Input extends WindowInput>() => ({
    decode: SchemaGetter.transform((input: Input): Input =>
      input.start === undefined ? { days: bounds.default, ...input } : input
    ),
    encode: SchemaGetter.passthrough<Input>()
  }),
  resolve: ({ days = bounds.default, end, start }: WindowInput, lastDays: (days: number) => DateWindow): DateWindow =>
    start === undefined || end === undefined ? lastDays(days) : { start, end }
})

const windowIssues = ({ days, end, start }: WindowInput, maximum: number): ReadonlyArray<Schema.FilterIssue> => {
  if (start === undefined && end === undefined) return []
  if (days !== undefined) return [{ path: ["days"], issue: "Expected either days or start and end" }]
  if (start === undefined) return [{ path: ["start"], issue: "Required with end" }]
  if (end === undefined) return [{ path: ["end"], issue: "Required with start" }]
  if (start > end) return [{ path: ["start"], issue: "Expected a day that is not after end" }]
  const length = daysIn({ start, end })
  return length > maximum
    ? [{ path: ["start"], issue: `Expected a window of at most ${maximum} days; it has ${length}` }]
    : []
}
