import { Schema } from "effect"

/** The check of the set-up that an error fails, with what to do and where. A feature adds it. */
export const ErrorCheck = Schema.Struct({
  id: Schema.String,
  fix: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ErrorCheck", description: "What is wrong with the set-up, what to do about it, and where." })
export type ErrorCheck = typeof ErrorCheck.Type
