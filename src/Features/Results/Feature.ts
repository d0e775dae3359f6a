import { Layer } from "effect"
import { type Feature, FeatureCall } from "../Feature.ts"
import { KeptResults } from "./Kept/KeptResults.ts"
import { resultsStep } from "./Shaping/ResultsStep.ts"
import { queryResultTool } from "./Tools.ts"

/** Returns parts and tables of responses, and keeps tables for SQL. */
export const results: Feature = {
  name: "results",
  layer: queryResultTool,
  call: Layer.effect(FeatureCall, resultsStep).pipe(Layer.provide(KeptResults.layer))
}
