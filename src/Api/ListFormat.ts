import { Schema } from "effect"

export const ExportFormat = Schema.Literals(["ndjson", "csv"])
export type ExportFormat = typeof ExportFormat.Type

export const ListFormat = {
  format: Schema.Literals(["json", ...ExportFormat.literals]).annotate({
    description:
      "`json`: a page. `ndjson` and `csv`: the body is everything that the filters select, one entry a line; " +
      "`limit` is then not allowed.",
    default: "json"
  }).pipe(Schema.optionalKey)
}
export interface ListFormat {
  readonly format?: "json" | ExportFormat
}
