import { PgClient } from "@effect/sql-pg"
import { Context, Data, Effect, type FileSystem, Layer, Option, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { type Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { databaseServer } from "../Settings.ts"
import type { DirectoryInUse, DirectoryLockFailed } from "./Client/DirectoryLock.ts"
import { type DatabaseDamaged, embeddedClient } from "./Client/EmbeddedClient.ts"
import { serverClient, type ServerOptions } from "./Client/ServerClient.ts"
import { warnOfUnusedEmbedded } from "./Client/UnusedEmbedded.ts"
import { DataDir, type DataDirUnusable } from "./DataDir.ts"
import { type DatabaseUnreleased, migrate } from "./Migrations.ts"

export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly message: string
  readonly cause: DatabaseUnreleased | SqlError | Migrator.MigrationError
}> {}

/**
 * `embedded` is Postgres in this process, with a single connection that nothing may hold. Instances can share a
 * `server`.
 */
export class Database extends Context.Service<Database, {
  readonly kind: "embedded" | "server"
}>()("openaccounts/Sql/Database") {
  static readonly layerEmbedded = (folder?: string) =>
    Layer.effect(Database, Effect.as(migrate, Database.of({ kind: "embedded" }))).pipe(
      Layer.provideMerge(clientLayer(embeddedClient(folder)))
    )

  static readonly layerServer = (server: ServerOptions) =>
    Layer.unwrap(
      Effect.map(migrateServer(server), (isolation) =>
        Layer.succeed(Database, Database.of({ kind: "server" })).pipe(
          Layer.provideMerge(clientLayer(serverClient({ ...server, isolation })))
        ))
    )

  static readonly layer = Layer.unwrap(Effect.gen(function*() {
    const server = yield* databaseServer
    const dataDir = yield* DataDir
    if (Option.isSome(server)) yield* warnOfUnusedEmbedded
    const layer: DatabaseLayer = Option.isSome(server)
      ? Database.layerServer(server.value)
      : Database.layerEmbedded(yield* dataDir.path("db"))
    return layer
  }))
}

type DatabaseLayer = Layer.Layer<
  Database | SqlClient.SqlClient,
  | DataDirUnusable
  | DatabaseDamaged
  | DatabaseUnreleased
  | DatabaseUnusable
  | DirectoryInUse
  | DirectoryLockFailed
  | Migrator.MigrationError
  | SqlError,
  FileSystem.FileSystem
>

/** At other levels, concurrent statements fail. */
const isolation = "read committed"

const clientLayer = <E, R>(client: Effect.Effect<SqlClient.SqlClient, E, R | Reactivity.Reactivity | Scope.Scope>) =>
  Layer.effect(SqlClient.SqlClient, client).pipe(Layer.provide(Reactivity.layer))

/** Returns the isolation to ask for where the server's default is another one. Poolers refuse what they do not know. */
const migrateServer = ({ directUrl, url }: ServerOptions) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly isolation: string }>`
      SELECT current_setting('default_transaction_isolation') AS isolation`
    yield* sql`SET default_transaction_isolation = ${sql.literal(`'${isolation}'`)}`
    yield* migrate
    return row?.isolation === isolation ? undefined : isolation
  }).pipe(
    Effect.provide(
      Layer.fresh(
        PgClient.layer({
          url: directUrl ?? url,
          applicationName: "openaccounts migrations",
          maxConnections: 1,
          startupParameters: { statement_timeout: "0" }
        })
      )
    ),
    Effect.mapError((cause) => {
      const setting = directUrl === undefined || directUrl === url ? "DATABASE_URL" : "DATABASE_DIRECT_URL"
      return new DatabaseUnusable({ message: `The database of ${setting} cannot be used`, cause })
    })
  )
