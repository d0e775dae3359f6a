import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Feature, FeatureCall } from "../Feature.ts"
import { ResultsApi, ResultsGroup } from "./Contract.ts"
import { ResultsHandlers } from "./Handlers.ts"
import { KeptResults, resultRetention, resultSecrets } from "./Kept/KeptResults.ts"
import { ResultAccess } from "./Kept/ResultAccess.ts"
import { ResultQueries } from "./Query/ResultQueries.ts"
import { resultsStep } from "./Shaping/ResultsStep.ts"
import { queryResultTool } from "./Tools.ts"

/** Returns parts and tables of responses, and keeps tables for SQL. */
export const results: Feature = {
  name: "results",
  layer: Layer.merge(HttpApiBuilder.layer(ResultsApi).pipe(Layer.provide(ResultsHandlers)), queryResultTool).pipe(
    Layer.provide([KeptResults.layer, ResultAccess.layer, ResultQueries.layer])
  ),
  call: Layer.effect(FeatureCall, resultsStep).pipe(Layer.provide(KeptResults.layer)),
  owns: {
    groups: [ResultsGroup],
    secrets: [resultSecrets],
    settings: [resultRetention],
    settingNames: ["RESULT_RETENTION"]
  }
}
