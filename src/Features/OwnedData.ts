import { Layer } from "effect"
import { FeatureSecrets } from "../Secrets/StoredSecrets.ts"
import { FeatureMigrations } from "../Sql/Migrations.ts"
import type { Feature } from "./Feature.ts"
import { features } from "./Features.ts"

/** The stored data of every feature. A feature that is left out keeps its data. */
export const ownedData = (further: ReadonlyArray<Feature> = []) => {
  const owned = [...new Set([...features, ...further])].flatMap(({ owns }) => owns ?? [])
  return Layer.merge(
    Layer.succeed(FeatureMigrations, owned.flatMap(({ migrations }) => migrations === undefined ? [] : [migrations])),
    Layer.succeed(FeatureSecrets, owned.flatMap(({ secrets }) => secrets ?? []))
  )
}
