import { Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, tool } from "../../Provider.ts"
import { optionalText } from "../../Tooling/Fields.ts"
import { getQueryStats } from "../Endpoints.ts"
import { topFields, topWindow } from "../Schemas.ts"
import { namedSite } from "../Sites.ts"
import { topOutput } from "../TopRows.ts"
import { runTopTool, textFilter, topTexts } from "../TopTool.ts"

export const sitesearchTopQueries = tool({
  name: "sitesearch_top_queries",
  ...described([
    "Top search queries by clicks for a site over the last N days, with impressions, CTR and average position; source",
    "data updates weekly.",
    "The window of `days` ends today, Pacific time; weekly buckets lag by a week or more.",
    "`ctr` is a fraction, `position` an average, null when not measured.",
    "Only top queries: for totals use the endpoint GetRankAndTrafficStats.",
    "For pages use sitesearch_top_pages."
  ], topTexts),
  writes: false,
  input: Schema.Struct({
    ...topFields,
    contains: optionalText({ description: "Only queries that contain this text, in any case.", maxLength: 500 })
  }).check(topWindow.rules).pipe(Schema.decode(topWindow.withDefault())),
  resources: { names: ({ site }) => namedSite(site) },
  rows: () => objectsIn("rows"),
  output: topOutput({ query: Schema.String }),
  run: ({ contains, ...input }, provider) =>
    runTopTool(provider, {
      ...input,
      endpoint: getQueryStats,
      subject: "query",
      name: (query) => ({ query }),
      filters: textFilter("query contains", contains)
    })
})
