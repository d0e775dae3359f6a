import { Schema } from "effect"

export const ExportFormat = Schema.Literals(["ndjson", "csv", "csv_raw"])
export type ExportFormat = typeof ExportFormat.Type

export const ListFormat = {
  format: Schema.Literals(["json", ...ExportFormat.literals]).annotate({
    description:
      "`json`: a page. `ndjson`, `csv` and `csv_raw`: the body is everything that the filters select, one entry a line; " +
      "`limit` is then not allowed. `csv` marks text that a spreadsheet would run, `csv_raw` does not.",
    default: "json"
  }).pipe(Schema.optionalKey)
}
export interface ListFormat extends Schema.Struct.Type<typeof ListFormat> {}
