import { Result } from "effect"
import { GoogleError, invalidArgument } from "../../Google/GoogleError.ts"

export type Refusal = GoogleError

/** `where` is as the provider's messages begin: `Invalid requests[0].insertText`. */
export const refuse = (where: string, message: string): Result.Result<never, Refusal> =>
  Result.fail(invalidArgument(`${where}: ${message}`))

export const invalid = (message: string): Result.Result<never, Refusal> => Result.fail(invalidArgument(message))

/** A request that the provider carries out and the sandbox does not. */
export const notSimulated = (where: string): Result.Result<never, Refusal> =>
  Result.fail(
    new GoogleError({
      code: 501,
      status: "UNIMPLEMENTED",
      message: `${where}: the sandbox does not carry out requests of this kind; the provider does.`
    })
  )
