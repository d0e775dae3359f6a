const csv = "text/csv; charset=utf-8"

/** Content types by the formats of tables and exports. */
export const contentTypes = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv,
  csv_raw: csv,
  markdown: "text/markdown; charset=utf-8"
} as const
