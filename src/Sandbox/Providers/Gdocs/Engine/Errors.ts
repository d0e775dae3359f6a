import { Result } from "effect"
import { GoogleError, invalidArgument } from "../../Google/GoogleError.ts"

export const refuse = (message: string): Result.Result<never, GoogleError> => Result.fail(invalidArgument(message))

export const notSimulated: Result.Result<never, GoogleError> = Result.fail(
  new GoogleError({
    code: 501,
    status: "UNIMPLEMENTED",
    message: "the sandbox does not carry out requests of this kind; the provider does."
  })
)

export const prefixMessage = (error: GoogleError, prefix: string): GoogleError => {
  const { code, message, reason, status } = error
  return new GoogleError({
    code,
    message: `${prefix}: ${message}`,
    ...(reason === undefined ? {} : { reason }),
    ...(status === undefined ? {} : { status })
  })
}
