import type { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { QueryParameters } from "./QueryParameters.ts"
import type { Spreadsheet } from "./Spreadsheet.ts"

export interface MethodInput {
  /** The URL's decoded placeholders. */
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryParameters
  /** Parsed JSON, or `undefined` without a body. */
  readonly body: unknown
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface MethodResult {
  /** The same object when nothing changed. */
  readonly spreadsheet: Spreadsheet
  readonly body: unknown
}

/** An API method on one spreadsheet. */
export type Method = (spreadsheet: Spreadsheet, input: MethodInput) => Result.Result<MethodResult, GoogleError>
