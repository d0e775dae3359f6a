import { Result, type Schema } from "effect"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { readBody } from "../../Google/ProtoJson.ts"
import { invalidFields } from "./Errors.ts"

export const makeBodyDecoder = <A>(schema: Schema.Codec<A, unknown>, at = "") => {
  const decode = readBody(schema, at)
  return (body: unknown): Result.Result<A, GoogleError> => Result.mapError(decode(body ?? {}), invalidFields)
}
