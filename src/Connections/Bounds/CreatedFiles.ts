import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { BoundHolder } from "../../Domain/Access/Bounds.ts"
import type { Resource } from "../../Domain/Access/Resource.ts"
import { textArray } from "../../Sql/BulkStatement.ts"

/** The files that calls under a bound have created. */
export class CreatedFiles extends Context.Service<CreatedFiles, {
  readonly add: (holders: ReadonlyArray<BoundHolder>, resource: Resource) => Effect.Effect<void>
  /** Filters `resources` to those that calls under the bound of `holder` have created. */
  readonly among: (
    holder: BoundHolder,
    resources: ReadonlyArray<Resource>
  ) => Effect.Effect<ReadonlySet<Resource>>
  readonly of: (holders: ReadonlyArray<BoundHolder>) => Effect.Effect<ReadonlyArray<Resource>>
}>()("openaccounts/Connections/Bounds/CreatedFiles") {
  static readonly layer = Layer.effect(
    CreatedFiles,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      return CreatedFiles.of({
        add: Effect.fnUntraced(function* add(holders, resource) {
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* sql`
            INSERT INTO created_files (holder, resource, created_at)
            SELECT unnest(${textArray(holders)}), ${resource}, ${now}::timestamptz ON CONFLICT DO NOTHING`
        }, Effect.orDie),
        among: Effect.fnUntraced(function* among(holder, resources) {
          const found = yield* sql<{ readonly resource: Resource }>`
            SELECT resource FROM created_files WHERE holder = ${holder} AND resource = ANY(${textArray(resources)})`
          return new Set(found.map(({ resource }) => resource))
        }, Effect.orDie),
        of: (holders) =>
          Effect.orDie(Effect.map(
            sql<{ readonly resource: Resource }>`
              SELECT DISTINCT resource FROM created_files WHERE holder = ANY(${textArray(holders)}) ORDER BY resource`,
            (found) => found.map(({ resource }) => resource)
          ))
      })
    })
  )
}
