import { Schema } from "effect"

export const Issue = Schema.Struct({
  path: Schema.Array(Schema.Union([Schema.String, Schema.Int])).annotate({
    description: "Path segments from the root of the request body, as in `[\"input\",\"body\",\"startDate\"]`."
  }),
  message: Schema.String
}).annotate({ identifier: "Issue" })
export type Issue = typeof Issue.Type
