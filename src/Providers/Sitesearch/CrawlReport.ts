import { Order, Schema } from "effect"
import { type DateWindow, includesDay } from "../Tooling/DateWindow.ts"
import { Integer } from "../Tooling/Integer.ts"
import { roundCount } from "../Tooling/Rounding.ts"
import { CrawlIssue, issueCounts } from "./CrawlIssues.ts"
import { type CrawlStats, distinctRows, parseDay } from "./Responses.ts"

type Figures = NonNullable<(typeof CrawlStats.Type)["d"]>[number]

export interface CrawlDay extends Figures {
  readonly day: string
}

export const crawlDays = ({ d }: typeof CrawlStats.Type): ReadonlyArray<CrawlDay> =>
  distinctRows(
    (d ?? []).flatMap((row) => {
      const day = parseDay(row.Date ?? "")
      return day === null ? [] : [{ ...row, day }]
    }),
    ({ day }) => day
  ).toSorted(Order.mapInput(Order.String, ({ day }) => day))

export type IssueListing =
  | { readonly _tag: "Listed"; readonly issues: ReadonlyArray<CrawlIssue> }
  | { readonly _tag: "Failed"; readonly message: string }

const Figure = Schema.NullOr(Schema.Finite)

export const crawlReportFields = {
  start: Schema.String,
  end: Schema.String,
  latest_day: Schema.NullOr(Schema.String),
  in_index: Figure,
  in_index_change: Figure,
  in_links: Figure,
  crawled_pages: Figure,
  crawl_errors: Figure,
  http: Schema.Struct({ "2xx": Figure, "301": Figure, "302": Figure, "4xx": Figure, "5xx": Figure, other: Figure }),
  blocked_by_robots: Figure,
  malware: Figure,
  dns_failures: Schema.optionalKey(Schema.Finite),
  timeouts: Schema.optionalKey(Schema.Finite),
  issue_counts: Schema.Record(Schema.String, Integer).annotate({ description: "URLs by kind of issue." }),
  issues: Schema.Array(CrawlIssue),
  issues_total: Schema.NullOr(Integer),
  returned: Integer,
  has_more: Schema.Boolean,
  issues_measured: Schema.Boolean,
  issues_error: Schema.optionalKey(Schema.String),
  note: Schema.optionalKey(Schema.String)
}
export type CrawlReport = Schema.Struct<typeof crawlReportFields>["Type"]

/**
 * `InIndex` and `InLinks` are levels, so the latest value counts. Other figures are sums. The provider can list no
 * issues although its statistics count errors, so an empty list is trusted only when they count none.
 */
export const crawlReport = (
  days: ReadonlyArray<CrawlDay>,
  listing: IssueListing,
  { isDated, limit, window }: { readonly window: DateWindow; readonly isDated: boolean; readonly limit: number }
): CrawlReport => {
  const inWindow = days.filter(({ day }) => includesDay(window, day))
  const latest = inWindow.at(-1) ?? days.at(-1)
  const flow = (name: Flow) => sum(inWindow, name)
  const listed = listing._tag === "Listed" ? listing.issues : []
  const hasNoErrors = inWindow.length > 0 && errorFigures.every((name) => (flow(name) ?? 0) === 0)
  const measured = listing._tag === "Listed" && (listed.length > 0 || hasNoErrors)
  const dnsFailures = flow("DnsFailures")
  const timeouts = flow("ConnectionTimeout")
  const issues = listed.slice(0, limit)
  const notes = [
    ...statisticsNote(days, inWindow),
    ...isDated ? rangeNote(days, window) : [],
    ...listing._tag === "Listed" && listed.length === 0 ? [hasNoErrors ? noIssuesNote : notMeasuredNote] : []
  ]
  return {
    ...window,
    latest_day: latest?.day ?? null,
    in_index: latest?.InIndex ?? null,
    in_index_change: difference(inWindow.at(0)?.InIndex, inWindow.at(-1)?.InIndex),
    in_links: latest?.InLinks ?? null,
    crawled_pages: flow("CrawledPages"),
    crawl_errors: flow("CrawlErrors"),
    http: {
      "2xx": flow("Code2xx"),
      "301": flow("Code301"),
      "302": flow("Code302"),
      "4xx": flow("Code4xx"),
      "5xx": flow("Code5xx"),
      other: flow("AllOtherCodes")
    },
    blocked_by_robots: flow("BlockedByRobotsTxt"),
    malware: flow("ContainsMalware"),
    ...dnsFailures === null ? {} : { dns_failures: dnsFailures },
    ...timeouts === null ? {} : { timeouts },
    issue_counts: issueCounts(listed),
    issues,
    issues_total: listing._tag === "Listed" ? listed.length : null,
    returned: issues.length,
    has_more: listed.length > issues.length,
    issues_measured: measured,
    ...listing._tag === "Failed" ? { issues_error: listing.message } : {},
    ...notes.length === 0 ? {} : { note: notes.join(" ") }
  }
}

type Flow = Exclude<keyof Figures, "Date" | "InIndex" | "InLinks">

const errorFigures: ReadonlyArray<Flow> = [
  "CrawlErrors",
  "Code4xx",
  "Code5xx",
  "BlockedByRobotsTxt",
  "ContainsMalware",
  "DnsFailures",
  "ConnectionTimeout"
]

const sum = (days: ReadonlyArray<CrawlDay>, name: Flow): number | null => {
  const figures = days.flatMap((day) => day[name] ?? [])
  return figures.length === 0 ? null : roundCount(figures.reduce((total, figure) => total + figure, 0))
}

const difference = (first: number | null | undefined, latest: number | null | undefined): number | null =>
  typeof first === "number" && typeof latest === "number" ? latest - first : null

const statisticsNote = (days: ReadonlyArray<CrawlDay>, inWindow: ReadonlyArray<CrawlDay>): ReadonlyArray<string> => {
  const newest = days.at(-1)
  if (newest === undefined) {
    return ["The provider has no crawl statistics for this site: it is new, or is hardly crawled."]
  }
  return inWindow.length === 0 ? [`No crawl statistics lie in the window; the newest are of ${newest.day}.`] : []
}

const rangeNote = (days: ReadonlyArray<CrawlDay>, window: DateWindow): ReadonlyArray<string> => {
  const [first, last] = [days.at(0)?.day, days.at(-1)?.day]
  return first === undefined || last === undefined || (first <= window.start && window.end <= last)
    ? []
    : [`The provider has statistics from ${first} to ${last}.`]
}

const noIssuesNote = "The list of URLs with issues is empty, and the statistics of the window count no errors either."
const notMeasuredNote =
  "The list of URLs with issues is empty. This does not mean that there are none: the statistics " +
  "count errors or are missing."
