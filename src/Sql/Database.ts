import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { databaseUrl } from "../Settings.ts"
import { DataDir } from "./DataDir.ts"
import { embeddedClient } from "./Embedded.ts"
import { migrate } from "./Migrations.ts"

/**
 * Where the data is. `embedded` is a Postgres in this process, with one connection that nothing may hold; `server` is
 * shared with other instances.
 */
export class Database extends Context.Service<Database, {
  readonly kind: "embedded" | "server"
}>()("openaccounts/Sql/Database") {
  /** The embedded database in `folder`, or in memory when there is none. */
  static readonly layerEmbedded = (folder?: string) => migrated("embedded", PgClient.layerFrom(embeddedClient(folder)))

  static readonly layerServer = (url: Redacted.Redacted) =>
    migrated("server", PgClient.layer({ url, applicationName: "openaccounts", multiplex: true }))

  /** `DATABASE_URL`, or the embedded database in `DATA_DIR/db`. */
  static readonly layer = Layer.unwrap(Effect.gen(function*() {
    const url = yield* databaseUrl
    if (Option.isSome(url)) return Database.layerServer(url.value)
    const dataDir = yield* DataDir
    return Database.layerEmbedded(yield* dataDir.path("db"))
  }))
}

const migrated = <A, E, R>(kind: Database["Service"]["kind"], client: Layer.Layer<A, E, R>) =>
  Layer.effect(Database, Effect.as(migrate, Database.of({ kind }))).pipe(Layer.provideMerge(client))
