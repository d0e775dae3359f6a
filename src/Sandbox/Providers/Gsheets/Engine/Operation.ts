import type { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import type { Query } from "./Query.ts"
import type { Spreadsheet } from "./Spreadsheet.ts"

export interface OperationInput {
  /** The URL's placeholders, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface Outcome {
  /** As it is afterwards; the same value when nothing has changed. */
  readonly spreadsheet: Spreadsheet
  readonly body: object
}

/** One method of the API on one spreadsheet. What is refused has changed nothing. */
export type Operation = (spreadsheet: Spreadsheet, input: OperationInput) => Result.Result<Outcome, GoogleError>
