import { Result } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { snakeCase } from "../../Google/ProtoJson.ts"
import { invalidFields } from "./Errors.ts"

export type QueryParameters = Readonly<Record<string, ReadonlyArray<string>>>

export const lastValue = (query: QueryParameters, name: string): string | undefined => query[name]?.at(-1)

export const enumParameter = <const Name extends string>(
  query: QueryParameters,
  parameter: string,
  protoType: string,
  names: readonly [Name, ...ReadonlyArray<Name>]
): Result.Result<Name, GoogleError> => {
  const given = lastValue(query, parameter)
  const found = given === undefined ? names[0] : names.find((name) => name === given)
  return found === undefined
    ? Result.fail(invalidParameter(parameter, `type.googleapis.com/google.apps.sheets.v4.${protoType}`, given))
    : Result.succeed(found)
}

export const booleanParameter = (query: QueryParameters, parameter: string): Result.Result<boolean, GoogleError> => {
  const given = lastValue(query, parameter)
  if (given === undefined || /^(?:false|0|f|n|no)$/i.test(given)) return Result.succeed(false)
  return /^(?:true|1|t|y|yes)$/i.test(given)
    ? Result.succeed(true)
    : Result.fail(invalidParameter(parameter, "TYPE_BOOL", given))
}

const invalidParameter = (parameter: string, type: string, given: string | undefined): GoogleError => {
  const field = snakeCase(parameter)
  return invalidFields([{ field, description: `Invalid value at '${field}' (${type}), ${JSON.stringify(given)}` }])
}

const systemParameters = ["fields", "quotaUser", "prettyPrint", "alt", "key", "upload_protocol"]

export const checkParameters = (
  query: QueryParameters,
  own: ReadonlyArray<string>
): Result.Result<void, GoogleError> => {
  const unknown = Object.keys(query).filter((name) => !own.includes(name) && !systemParameters.includes(name))
  return unknown.length === 0 ? Result.void : Result.fail(invalidFields(unknown.map((name) => ({
    description:
      `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' ` +
      "could not be found in request message."
  }))))
}
