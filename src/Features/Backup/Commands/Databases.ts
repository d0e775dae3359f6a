import * as PgClient from "@effect/sql-pg/PgClient"
import { Config, Context, Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect"
import { HttpClientError } from "effect/http"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import { isSqlError } from "effect/sql/SqlError"
import { rm } from "node:fs/promises"
import { adminApi } from "../../../Cli/ApiClient.ts"
import { dataDirPath } from "../../../Cli/DemoSettings.ts"
import { Failure, messageChain, usageError } from "../../../Cli/Failure.ts"
import { counted } from "../../../Domain/Calls/MissingWords.ts"
import { databaseServer } from "../../../Settings.ts"
import { embeddedClient } from "../../../Sql/Client/EmbeddedClient.ts"
import { maxMessageSize } from "../../../Sql/Client/PoolClient.ts"
import { requireKnownMigrations } from "../../../Sql/Migrations.ts"
import { featuresOff } from "../../FeaturesOff.ts"
import { ownedData } from "../../OwnedData.ts"
import type { Sum } from "../Copy/Parts.ts"
import { SealedFileError } from "../Copy/SealedFile.ts"
import { keyDigests } from "./KeyDigests.ts"

export const refused = (message: string) => new Failure({ exit: "refused", message })

/** Commands that need no running service obey `FEATURES_OFF` too. */
export const requireFeature = Effect.flatMap(
  featuresOff,
  (off) => off.includes("backup") ? refused("The service does not have this: FEATURES_OFF names backup") : Effect.void
)

/** The database has the tables of every feature. */
export const withFeatures = Effect.provide(ownedData())

/** Every error of a database, a file or a folder says what is wrong with it. */
export const withMessages = <A, E extends Error, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(
    // A rollback over a lost connection is a defect.
    Effect.catchDefect(effect, (defect) => isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)),
    (error) =>
      error instanceof Failure || error instanceof Config.ConfigError || HttpClientError.isHttpClientError(error) ||
        Schema.isSchemaError(error)
        ? error
        : error instanceof SealedFileError
        ? usageError(error.message)
        : refused(messageChain(error))
  )

export const serverDatabase = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(Layer.fresh(
      PgClient.layer({ url, maxConnections: 1, applicationName: "oa", prepare: false, maxMessageSize })
    )),
    (client) => Context.get(client, SqlClient.SqlClient)
  )

export const embeddedDatabase = (folder: string) => Effect.provide(embeddedClient(folder), Reactivity.layer)

const requireOwn = Effect.fnUntraced(function*(folder: string) {
  const fs = yield* FileSystem.FileSystem
  const stat = yield* Effect.option(fs.stat(folder))
  if (Option.isNone(stat)) return yield* refused(`There is no database in ${folder}. Set DATA_DIR or DATABASE_URL`)
  if (Option.getOrUndefined(stat.value.uid) !== process.getuid?.()) {
    return yield* refused(`Another user owns ${folder}. Run this as the user of the service`)
  }
})

/** While the service runs, it holds the folder and provides a copy. */
const snapshot = Effect.gen(function*() {
  const { join } = yield* Path.Path
  const { snapshots } = yield* adminApi
  const { folder } = yield* Effect.acquireRelease(
    snapshots.take(),
    ({ folder }) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
  return yield* embeddedDatabase(join(folder, "db"))
})

/** The embedded database of `DATA_DIR`, which no service uses. */
export const stoppedDatabase = Effect.gen(function*() {
  const { join } = yield* Path.Path
  const folder = join(yield* dataDirPath, "db")
  yield* requireOwn(folder)
  const sql = yield* embeddedDatabase(folder)
  yield* Effect.provideService(requireKnownMigrations, SqlClient.SqlClient, sql)
  return sql
})

/** The database of the settings, also while the service runs. */
export const currentDatabase = Effect.gen(function*() {
  const server = yield* databaseServer
  if (Option.isNone(server)) return yield* Effect.catchTag(stoppedDatabase, "DirectoryInUse", () => snapshot)
  const sql = yield* serverDatabase(server.value.directUrl)
  yield* Effect.provideService(requireKnownMigrations, SqlClient.SqlClient, sql)
  return sql
})

/** What a backup has of the keys and the admin token: without `withKeys`, only how to recognize the keys. */
export const currentSecrets = Effect.fnUntraced(function*(withKeys: boolean) {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = yield* dataDirPath
  const isServer = Option.isSome(yield* databaseServer)
  const secret = Effect.fnUntraced(function*(setting: string, file: string) {
    const configured = yield* Config.option(Config.Redacted(setting))
    if (Option.isSome(configured)) return Redacted.value(configured.value)
    if (isServer) return null
    return yield* Effect.orElseSucceed(
      Effect.map(fs.readFileString(join(folder, file)), (text) => text.trim()),
      () => null
    )
  })
  const encryption_keys = yield* secret("ENCRYPTION_KEYS", "encryption-keys")
  const known = encryption_keys === null ? {} : { key_digests: keyDigests(encryption_keys) }
  if (!withKeys) return { encryption_keys: null, admin_token: null, ...known }
  if (encryption_keys === null) {
    return yield* usageError("Set ENCRYPTION_KEYS as the service has it: --with-keys puts it into the file")
  }
  return { encryption_keys, admin_token: yield* secret("ADMIN_TOKEN", "admin-token"), ...known }
})

export const summaryOf = (sums: Readonly<Record<string, Sum>>) => {
  const all = Object.values(sums)
  const rows = all.reduce((total, { rows }) => total + Number(rows), 0)
  return {
    tables: all.length,
    rows,
    calls: Number(sums["calls"]?.rows ?? 0),
    connections: Number(sums["connections"]?.rows ?? 0)
  }
}
export type Summary = ReturnType<typeof summaryOf>

export const describeSummary = ({ calls, connections, rows, tables }: Summary): string =>
  `${counted(rows, "row")} of ${counted(tables, "table")}, ${counted(calls, "call")} and ` +
  `${counted(connections, "connection")} among them, checked by their counts and sums`
