import { Schema } from "effect"
import { ValueRange } from "./Generated.ts"

/** A value range that names what to write; where it goes, the path says. */
export const WrittenValues = Schema.Struct({
  ...ValueRange.fields,
  range: Schema.optionalKey(Schema.String.annotate({ description: "When given, the same text as `path.range`." })),
  values: ValueRange.fields.values.schema
}).annotate({ description: "The values to write." })

interface RangeTwice {
  readonly path: { readonly range: string }
  readonly body: { readonly range?: string }
}

/** Google compares the two as texts: `Request range[Sheet1!A1:B2] does not match value's range[Sheet1!A1]`. */
export const sameRange = Schema.makeFilter<RangeTwice>(({ body, path }) =>
  body.range === undefined || body.range === "" || body.range === path.range
    ? undefined
    : { path: ["body", "range"], issue: `Expected the range of the path, ${JSON.stringify(path.range)}` }
)
