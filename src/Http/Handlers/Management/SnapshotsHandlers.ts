import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CoreApi } from "../../../Api/CoreApi.ts"
import { Snapshots } from "../../../Management/Backup/Snapshots.ts"

export const SnapshotsHandlers = HttpApiBuilder.group(
  CoreApi,
  "snapshots",
  Effect.fn(function*(handlers) {
    const snapshots = yield* Snapshots

    return handlers.handle("take", () => Effect.map(snapshots.take, (folder) => ({ folder })))
  })
)
