import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { refuse } from "./Errors.ts"

export type QueryParameters = Readonly<Record<string, ReadonlyArray<string>>>

export const lastValue = (query: QueryParameters, name: string): string | undefined => query[name]?.at(-1)

export const enumParameter = <const Name extends string>(
  query: QueryParameters,
  parameter: string,
  names: readonly [Name, ...ReadonlyArray<Name>]
): Result.Result<Name, GoogleError> => {
  const given = lastValue(query, parameter)
  const found = given === undefined ? names[0] : names.find((name) => name === given)
  return found === undefined
    ? invalidParameter(parameter, given)
    : Result.succeed(found)
}

export const booleanParameter = (query: QueryParameters, parameter: string): Result.Result<boolean, GoogleError> => {
  const given = lastValue(query, parameter)
  if (given === undefined || /^(?:false|0|f|n|no)$/i.test(given)) return Result.succeed(false)
  return /^(?:true|1|t|y|yes)$/i.test(given)
    ? Result.succeed(true)
    : invalidParameter(parameter, given)
}

const invalidParameter = (parameter: string, given: string | undefined) =>
  refuse(`Invalid value at '${parameter}', ${JSON.stringify(given)}`)
