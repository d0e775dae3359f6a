import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { DatasetsApi, DatasetsGroup } from "../../Api/Management/DatasetsApi.ts"
import { DatasetRunner } from "../../Datasets/DatasetRunner.ts"
import { DatasetRuns } from "../../Datasets/DatasetRuns.ts"
import { Datasets } from "../../Datasets/Datasets.ts"
import { DatasetFiles } from "../../Datasets/Files/DatasetFiles.ts"
import { DatasetsHandlers } from "../../Http/Handlers/Management/DatasetsHandlers.ts"
import type { Feature } from "../Feature.ts"

/** Reports that are fetched on a schedule, and kept as files. */
export const datasets: Feature = {
  name: "datasets",
  layer: Layer.merge(
    HttpApiBuilder.layer(DatasetsApi).pipe(Layer.provide(DatasetsHandlers), Layer.provide(Datasets.layer)),
    DatasetRunner.layer
  ).pipe(Layer.provide([DatasetFiles.layer, DatasetRuns.layer])),
  owns: { groups: [DatasetsGroup] }
}
