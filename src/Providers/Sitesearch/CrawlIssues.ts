import { Order, Schema } from "effect"
import { type CrawlIssues, distinctRows } from "./Responses.ts"

const names = new Map([
  [1, "Code301"],
  [2, "Code302"],
  [4, "Code4xx"],
  [8, "Code5xx"],
  [16, "BlockedByRobotsTxt"],
  [32, "ContainsMalware"],
  [64, "ImportantUrlBlockedByRobotsTxt"],
  [128, "DnsErrors"],
  [256, "TimeOutErrors"]
])

export const issueNames = (flags: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let bit = 1, rest = Math.trunc(flags); rest > 0; bit *= 2, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) found.push(names.get(bit) ?? `Unknown${bit}`)
  }
  return found
}

export const CrawlIssue = Schema.Struct({
  url: Schema.String,
  http_code: Schema.NullOr(Schema.Finite),
  issues: Schema.Array(Schema.String),
  in_links: Schema.NullOr(Schema.Finite)
})
export type CrawlIssue = typeof CrawlIssue.Type

export const listCrawlIssues = ({ d }: typeof CrawlIssues.Type): ReadonlyArray<CrawlIssue> =>
  distinctRows((d ?? []).map((row) => ({
    url: row.Url,
    http_code: row.HttpCode ?? null,
    issues: issueNames(row.Issues ?? 0),
    in_links: row.InLinks ?? null
  }))).toSorted(byInLinks)

const byInLinks = Order.combine(
  Order.flip(Order.mapInput(Order.Number, (issue: CrawlIssue) => issue.in_links ?? 0)),
  Order.mapInput(Order.String, (issue: CrawlIssue) => issue.url)
)

export const issueCounts = (issues: ReadonlyArray<CrawlIssue>): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const name of issues.flatMap(({ issues }) => issues)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a))
}
