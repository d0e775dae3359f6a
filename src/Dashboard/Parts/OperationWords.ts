import { Predicate } from "effect"
import { counted } from "../../Domain/Calls/MissingWords.ts"

/** What operations do, as an instruction. By the target without its kind. */
const instructions: Readonly<Record<string, string>> = {
  gsc_quick_wins: "find the quick wins",
  gsc_top_queries: "list the top queries",
  "sites.list": "list the sites",
  "sites.get": "read the site",
  "searchanalytics.query": "query the searches",
  "sitemaps.list": "list the sitemaps",
  "sitemaps.get": "read a sitemap",
  "urlInspection.index.inspect": "inspect a page",
  ga4_list_properties: "list the properties",
  ga4_traffic_by_page: "list the traffic by page",
  "accountSummaries.list": "list the accounts",
  "properties.runReport": "run a report",
  "properties.runRealtimeReport": "run a report of this moment",
  "properties.batchRunReports": "run reports",
  "properties.getMetadata": "list the dimensions and metrics",
  docs_append: "append text",
  docs_create: "make a document",
  docs_insert: "insert text",
  docs_read: "read the document",
  docs_replace_text: "replace text",
  "documents.get": "read the document",
  "documents.create": "make a document",
  "documents.batchUpdate": "change the document",
  sheets_append_rows: "append rows",
  sheets_create: "make a spreadsheet",
  sheets_list_tabs: "list the tabs",
  sheets_read: "read cells",
  sheets_update_range: "overwrite cells",
  "spreadsheets.get": "read the spreadsheet",
  "spreadsheets.create": "make a spreadsheet",
  "spreadsheets.batchUpdate": "change the spreadsheet",
  "values.get": "read cells",
  "values.batchGet": "read cells",
  "values.update": "overwrite cells",
  "values.append": "append rows",
  "values.batchUpdate": "overwrite cells",
  "values.clear": "clear cells",
  sitesearch_crawl_health: "check the crawl health",
  sitesearch_list_sites: "list the sites",
  sitesearch_top_pages: "list the top pages",
  sitesearch_top_queries: "list the top queries",
  GetUserSites: "list the sites",
  GetQueryStats: "list the queries",
  GetPageStats: "list the pages",
  GetRankAndTrafficStats: "read the traffic",
  GetQueryPageStats: "list the pages of a query",
  GetPageQueryStats: "list the queries of a page",
  GetQueryTrafficStats: "read the traffic of a query",
  GetCrawlStats: "read the crawl figures",
  GetCrawlIssues: "list the crawl issues",
  GetFeeds: "list the feeds",
  GetUrlSubmissionQuota: "read the submission quota",
  GetKeywordStats: "read the figures of a keyword",
  SubmitUrl: "submit a page",
  SubmitUrlBatch: "submit pages"
}

const maxQuoted = 40

/** Shortened, and on one line. */
const quoted = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ")
  return `‘${line.length > maxQuoted ? `${line.slice(0, maxQuoted - 1)}…` : line}’`
}

const textIn = (input: unknown, name: string): string | undefined => {
  const value = fieldIn(input, name)
  return typeof value === "string" && value !== "" ? value : undefined
}

const fieldIn = (input: unknown, name: string): unknown => Predicate.hasProperty(input, name) ? input[name] : undefined

/** What the input adds to the instruction: the text that is replaced, the cells, the name of what is made. */
const detailed = (instruction: string, input: unknown): string => {
  const find = textIn(input, "find")
  const range = textIn(input, "range") ?? textIn(fieldIn(input, "path"), "range")
  const title = textIn(input, "title") ?? textIn(fieldIn(input, "body"), "title")
  const rows = fieldIn(input, "rows") ?? fieldIn(fieldIn(input, "body"), "values")
  if (instruction === "replace text" && find !== undefined) return `replace ${quoted(find)}`
  if (instruction === "append rows" && Array.isArray(rows)) return `append ${counted(rows.length, "row")}`
  if (instruction.endsWith(" cells") && range !== undefined) return instruction.replace("cells", range)
  if (instruction.startsWith("make a ") && title !== undefined) return `${instruction} ${quoted(title)}`
  return instruction
}

/** The target without its kind, as programs name it. */
const operationName = (target: string): string => target.replace(/^\w+:/, "")

/** What a call does, as in "Scripts asked to …". */
export const operationWords = (target: string, input?: unknown): string => {
  if (textIn(input, "undo_of") !== undefined) return "undo an earlier write"
  const name = operationName(target)
  const instruction = instructions[name]
  return instruction === undefined ? `call ${name}` : detailed(instruction, input)
}

/** What a write does, and to what, as a title: "Replace ‘Spring’ in Spring plan". */
export const operationTitle = (target: string, resourceName: string | null, input?: unknown): string => {
  const words = operationWords(target, input)
  const title = words.charAt(0).toUpperCase() + words.slice(1)
  if (resourceName === null) return title
  return title.replace(/ the (document|spreadsheet|site)$/, "") === title
    ? `${title} in ${resourceName}`
    : title.replace(/ the \w+$/, ` ${resourceName}`)
}
