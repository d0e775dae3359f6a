import { Schema } from "effect"

/** Excludes parameters that carry credentials or change the response format (`key`, `access_token`, `alt`, …). */
const googleQueryFields = {
  fields: Schema.optionalKey(Schema.String.annotate({
    description: "Field mask: the response fields to include, such as `rows(keys,clicks)`. All fields by default."
  })),
  quotaUser: Schema.optionalKey(Schema.String.annotate({
    description: "Any string that identifies one of your users for quotas. At most 40 characters."
  })),
  prettyPrint: Schema.optionalKey(Schema.Boolean.annotate({
    description: "Whether the provider indents its response.",
    default: true
  }))
}

/** The query of an endpoint that requires one of its parameters. */
export const requiredQuery = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ ...fields, ...googleQueryFields }).annotate({ description: "Query parameters." })

export const googleQuery = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.optionalKey(requiredQuery(fields))
