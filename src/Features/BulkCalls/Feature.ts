import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { type Feature, FeatureCall } from "../Feature.ts"
import { bulkCallSecrets } from "./BulkCallRepo.ts"
import { BulkCallRunner } from "./BulkCallRunner.ts"
import { BulkCalls } from "./BulkCalls.ts"
import { BulkCallsApi, BulkCallsGroup } from "./Contract.ts"
import { BulkCallsHandlers } from "./Handlers.ts"
import { createBulkCalls } from "./Migration.ts"
import { giveToBulkCall } from "./RunCall.ts"
import { askAllTool } from "./Tools.ts"

/** One question over many accounts. */
export const bulkCalls: Feature = {
  name: "bulk_calls",
  needs: ["results"],
  layer: Layer.mergeAll(
    HttpApiBuilder.layer(BulkCallsApi).pipe(Layer.provide(BulkCallsHandlers), Layer.provide(BulkCalls.layer)),
    askAllTool.pipe(Layer.provide(BulkCalls.layer)),
    BulkCallRunner
  ),
  call: Layer.succeed(FeatureCall, giveToBulkCall),
  owns: {
    groups: [BulkCallsGroup],
    migrations: { "0015_create_bulk_calls": createBulkCalls },
    secrets: bulkCallSecrets
  }
}
