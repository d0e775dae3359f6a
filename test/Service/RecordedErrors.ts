import type { ErrorCase } from "./ErrorCase.ts"
import { recordedErrors } from "./Recordings.ts"

type Codes = Pick<ErrorCase, "provider" | "oauth" | "account">

const passed = (provider: string): Codes => ({ provider, oauth: "upstream_error", account: "upstream_error" })

const denied = (provider: string): Codes => ({ provider, oauth: "upstream_error", account: "credentials_rejected" })

const rejected = (provider: string): Codes => ({
  provider,
  oauth: "credentials_rejected",
  account: "credentials_rejected"
})

const cases: Readonly<Record<string, Codes>> = {
  "google-errors/gargle__fitness-get-wrong-scope_403.json": rejected("gsheets"),
  "google-errors/gargle__sheets-spreadsheets-get-service-disabled_403.json": denied("gsheets"),
  "google-errors/gargle__sheets-spreadsheets-get-nonexistent-range_400.json": passed("gsheets"),
  "google-errors/gargle__sheets-spreadsheets-get-nonexistent-sheet-id_404.json": passed("gsheets"),
  "google-errors/gargle__sheets-spreadsheets-get-quota-exceeded-readgroup_429.json": passed("gsheets"),
  "google-errors/gargle__tokeninfo-stale_400.json": passed("gsheets"),
  "google-errors/docs__batchUpdate-400-no-request-set.json": passed("gdocs"),
  "google-sheets/gspread__ClientTest.test_access_private_spreadsheet.json": {
    provider: "gsheets",
    oauth: "upstream_error",
    account: "resource_not_shared"
  },
  "google-sheets/gspread__ClientTest.test_access_non_existing_spreadsheet.json": passed("gsheets"),
  "google-sheets/gspread__WorksheetTest.test_add_validation.json": passed("gsheets"),
  "google-sheets/gspread__WorksheetTest.test_hide_show_worksheet.json": passed("gsheets"),
  "bing-webmaster/error__3-InvalidApiKey.json": rejected("sitesearch"),
  "bing-webmaster/error__4-ThrottleUser.json": passed("sitesearch"),
  "bing-webmaster/error__5-ThrottleHost.json": passed("sitesearch"),
  "google-oauth/plausible__invalid_grant-bad-request.json": {
    provider: "token",
    oauth: "credentials_expired",
    account: "credentials_rejected"
  },
  "google-oauth/probe__invalid_client-401.json": rejected("token")
}

export const filesWithCase: ReadonlyArray<string> = Object.keys(cases)

export const recordedErrorCases = (): ReadonlyArray<ErrorCase> =>
  [...recordedErrors()].flatMap(([file, { body, status }]) => {
    const found = cases[file]
    return found === undefined ? [] : [{ ...found, name: `recorded in ${file}`, status, body }]
  })
