import { Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, tool } from "../../Provider.ts"
import { optionalText } from "../../Tooling/Fields.ts"
import { getPageStats } from "../Endpoints.ts"
import { topFields, topWindow } from "../Schemas.ts"
import { namedSite } from "../Sites.ts"
import { topOutput } from "../TopRows.ts"
import { runTopTool, textFilter, topTexts } from "../TopTool.ts"

export const sitesearchTopPages = tool({
  name: "sitesearch_top_pages",
  ...described([
    "Top pages by clicks for a site over the last N days, with impressions, CTR and average position; source data",
    "updates weekly.",
    "The window of `days` ends today, Pacific time; weekly buckets lag by a week or more.",
    "`ctr` is a fraction, `position` an average, null when not measured.",
    "Only top pages: for totals use the endpoint GetRankAndTrafficStats.",
    "For search queries use sitesearch_top_queries."
  ], topTexts),
  writes: false,
  input: Schema.Struct({
    ...topFields,
    contains: optionalText({ description: "Only pages whose URL contains this text, in any case.", maxLength: 500 }),
    path_contains: optionalText({
      description: "Only pages whose URL path, without host and query string, contains this text, in any case.",
      maxLength: 500
    })
  }).check(topWindow.rules).pipe(Schema.decode(topWindow.withDefault())),
  resources: { names: ({ site }) => namedSite(site) },
  rows: () => objectsIn("rows"),
  output: topOutput({ page: Schema.String }),
  run: ({ contains, path_contains, ...input }, provider) =>
    runTopTool(provider, {
      ...input,
      endpoint: getPageStats,
      subject: "page",
      name: (page) => ({ page }),
      filters: [...textFilter("page contains", contains), ...textFilter("path contains", path_contains, urlPath)]
    })
})

const urlPath = (page: string): string => page.replace(/^\w+:\/\/[^/?#]*/, "").replace(/[?#].*$/s, "")
