const google = "https://www.googleapis.com/auth/"

const words: Readonly<Record<string, string>> = {
  [`${google}webmasters.readonly`]: "Read Google Search Console",
  [`${google}webmasters`]: "Read and change Google Search Console",
  [`${google}analytics.readonly`]: "Read Google Analytics",
  [`${google}analytics`]: "Read and change Google Analytics",
  [`${google}analytics.edit`]: "Change the settings of Google Analytics",
  [`${google}spreadsheets.readonly`]: "Read spreadsheets",
  [`${google}spreadsheets`]: "Read and change spreadsheets",
  [`${google}documents.readonly`]: "Read documents",
  [`${google}documents`]: "Read and change documents",
  [`${google}drive.file`]: "Files of Drive that were opened with this service",
  [`${google}drive.readonly`]: "Read files of Drive",
  [`${google}drive`]: "Read and change files of Drive",
  [`${google}userinfo.email`]: "See the account's address",
  "openid": "See who the account is",
  "email": "See the account's address",
  "webmaster.read": "Read webmaster data",
  "webmaster.manage": "Read and change webmaster data"
}

/** A scope that has no words here is shown as it is. */
export const scopeWords = (scope: string): string => words[scope] ?? scope
