import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, FileSystem, Layer, Option, Path, type Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import { databaseServer } from "../../../Settings.ts"
import { embeddedClient } from "../../../Sql/Client/EmbeddedClient.ts"
import { requireKnownMigrations } from "../../../Sql/Migrations.ts"
import { dataDirPath } from "../../DemoSettings.ts"
import { ok, problem, responseTimeout, skipped } from "./Check.ts"

/** The service itself reports on its database while it runs. */
export const database = Effect.fnUntraced(function*(readyStatus: Option.Option<number>) {
  if (Option.isSome(readyStatus)) {
    return readyStatus.value === 200 ? ok("answers the service") : problem("does not answer the service")
  }
  const server = yield* databaseServer
  if (Option.isNone(server)) return yield* embeddedDatabase
  const { directUrl, url } = server.value
  const versions = yield* Effect.forEach(url === directUrl ? [url] : [url, directUrl], serverVersion)
  return ok(`Postgres ${versions[0]} answers${versions.length === 1 ? "" : ", with and without the pooler"}`)
})

const serverVersion = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const client = yield* Layer.build(Layer.fresh(PgClient.layer({
    url,
    connectTimeout: responseTimeout,
    applicationName: "oa doctor",
    prepare: false
  })))
  const sql = Context.get(client, SqlClient.SqlClient)
  const [row] = yield* sql<{ readonly version: string }>`SELECT current_setting('server_version') AS version`
  yield* Effect.provideService(requireKnownMigrations, SqlClient.SqlClient, sql)
  return row?.version
}, Effect.scoped)

const embeddedDatabase = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = join(yield* dataDirPath, "db")
  if (!(yield* fs.exists(folder))) return skipped("the first start makes the embedded database")
  const { uid } = yield* fs.stat(folder)
  // Postgres would write files that the service's user cannot read.
  if (Option.getOrUndefined(uid) !== process.getuid?.()) return skipped(`another user owns ${folder}`)
  const sql = yield* embeddedClient(folder)
  yield* Effect.provideService(requireKnownMigrations, SqlClient.SqlClient, sql)
  return ok("the embedded database opens")
}).pipe(
  Effect.catchTag("DirectoryInUse", ({ message }) => Effect.succeed(skipped(message))),
  Effect.provide(Reactivity.layer),
  Effect.scoped
)
