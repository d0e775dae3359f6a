import { Effect, type Schema } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { lastDays, pacificTime, today } from "../Tooling/DateWindow.ts"
import type { getQueryStats } from "./Endpoints.ts"
import { previousRows } from "./PreviousRows.ts"
import { QueryStats } from "./Responses.ts"
import { type topFields, topWindow } from "./Schemas.ts"
import { explainUnverified, resolveSite } from "./Sites.ts"
import { bucketRows, type Subject, type TextFilter, topReport } from "./TopRows.ts"

type TopInput = Schema.Struct<typeof topFields>["Type"]

export const topTexts = [
  "The window is `days` days, or `start` to `end`.",
  "A bucket counts when its date is in the window, so the edges are approximate by up to 6 days.",
  "`latest_bucket` is the newest.",
  "A `ctr` of 0.05 is 5 %, null without impressions.",
  "`position` is weighted by impressions; 1 is the highest.",
  "Sorted by clicks, then impressions, most first.",
  "Returns at most `limit` rows of `total`; `has_more` and `next_offset` lead to more.",
  "Rows add up to less than the whole site.",
  "With `compare`, `previous` has the figures of the window before, and `change` the difference.",
  "Without rows `note` says why.",
  "sitesearch_list_sites lists the values of `site`."
]

export const runTopTool = Effect.fnUntraced(function*<Name>(
  provider: ProviderCalls,
  { endpoint, filters, name, subject, ...input }: TopInput & {
    readonly endpoint: typeof getQueryStats
    readonly subject: Subject
    readonly name: (key: string) => Name
    readonly filters: ReadonlyArray<TextFilter>
  }
) {
  const lastDay = yield* today(pacificTime)
  const window = topWindow.resolve(input, (days) => lastDays(days, lastDay))
  const found = yield* resolveSite(provider, input.site)
  const stats = yield* provider.call(endpoint, { query: { siteUrl: found.url } }, QueryStats).pipe(
    explainUnverified(found)
  )
  const rows = bucketRows(stats)
  return {
    site: found.url,
    ...topReport(rows, {
      window,
      isDated: input.start !== undefined,
      range: input,
      subject,
      name,
      filters,
      previous: input.compare === undefined ? undefined : previousRows(rows, window, input.compare)
    })
  }
})

export const textFilter = (
  claim: string,
  value: string | undefined,
  textOf: TextFilter["textOf"] = (key) => key
): ReadonlyArray<TextFilter> => value === undefined ? [] : [{ claim, value, textOf }]
