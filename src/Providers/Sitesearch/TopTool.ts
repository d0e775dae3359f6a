import { Effect, type Schema } from "effect"
import type { ProviderCalls } from "../Provider.ts"
import { lastDays, pacificTime, today } from "../Tooling/DateWindow.ts"
import type { getQueryStats } from "./Endpoints.ts"
import { QueryStats } from "./Responses.ts"
import { type topFields, topWindow } from "./Schemas.ts"
import { explainUnverified, resolveSite } from "./Sites.ts"
import { bucketRows, type Subject, topReport } from "./TopRows.ts"

type TopInput = Schema.Struct<typeof topFields>["Type"]

export const topText = (subject: "queries" | "pages"): string =>
  [
    "The source has one bucket a week and lags by a week or more.",
    "The window is the `days` days that end today, Pacific time, or `start` to `end`.",
    "A bucket counts when its date is in the window, so the edges are approximate by up to 6 days.",
    "`buckets` says how many counted, `latest_bucket` which is the newest.",
    "`ctr` is a fraction (0.05 is 5 %), null without impressions.",
    "`position` is weighted by impressions; 1 is the highest, null means not measured.",
    "Sorted by clicks, then impressions, most first.",
    "Returns at most `limit` rows of `total`.",
    "`has_more` says whether there are more, `next_offset` where they start.",
    `The provider keeps top ${subject} only, so rows add up to less than the whole site.`,
    "For totals of the site use the endpoint GetRankAndTrafficStats.",
    "Without rows `note` says why."
  ].join(" ")

export const runTopTool = Effect.fnUntraced(function*<Name>(
  provider: ProviderCalls,
  { endpoint, matches, name, subject, ...input }: TopInput & {
    readonly endpoint: typeof getQueryStats
    readonly subject: Subject
    readonly name: (key: string) => Name
    readonly matches: (key: string) => boolean
  }
) {
  const lastDay = yield* today(pacificTime)
  const window = topWindow.resolve(input, (days) => lastDays(days, lastDay))
  const found = yield* resolveSite(provider, input.site)
  const stats = yield* provider.call(endpoint, { query: { siteUrl: found.url } }, QueryStats).pipe(
    explainUnverified(found)
  )
  return {
    site: found.url,
    ...topReport(bucketRows(stats), {
      window,
      isDated: input.start !== undefined,
      range: input,
      subject,
      name,
      matches
    })
  }
})

export const includesText = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())
