import { Duration, Effect, Layer } from "effect"
import { AccessTokens } from "../../Connections/AccessTokens.ts"
import { AccountResources } from "../../Connections/Bounds/AccountResources.ts"
import { BoundCalls } from "../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { LastErrors } from "../../Connections/LastErrors.ts"
import { DatasetRepo } from "./DatasetRepo.ts"
import { makeDatasetRun } from "./DatasetRun.ts"
import { DatasetRuns } from "./DatasetRuns.ts"

/** Finds datasets that are due, and those of an instance that has died. */
const pollInterval = Duration.seconds(1)

const maxConcurrentRuns = 16

/** Works on the datasets that are due, each in one instance. A run that is under way at shutdown goes on elsewhere. */
export const DatasetRunner = Layer.effectDiscard(Effect.gen(function*() {
  const runs = yield* DatasetRuns
  const run = yield* makeDatasetRun
  yield* runs.leases.workOn({
    claim: runs.claim,
    every: pollInterval,
    maxRunning: maxConcurrentRuns,
    name: "due datasets",
    work: run
  })
})).pipe(
  Layer.provide([AccessTokens.layer, AccountResources.layer, BoundCalls.layer, DatasetRepo.layer, LastErrors.layer]),
  Layer.provide(CachedConnections.layer)
)
