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

const windowWords = (seconds: number): string => {
  switch (seconds) {
    case 0:
      return "at once"
    case 1:
      return "a second"
    case 60:
      return "a minute"
    case 3600:
      return "an hour"
    case 86_400:
      return "a day"
    default:
      return seconds % 60 === 0 ? `in ${seconds / 60} minutes` : `in ${seconds} seconds`
  }
}

/** Such as "the last minute". */
export const lastWords = (seconds: number): string => {
  const words = windowWords(seconds)
  return words.startsWith("in ") ? `the last ${words.slice(3)}` : `the last ${words.replace(/^an? /, "")}`
}

/** Such as "Reads of spreadsheets a minute". A name that is not known is shown as it is. */
export const quotaWords = ({ name, window_seconds }: {
  readonly name: string
  readonly window_seconds: number
}): string => {
  const [provider, subject = ""] = name.split(".")
  const words = subjects[`${provider}.${subject.replace(/_(?:second|hour|day)$/, "")}`] ?? name
  return words.endsWith("at once") ? words : `${words} ${windowWords(window_seconds)}`
}
