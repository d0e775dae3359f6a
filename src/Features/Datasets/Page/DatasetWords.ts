import { resourceWords } from "../../../Dashboard/Rights/ResourceWords.ts"
import type { Dataset, DayStatus, ReportName } from "../Declared.ts"

export const reportWords: Readonly<Record<ReportName, string>> = {
  "gsc.searchanalytics": "Google Search Console: searches",
  "ga4.report": "Google Analytics: report",
  "sitesearch.query_stats": "Bing Webmaster Tools: queries by week",
  "sitesearch.page_stats": "Bing Webmaster Tools: pages by week",
  "sitesearch.traffic": "Bing Webmaster Tools: traffic by day"
}

const titles: Readonly<Record<ReportName, string>> = {
  "gsc.searchanalytics": "Searches",
  "ga4.report": "Report",
  "sitesearch.query_stats": "Queries by week",
  "sitesearch.page_stats": "Pages by week",
  "sitesearch.traffic": "Traffic by day"
}

/** The name. A name that the service made of ids is replaced by words. */
export const datasetTitle = ({ name, report, resource }: Dataset): string =>
  name.startsWith(`${report} of `) ? `${titles[report]} of ${resourceWords(resource)}` : name

export const providerOf = (report: ReportName): string => report.slice(0, report.indexOf("."))

export const statusWords = {
  running: ["ok", "Running"],
  idle: ["ok", "Up to date"],
  failed: ["error", "Failed"],
  paused: ["off", "Paused"]
} as const

export const dayWords: Readonly<Record<DayStatus, string>> = {
  done: "Fetched",
  capped: "Capped",
  failed: "Failed",
  pending: "Not fetched yet"
}

const dayStatuses = ["done", "capped", "failed", "pending"] as const

/** Such as "120 fetched, 3 not fetched yet": without zeros. */
export const daysWords = (days: Dataset["days"]): string =>
  dayStatuses.filter((status) => status === "done" || days[status] > 0)
    .map((status) => `${days[status].toLocaleString()} ${dayWords[status].toLowerCase()}`).join(", ")

const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const

export const size = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: 1
  }).format(bytes / 1000 ** power)
}

const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeZone: "UTC" })

/** @param day such as `2026-11-22`, in the time zone of the source */
export const dayName = (day: string): string => longDay.format(new Date(day))
