import { Config, Effect, FileSystem, Option, Path, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { usageError } from "../../../Cli/Failure.ts"
import { print } from "../../../Cli/Output.ts"
import { databaseServer } from "../../../Settings.ts"
import { lockDirectory } from "../../../Sql/Client/DirectoryLock.ts"
import { DataDir, restrictNewFiles } from "../../../Sql/DataDir.ts"
import { type Head, readBackup } from "../Copy/BackupFile.ts"
import { load } from "../Copy/Load.ts"
import {
  describeSummary,
  embeddedDatabase,
  refused,
  requireFeature,
  serverDatabase,
  summaryOf,
  withFeatures,
  withMessages
} from "./Databases.ts"
import { keyDigests } from "./KeyDigests.ts"
import { passphrase } from "./Passphrase.ts"

/** The keys of an embedded database. A person may have put the file there. */
const keysInFolder = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const dataDir = yield* DataDir
  if (Option.isSome(yield* databaseServer)) return Option.none()
  const text = yield* Effect.option(fs.readFileString(yield* dataDir.path("encryption-keys")))
  return Option.map(text, (keys) => Redacted.make(keys.trim()))
})

/** The secrets that the settings lack, with the names of their files in `DATA_DIR`. */
const missingSecrets = Effect.fnUntraced(function*({ admin_token, encryption_keys, key_digests }: Head) {
  const configured = yield* Config.option(Config.Redacted("ENCRYPTION_KEYS"))
  const keys = Option.isNone(configured) && encryption_keys === null ? yield* keysInFolder : configured
  if (Option.isSome(keys)) {
    const known = new Set(keyDigests(Redacted.value(keys.value)).map(({ digest }) => digest))
    const needed = key_digests ?? keyDigests(encryption_keys ?? "")
    const missing = needed.find(({ digest }) => !known.has(digest))
    if (missing !== undefined) {
      return yield* refused(
        `ENCRYPTION_KEYS lacks the key "${missing.id}" of the backup, or has other bytes. ` +
          `${encryption_keys === null ? "" : "Unset it to restore the keys too. "}Nothing was changed`
      )
    }
  } else if (encryption_keys === null) {
    return yield* refused("The backup has no keys. Set ENCRYPTION_KEYS as its service had it. Nothing was changed")
  }
  const hasToken = Option.isSome(yield* Config.option(Config.Redacted("ADMIN_TOKEN")))
  return [
    ...(Option.isSome(configured) || encryption_keys === null
      ? []
      : [{ file: "encryption-keys", setting: "ENCRYPTION_KEYS", text: encryption_keys }]),
    ...(hasToken || admin_token === null ? [] : [{ file: "admin-token", setting: "ADMIN_TOKEN", text: admin_token }])
  ]
})

type Secrets = Effect.Success<ReturnType<typeof missingSecrets>>

const requireNew = Effect.fnUntraced(function*(path: string) {
  const fs = yield* FileSystem.FileSystem
  if (yield* fs.exists(path)) {
    return yield* refused(`${path} exists. A backup is restored into an empty place only. Nothing was changed`)
  }
})

/** Writes the files, and removes them if `then` fails. */
const withSecrets = Effect.fnUntraced(function*<A, E, R>(secrets: Secrets, then: Effect.Effect<A, E, R>) {
  const fs = yield* FileSystem.FileSystem
  const dataDir = yield* DataDir
  const written: Array<string> = []
  return yield* Effect.gen(function*() {
    for (const { file, text } of secrets) {
      const path = yield* dataDir.path(file)
      yield* fs.writeFileString(path, `${text}\n`, { flag: "wx", mode: 0o600 })
      written.push(path)
    }
    return yield* then
  }).pipe(Effect.onError(() => Effect.forEach(written, (path) => Effect.ignore(fs.remove(path)), { discard: true })))
})

/** The database gets its name when it is complete. */
const intoEmbedded = Effect.fnUntraced(function*(
  fill: Effect.Effect<void, Error, SqlClient.SqlClient>,
  secrets: Secrets
) {
  const fs = yield* FileSystem.FileSystem
  const { join } = yield* Path.Path
  const folder = yield* (yield* DataDir).path("db")
  yield* requireNew(folder)
  yield* lockDirectory(folder)
  const [directory, prefix] = [join(folder, ".."), "db.restored-"]
  const remove = (path: string) => Effect.ignore(fs.remove(path, { recursive: true, force: true }))
  // Restores that were killed have left theirs.
  const left = (yield* fs.readDirectory(directory)).filter((name) => name.startsWith(prefix))
  yield* Effect.forEach(left, (name) => remove(join(directory, name)), { discard: true })
  const made = yield* Effect.acquireRelease(fs.makeTempDirectory({ directory, prefix }), remove)
  const database = join(made, "db")
  yield* Effect.scoped(Effect.flatMap(
    embeddedDatabase(database),
    (sql) => Effect.provideService(fill, SqlClient.SqlClient, sql)
  ))
  yield* withSecrets(secrets, fs.rename(database, folder))
})

export const restoreBackup = Effect.fnUntraced(
  function*(file: string) {
    yield* requireFeature
    const fs = yield* FileSystem.FileSystem
    yield* Effect.mapError(
      fs.access(file, { readable: true }),
      ({ reason }) => usageError(`${file} cannot be read (${reason._tag})`)
    )
    yield* restrictNewFiles
    const dataDir = yield* DataDir
    const server = yield* databaseServer
    if (Option.isNone(server)) yield* requireNew(yield* dataDir.path("db"))
    const { head, parts } = yield* readBackup(file, yield* passphrase)
    const secrets = yield* missingSecrets(head)
    for (const secret of secrets) yield* requireNew(yield* dataDir.path(secret.file))
    let summary: ReturnType<typeof summaryOf> | undefined
    const fill = Effect.map(load(parts), (sums) => {
      summary = summaryOf(sums)
    })
    if (Option.isNone(server)) yield* intoEmbedded(fill, secrets)
    else {
      const sql = yield* serverDatabase(server.value.directUrl)
      yield* withSecrets(secrets, Effect.provideService(fill, SqlClient.SqlClient, sql))
    }
    if (summary === undefined) return
    const restored = summary
    const next = yield* Effect.forEach(
      Option.isNone(server) ? [] : secrets,
      ({ file, setting }) => Effect.map(dataDir.path(file), (path) => `Set ${setting} to the text of ${path}.`)
    )
    yield* print(
      { file, made_at: head.made_at, ...restored },
      ({ good }) =>
        [`${good("Restored")} the backup of ${head.made_at}: ${describeSummary(restored)}.`, ...next].join("\n")
    )
  },
  Effect.scoped,
  withMessages,
  withFeatures,
  Effect.provide(DataDir.layer)
)
