import { Schema } from "effect"

/** The body of any error. The typed errors of the API cannot hold it: `upstream_error` can have any status. */
export const ErrorBody = Schema.Struct({
  call_id: Schema.String,
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Unknown)
  })
})
export type ErrorBody = typeof ErrorBody.Type
