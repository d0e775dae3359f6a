import { Result } from "effect"
import { GoogleError, invalidArgument, notSimulated } from "../../Google/GoogleError.ts"

export const refuse = (message: string): Result.Result<never, GoogleError> => Result.fail(invalidArgument(message))

export const lacks = (what: string): Result.Result<never, GoogleError> => Result.fail(notSimulated(what))

/** Says where an error is. What the sandbox lacks is no invalid request. */
export const prefixMessage = (error: GoogleError, place: string): GoogleError =>
  new GoogleError({ ...error, message: `${error.code === 501 ? "" : "Invalid "}${place}: ${error.message}` })
