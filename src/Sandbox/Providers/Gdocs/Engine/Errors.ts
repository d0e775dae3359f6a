import { Result } from "effect"
import { GoogleError, invalidArgument } from "../../Google/GoogleError.ts"

export const refuse = (message: string): Result.Result<never, GoogleError> => Result.fail(invalidArgument(message))

/** Says where an error is. A request that the sandbox does not support is not invalid. */
export const prefixMessage = (error: GoogleError, place: string): GoogleError =>
  new GoogleError({ ...error, message: `${error.code === 501 ? "" : "Invalid "}${place}: ${error.message}` })
