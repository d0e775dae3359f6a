import { Effect, FiberMap, Layer, Option } from "effect"
import { AccessTokens } from "../../Connections/AccessTokens.ts"
import { AccountResources } from "../../Connections/Bounds/AccountResources.ts"
import { BoundCalls } from "../../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../../Connections/CachedConnections.ts"
import { LastErrors } from "../../Connections/LastErrors.ts"
import type { DatasetId } from "../../Domain/Ids.ts"
import { DatasetRepo } from "./DatasetRepo.ts"
import { makeDatasetRun } from "./DatasetRun.ts"
import { DatasetRuns } from "./DatasetRuns.ts"

/** Finds datasets that are due, and those of an instance that has died. */
const pollMillis = 1000

const maxConcurrentRuns = 16

/** Works on the datasets that are due, each in one instance. A run that is under way at shutdown goes on elsewhere. */
const layerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const runs = yield* DatasetRuns
  const run = yield* makeDatasetRun
  const running = yield* FiberMap.make<DatasetId>()

  const claimDue = Effect.gen(function*() {
    while ((yield* FiberMap.size(running)) < maxConcurrentRuns) {
      const claimed = yield* runs.claim
      if (Option.isNone(claimed)) return
      // When it ends, its place is free for the next dataset.
      const next = Effect.ensuring(run(claimed.value), runs.wake)
      // A run that has not noticed a pause, or has renewed its lease late, goes on.
      yield* FiberMap.run(running, claimed.value.id, next, { onlyIfMissing: true })
    }
  }).pipe(
    Effect.catch((error) => Effect.logWarning("Due datasets could not be found", error))
  )

  yield* claimDue.pipe(
    Effect.andThen(Effect.raceFirst(runs.woken, Effect.sleep(pollMillis))),
    Effect.forever,
    Effect.forkScoped
  )
}))

export const DatasetRunner = {
  layerNoDeps,
  layer: layerNoDeps.pipe(
    Layer.provide([AccessTokens.layer, AccountResources.layer, BoundCalls.layer, DatasetRepo.layer, LastErrors.layer]),
    Layer.provide(CachedConnections.layer)
  )
}
