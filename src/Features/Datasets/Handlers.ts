import { Effect, Schema, Struct } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { bodyReader } from "../../Http/Handlers/ReadBody.ts"
import { DatasetsApi } from "./Contract.ts"
import { Datasets } from "./Datasets.ts"
import { NewDataset } from "./Declared.ts"

export const DatasetsHandlers = HttpApiBuilder.group(
  DatasetsApi,
  "datasets",
  Effect.fn(function*(handlers) {
    const datasets = yield* Datasets

    const download = (id: string, name: string) =>
      Effect.map(datasets.read(id, name), ({ bytes, content }) =>
        HttpServerResponse.stream(content, {
          contentType: name.endsWith(".json") ? "application/json" : "application/vnd.apache.parquet",
          contentLength: bytes,
          headers: { "content-disposition": `attachment; filename="${name.replaceAll("/", "-")}"` }
        }))

    const readNew = bodyReader(NewDataset, NewDataset.mapFields(Struct.map(Schema.optionalKey)), datasets.issues)

    return handlers
      .handleRaw("create", ({ request }) => Effect.flatMap(readNew(request), datasets.create))
      .handle(
        "list",
        ({ query }) => Effect.map(datasets.list(query), ({ cursor, items }) => ({ datasets: items, cursor }))
      )
      .handle("get", ({ params }) => datasets.find(params.id))
      .handle("change", ({ params, payload }) => datasets.change(params.id, payload))
      .handle("delete", ({ params, query }) => datasets.delete(params.id, { files: query.files === "true" }))
      .handle("days", ({ params }) => Effect.map(datasets.days(params.id), (days) => ({ days })))
      .handle("files", ({ params }) => Effect.map(datasets.files(params.id), (files) => ({ files })))
      .handleRaw("file", ({ params }) => download(params.id, params.name))
      .handleRaw("fileOfDay", ({ params }) => download(params.id, `${params.folder}/${params.name}`))
  })
)
