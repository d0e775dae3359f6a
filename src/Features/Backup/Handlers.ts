import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { SnapshotsApi } from "./Contract.ts"
import { Snapshots } from "./Snapshots.ts"

export const SnapshotsHandlers = HttpApiBuilder.group(
  SnapshotsApi,
  "snapshots",
  Effect.fn(function*(handlers) {
    const snapshots = yield* Snapshots

    return handlers.handle("take", () => Effect.map(snapshots.take, (folder) => ({ folder })))
  })
)
