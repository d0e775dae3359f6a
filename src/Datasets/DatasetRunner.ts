import { Effect, FiberSet, Layer, Option } from "effect"
import { AccessTokens } from "../Connections/AccessTokens.ts"
import { BoundCalls } from "../Connections/Bounds/BoundCalls.ts"
import { CachedConnections } from "../Connections/CachedConnections.ts"
import { LastErrors } from "../Connections/LastErrors.ts"
import { DatasetRepo } from "./DatasetRepo.ts"
import { makeDatasetRun } from "./DatasetRun.ts"
import { DatasetRuns } from "./DatasetRuns.ts"

/** Finds datasets that are due, and those of an instance that has died. */
const pollMillis = 5000

const maxConcurrentRuns = 16

/** Works on the datasets that are due, each in one instance. A run that is under way at shutdown goes on elsewhere. */
const layerNoDeps = Layer.effectDiscard(Effect.gen(function*() {
  const runs = yield* DatasetRuns
  const run = yield* makeDatasetRun
  const running = yield* FiberSet.make()

  const claimDue = Effect.gen(function*() {
    while ((yield* FiberSet.size(running)) < maxConcurrentRuns) {
      const claimed = yield* runs.claim
      if (Option.isNone(claimed)) return
      // The place is free for the next dataset.
      yield* FiberSet.run(running, Effect.ensuring(run(claimed.value), runs.wake))
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
    Layer.provide([AccessTokens.layer, BoundCalls.layer, DatasetRepo.layer, LastErrors.layer]),
    Layer.provide(CachedConnections.layer)
  )
}
