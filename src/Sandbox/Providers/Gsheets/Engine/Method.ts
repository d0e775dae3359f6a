import type { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { QueryParameters } from "./QueryParameters.ts"
import type { Spreadsheet } from "./Spreadsheet.ts"

export interface MethodInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryParameters
  readonly body: unknown
  readonly now: number
}

export interface MethodResult {
  readonly spreadsheet: Spreadsheet
  readonly body: unknown
}

export type Method = (spreadsheet: Spreadsheet, input: MethodInput) => Result.Result<MethodResult, GoogleError>
