import { windowWords } from "../WindowWords.ts"

const subjects: Readonly<Record<string, string>> = {
  "gsc.searchanalytics": "Search Analytics requests",
  "gsc.inspection": "URL inspections",
  "gsc.other": "Other requests",
  "ga4.core_tokens": "Report tokens",
  "ga4.realtime_tokens": "Realtime tokens",
  "ga4.thresholded": "Requests about people's traits",
  "ga4.concurrent": "Requests at once",
  "ga4.server_errors": "Server errors",
  "sitesearch.calls": "Requests",
  "gsheets.read": "Reads of spreadsheets",
  "gsheets.write": "Writes to spreadsheets",
  "gdocs.read": "Reads of documents",
  "gdocs.write": "Writes to documents"
}

/** Such as "the last minute". */
export const lastWords = (seconds: number): string => `the last ${windowWords(seconds).replace(/^an? /, "")}`

/** Such as "Reads of spreadsheets a minute". A name that is not known is shown as it is. */
export const quotaWords = ({ name, window_seconds }: {
  readonly name: string
  readonly window_seconds: number
}): string => {
  const [provider, subject = ""] = name.split(".")
  const words = subjects[`${provider}.${subject.replace(/_(?:second|hour|day)$/, "")}`] ?? name
  return window_seconds === 0 ? words : `${words} ${windowWords(window_seconds).replace(/^\d/, "in $&")}`
}
