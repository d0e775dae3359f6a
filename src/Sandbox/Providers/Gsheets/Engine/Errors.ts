import { Result } from "effect"
import { GoogleError, lacks } from "../../Google/GoogleError.ts"
import type { Tab } from "./Spreadsheet.ts"

export const invalidArgument = (message: string): GoogleError => new GoogleError({ code: 400, message })

export const notFound = new GoogleError({ code: 404, message: "Requested entity was not found." })

export const exceedsGrid = (range: string, { columnCount, rowCount }: Pick<Tab, "columnCount" | "rowCount">) =>
  invalidArgument(`Range (${range}) exceeds grid limits. Max rows: ${rowCount}, max columns: ${columnCount}`)

/** The sandbox reads entries and shows numbers only as in `en_US`. */
export const checkLocale = ({ locale = "" }: { readonly locale?: string }): Result.Result<void, GoogleError> =>
  locale === "" || locale === "en_US" ? Result.void : lacks(`the locale ${locale}`)

/** Says where an error is. A request that the sandbox does not support is not invalid. */
export const prefixMessage = (error: GoogleError, place: string): GoogleError =>
  error.code === 501
    ? new GoogleError({ ...error, message: `${place}: ${error.message}` })
    : invalidArgument(`Invalid ${place}: ${error.message}`)

export const refuse = (message: string): Result.Result<never, GoogleError> => Result.fail(invalidArgument(message))
