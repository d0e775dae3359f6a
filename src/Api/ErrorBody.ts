import { Schema } from "effect"

/** The body of any error. `upstream_error` can have any status, so that the typed errors of the API do not fit it. */
export const ErrorBody = Schema.Struct({
  call_id: Schema.String,
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Unknown)
  })
})
export type ErrorBody = typeof ErrorBody.Type
