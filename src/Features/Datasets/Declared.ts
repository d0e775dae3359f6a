import { Record, Schema } from "effect"
import { ConnectionId, DatasetId } from "../../Domain/Ids.ts"
import { isRealDay, Lookup, Name, storable, Timestamp } from "../../Domain/Validation/Fields.ts"

export const reports = [
  "gsc.searchanalytics",
  "ga4.report",
  "sitesearch.query_stats",
  "sitesearch.page_stats",
  "sitesearch.traffic"
] as const

export const ReportName = Schema.Literals(reports)
export type ReportName = typeof ReportName.Type

export const Schedule = Schema.NullOr(Schema.Literal("daily")).annotate({
  description: "`daily` adds each new day. `null` keeps the days up to now, and fetches them until they are final."
})

const FieldNames = Schema.Array(
  Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(200), storable)
).check(Schema.isMaxLength(10))

const Since = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\d$/u, { message: "Expected a day such as 2026-11-01" }),
  Schema.makeFilter((day) => isRealDay(day), { message: "Expected a day that exists, such as 2026-11-01" })
).annotate({
  description:
    "The first day, YYYY-MM-DD in the report's time zone. Days before those that the source keeps are left out."
})

export const DayStatus = Schema.Literals(["pending", "done", "capped", "failed"])
export type DayStatus = typeof DayStatus.Type

export const DatasetDay = Schema.Struct({
  day: Schema.String.annotate({ description: "Of a week, the first day." }),
  status: DayStatus.annotate({
    description: "`capped`: the source has more rows than it gives, also in parts."
  }),
  rows: Schema.Int,
  coverage: Schema.NullOr(Schema.Finite).annotate({
    description:
      "The share, 0 to 1, of clicks that the rows have of the property's own total; for `ga4.report` of the " +
      "first metric. `null` where there is no total."
  }),
  final: Schema.Boolean.annotate({ description: "The source no longer changes the day, so it is not fetched again." }),
  fetched_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "DatasetDay" })
export type DatasetDay = typeof DatasetDay.Type

export const DatasetStatus = Schema.Literals(["running", "idle", "failed", "paused"])
export type DatasetStatus = typeof DatasetStatus.Type

export const DatasetError = Schema.Struct({
  code: Schema.String.annotate({ description: "As in an error body, or `storage_failed`." }),
  message: Schema.String,
  at: Timestamp
})
export type DatasetError = typeof DatasetError.Type

export const Dataset = Schema.Struct({
  id: DatasetId,
  name: Schema.String,
  connection_id: ConnectionId,
  report: ReportName,
  resource: Schema.String,
  dimensions: Schema.Array(Schema.String),
  metrics: Schema.Array(Schema.String),
  since: Schema.String,
  schedule: Schedule,
  status: DatasetStatus,
  days: Schema.Struct({ done: Schema.Int, pending: Schema.Int, capped: Schema.Int, failed: Schema.Int }),
  rows: Schema.Int,
  bytes: Schema.Int.annotate({ description: "Of the files of all days." }),
  last_error: Schema.NullOr(DatasetError).annotate({ description: "`null` after the next day that is fetched." }),
  next_run_at: Schema.NullOr(Timestamp).annotate({
    description: "When the dataset is worked on next; `null` while it is paused or nothing is left to fetch."
  }),
  created_at: Timestamp
}).annotate({ identifier: "Dataset" })
export type Dataset = typeof Dataset.Type

export const NewDataset = Schema.Struct({
  connection_id: Lookup,
  report: ReportName,
  resource: Schema.String.check(Schema.isMaxLength(2100), storable).annotate({
    description: "What the report is about, such as `gsc:sc-domain:acme.com` or `ga4:properties/123`."
  }),
  dimensions: FieldNames.pipe(Schema.optionalKey).annotateKey({
    description: "For `gsc.searchanalytics` (query and page, unless said otherwise) and `ga4.report`."
  }),
  metrics: FieldNames.pipe(Schema.optionalKey).annotateKey({
    description: "For `gsc.searchanalytics` (all four) and `ga4.report`."
  }),
  since: Since,
  schedule: Schedule,
  name: Name.pipe(Schema.optionalKey).annotateKey({ description: "By default the report and the resource." })
})
export type NewDataset = typeof NewDataset.Type

export const DatasetChange = Schema.Struct({
  name: Name.pipe(Schema.optionalKey),
  schedule: Schedule.pipe(Schema.optionalKey),
  paused: Schema.Boolean.pipe(Schema.optionalKey).annotateKey({
    description: "`false` also starts a run immediately, and retries failed days."
  })
})
export type DatasetChange = typeof DatasetChange.Type

export const DatasetFile = Schema.Struct({
  name: Schema.String.annotate({ description: "Such as `manifest.json` or `day=2026-11-22/data.parquet`." }),
  bytes: Schema.Int,
  modified_at: Timestamp
}).annotate({ identifier: "DatasetFile" })
export type DatasetFile = typeof DatasetFile.Type

export const datasetActions = {
  "dataset.created": "made the dataset",
  "dataset.changed": "changed the dataset",
  "dataset.deleted": "deleted the dataset"
}

export const datasetEvents = {
  "dataset.completed": "a dataset has fetched all that it should",
  "dataset.failed": "a dataset could not go on by itself"
}

export const DatasetEvent = Schema.Struct({
  type: Schema.Literals(Record.keys(datasetEvents)),
  data: Schema.Struct({ dataset: Dataset })
})
