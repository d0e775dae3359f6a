import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { storageCheck } from "./Checks.ts"
import { DatasetsApi, DatasetsGroup } from "./Contract.ts"
import { DatasetRunner } from "./DatasetRunner.ts"
import { DatasetRuns } from "./DatasetRuns.ts"
import { Datasets } from "./Datasets.ts"
import { DatasetFiles } from "./Files/DatasetFiles.ts"
import { DatasetsHandlers } from "./Handlers.ts"

/** Reports that are fetched on a schedule, and kept as files. */
export const datasets: Feature = {
  name: "datasets",
  layer: Layer.merge(
    HttpApiBuilder.layer(DatasetsApi).pipe(Layer.provide(DatasetsHandlers), Layer.provide(Datasets.layer)),
    DatasetRunner
  ).pipe(Layer.provide([DatasetFiles.layer, DatasetRuns.layer])),
  owns: { groups: [DatasetsGroup], checks: [storageCheck], settingNames: ["DATASETS_URL"] }
}
