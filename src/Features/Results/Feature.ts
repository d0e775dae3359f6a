import { Layer } from "effect"
import { KeptResults } from "../../Calls/Results/Kept/KeptResults.ts"
import { resultsStep } from "../../Calls/Results/Shaping/ResultsStep.ts"
import { type Feature, FeatureCall } from "../Feature.ts"
import { queryResultTool } from "./Tools.ts"

/** Returns parts and tables of responses, and keeps tables for SQL. */
export const results: Feature = {
  name: "results",
  layer: queryResultTool,
  call: Layer.effect(FeatureCall, resultsStep).pipe(Layer.provide(KeptResults.layer))
}
