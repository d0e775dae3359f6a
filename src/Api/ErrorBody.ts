import { Schema } from "effect"
import { ErrorCheck } from "./Errors/ErrorCheck.ts"

/** The body of any error. The typed errors of the API cannot hold it: `upstream_error` can have any status. */
export const ErrorBody = Schema.Struct({
  call_id: Schema.String,
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Unknown),
    check: Schema.optionalKey(ErrorCheck)
  })
})
export type ErrorBody = typeof ErrorBody.Type
