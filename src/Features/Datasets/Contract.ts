import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { apiError } from "../../Api/ApiError.ts"
import { ManagerRequired } from "../../Api/Authentication.ts"
import { ConnectionInactive, ConnectionNotFound, InvalidInput, ResourceNotFound } from "../../Api/Errors.ts"
import { Unavailable } from "../../Api/Errors/RequestErrors.ts"
import { group, served } from "../../Api/Group.ts"
import { JsonRequestBody } from "../../Api/Middleware.ts"
import { Created, operation, pagesOf } from "../../Api/Responses.ts"
import { Right } from "../../Api/Right.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { Dataset, DatasetChange, DatasetDay, DatasetFile, NewDataset } from "./Declared.ts"

const FileBody = HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" })

export class DatasetNotFound extends apiError("DatasetNotFound", {
  code: "dataset_not_found",
  status: 404,
  when: "The caller sees no dataset with that id"
}) {}

export class FileNotFound extends apiError("FileNotFound", {
  code: "file_not_found",
  status: 404,
  when: "The dataset has no file with that name"
}) {}

export class DatasetsGroup extends group("datasets", { title: "Management: datasets", listener: "admin" })
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewDataset,
      success: Dataset.pipe(Created),
      error: [ConnectionNotFound.schema, ConnectionInactive.schema, ResourceNotFound.schema]
    }).middleware(JsonRequestBody).annotateMerge(
      operation("createDataset", "Keep a report as files, from a day on", {
        connection_id: "con_01kb2q6zq1e9v8x7n5f3h4t2ma",
        report: "gsc.searchanalytics",
        resource: "gsc:sc-domain:fernhill.example",
        dimensions: ["query", "page"],
        since: "2025-08-01",
        schedule: "daily"
      })
    ),
    pagesOf("datasets", Dataset).annotateMerge(operation("listDatasets", "List the datasets, newest first")),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Lookup },
      success: Dataset,
      error: DatasetNotFound.schema
    }).annotateMerge(operation("getDataset", "Get a dataset")),
    HttpApiEndpoint.patch("change", "/:id", {
      params: { id: Lookup },
      payload: DatasetChange,
      success: Dataset,
      error: DatasetNotFound.schema
    }).middleware(JsonRequestBody).annotateMerge(
      operation("changeDataset", "Rename, pause or resume a dataset, or change its schedule", { paused: true })
    ),
    HttpApiEndpoint.delete("delete", "/:id", {
      params: { id: Lookup },
      query: {
        files: Schema.Literals(["true", "false"]).annotate({
          description: "Delete the files too.",
          default: "false"
        }).pipe(Schema.optionalKey)
      },
      success: HttpApiSchema.NoContent,
      error: [DatasetNotFound.schema, InvalidInput.schema, Unavailable.schema]
    }).annotateMerge(operation("deleteDataset", "Delete a dataset. Its files stay, unless `files=true`")),
    HttpApiEndpoint.get("days", "/:id/days", {
      params: { id: Lookup },
      success: Schema.Struct({ days: Schema.Array(DatasetDay) }),
      error: DatasetNotFound.schema
    }).annotateMerge(operation("listDatasetDays", "List all days of a dataset, oldest first, and what they have")),
    HttpApiEndpoint.get("files", "/:id/files", {
      params: { id: Lookup },
      success: Schema.Struct({ files: Schema.Array(DatasetFile) }),
      error: [DatasetNotFound.schema, Unavailable.schema]
    }).annotateMerge(operation("listDatasetFiles", "List the files of a dataset")),
    HttpApiEndpoint.get("file", "/:id/files/:name", {
      params: { id: Lookup, name: Lookup.annotate({ description: "The slash of a name may be encoded or not." }) },
      success: FileBody,
      error: [DatasetNotFound.schema, FileNotFound.schema, Unavailable.schema]
    }).annotateMerge(operation("downloadDatasetFile", "Download a file: Parquet, or the manifest as JSON")),
    // The same with a plain slash, which a parameter of OpenAPI cannot have.
    HttpApiEndpoint.get("fileOfDay", "/:id/files/:folder/:name", {
      params: { id: Lookup, folder: Lookup, name: Lookup },
      success: FileBody,
      error: [DatasetNotFound.schema, FileNotFound.schema, Unavailable.schema]
    }).annotate(OpenApi.Exclude, true)
  )
  .annotateEndpoints(Right, "member")
  .middleware(ManagerRequired)
  .prefix("/admin/v1/datasets")
{}

export class DatasetsApi extends served([DatasetsGroup]) {}
