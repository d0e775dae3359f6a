import { Schema } from "effect"

/**
 * The query parameters that every Google method has and that are the caller's to choose. The others (`key`,
 * `access_token`, `alt`, `callback`, …) carry credentials or change what an answer is, and stay closed.
 */
export const googleQueryFields = {
  fields: Schema.optionalKey(Schema.String.annotate({
    description: "Field mask: the fields of the answer to include, as in `rows(keys,clicks)`. Everything by default."
  })),
  quotaUser: Schema.optionalKey(Schema.String.annotate({
    description: "Any string that stands for one user of yours in quota accounting, at most 40 characters."
  })),
  prettyPrint: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether the provider indents its answer.",
    default: true
  }))
}

/** The `query` part of a method whose own query parameters are all optional. */
export const googleQuery = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.optionalKey(
    Schema.Struct({ ...fields, ...googleQueryFields }).annotate({ description: "Query parameters." })
  )
