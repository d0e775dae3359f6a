import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { DatasetsApi } from "./Contract.ts"
import { Datasets } from "./Datasets.ts"

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

    return handlers
      .handle("create", ({ payload }) => datasets.create(payload))
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
