import { Schema } from "effect"

/** Says that rows of a table are missing. Tools answer with these fields; those of providers are translated to them. */
export const TablePart = Schema.Struct({
  has_more: Schema.optionalKey(Schema.Boolean).annotateKey({ description: "Whether there are rows after these." }),
  next_offset: Schema.optionalKey(Schema.Int).annotateKey({
    description: "Where further rows start: `offset` of a tool and of Analytics, `startRow` of Search Console."
  }),
  next_page_token: Schema.optionalKey(Schema.String).annotateKey({ description: "`pageToken` of the next page." }),
  total_rows: Schema.optionalKey(Schema.Int).annotateKey({ description: "How many rows there are in all." }),
  truncated: Schema.optionalKey(Schema.Boolean).annotateKey({ description: "Whether the answer was cut." })
}).annotate({ identifier: "TablePart", description: "How the rows are a part of what there is." })
export type TablePart = typeof TablePart.Type
