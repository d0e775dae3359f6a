import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Effect, FileSystem, Layer, Option, Path, type Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { countConnections } from "../../../Connections/ConnectionRepo.ts"
import { type Check, type DatabaseServer, databaseServer, type Finding } from "../../../Settings.ts"
import { embeddedClient } from "../../../Sql/Client/EmbeddedClient.ts"
import { embeddedFolder, howToUseEmbedded } from "../../../Sql/Client/UnusedEmbedded.ts"
import { type DatabaseUnreleased, requireKnownMigrations } from "../../../Sql/Migrations.ts"
import { dataDirPath } from "../../DemoSettings.ts"
import { check, ok, problem, responseTimeout, skipped, warning } from "./Check.ts"
import type { Running } from "./Running.ts"
import { storedKeys, storedKeysOfService } from "./StoredKeysCheck.ts"

/** The service itself reports on its database while it runs. */
export const databaseChecks = Effect.fnUntraced(function*(running: Running) {
  const checks = Option.isSome(running.readyz)
    ? [
      {
        check: "database",
        ...(running.readyz.value.status === 200 ? ok("answers the service") : problem("does not answer the service"))
      },
      { check: "stored data", ...storedKeysOfService(running) }
    ]
    : yield* ofStoppedService
  return [...checks, ...yield* unusedEmbedded]
})

const ofStoppedService = Effect.gen(function*() {
  let stored: Finding = skipped("the database is not open")
  const readStored = (sql: SqlClient.SqlClient) =>
    storedKeys.pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      check("stored data"),
      Effect.map((finding) => {
        stored = finding
      })
    )
  const database = yield* databaseServer.pipe(
    Effect.flatMap(
      Option.match({ onNone: () => ownEmbedded(readStored), onSome: (server) => onServer(server, readStored) })
    ),
    check("database")
  )
  return [database, { ...stored, check: "stored data" }] satisfies ReadonlyArray<Check>
})

type Use<R> = (sql: SqlClient.SqlClient) => Effect.Effect<void, never, R>

const onServer = Effect.fnUntraced(function*<R>({ directUrl, url }: DatabaseServer, use: Use<R>) {
  const versions = yield* Effect.forEach(url === directUrl ? [url] : [url, directUrl], serverVersion)
  yield* Effect.scoped(Effect.flatMap(connect(url), use))
  return ok(`Postgres ${versions[0]} answers${versions.length === 1 ? "" : ", with and without the pooler"}`)
})

const connect = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(Layer.fresh(PgClient.layer({
      url,
      connectTimeout: responseTimeout,
      applicationName: "oa doctor",
      prepare: false
    }))),
    (client) => Context.get(client, SqlClient.SqlClient)
  )

const serverVersion = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const sql = yield* connect(url)
  const [row] = yield* sql<{ readonly version: string }>`SELECT current_setting('server_version') AS version`
  yield* Effect.provideService(requireKnownMigrations, SqlClient.SqlClient, sql)
  return row?.version
}, Effect.scoped)

const ownEmbedded = Effect.fnUntraced(function*<R>(use: Use<R>) {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = join(yield* dataDirPath, "db")
  if (!(yield* fs.exists(folder))) return skipped("the first start makes the embedded database")
  return yield* openEmbedded(
    folder,
    Effect.fnUntraced(function*(sql) {
      yield* Effect.provideService(requireKnownMigrations, SqlClient.SqlClient, sql)
      yield* use(sql)
      return ok("the embedded database opens")
    })
  )
})

const openEmbedded = Effect.fnUntraced(function*<R>(
  folder: string,
  use: (sql: SqlClient.SqlClient) => Effect.Effect<Finding, DatabaseUnreleased | SqlError, R>
) {
  const fs = yield* FileSystem.FileSystem
  const { uid } = yield* fs.stat(folder)
  // Postgres would write files that the service's user cannot read.
  if (Option.getOrUndefined(uid) !== process.getuid?.()) return skipped(`another user owns ${folder}`)
  return yield* embeddedClient(folder).pipe(
    Effect.flatMap(use),
    Effect.catchTag("DirectoryInUse", ({ message }) => Effect.succeed(skipped(message))),
    Effect.provide(Reactivity.layer),
    Effect.scoped
  )
})

/** Reports an embedded database from before while `DATABASE_URL` is set. */
const unusedEmbedded = Effect.gen(function*() {
  const folder = yield* embeddedFolder
  if (Option.isNone(yield* databaseServer) || Option.isNone(folder)) return []
  const finding = openEmbedded(
    folder.value,
    Effect.fnUntraced(function*(sql) {
      const count = yield* Effect.provideService(countConnections, SqlClient.SqlClient, sql)
      return count === 0
        ? ok(`${folder.value} is not used and holds no connection`)
        : warning(
          `${folder.value} holds ${count} ${count === 1 ? "connection" : "connections"}, and DATABASE_URL is another ` +
            `database. ${howToUseEmbedded}`
        )
    })
  )
  return [yield* check("embedded database")(finding)]
}).pipe(Effect.catch(() => Effect.succeed([])))
