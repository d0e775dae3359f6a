import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type { Feature } from "../Feature.ts"
import { SnapshotsApi, SnapshotsGroup } from "./Contract.ts"
import { SnapshotsHandlers } from "./Handlers.ts"
import { Snapshots } from "./Snapshots.ts"

/** The database in one encrypted file, also while the service runs. */
export const backup: Feature = {
  name: "backup",
  layer: HttpApiBuilder.layer(SnapshotsApi).pipe(Layer.provide(SnapshotsHandlers), Layer.provide(Snapshots.layer)),
  owns: { groups: [SnapshotsGroup] }
}
