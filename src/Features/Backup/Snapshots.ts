import { Context, Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { constants } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { InvalidInput } from "../../Api/Errors.ts"
import { isLocked } from "../../Sql/Client/DirectoryLock.ts"
import { Database } from "../../Sql/Database.ts"
import { DataDir } from "../../Sql/DataDir.ts"

/** Copies of the embedded database's folder, from which `oa backup` reads while the service runs. */
export class Snapshots extends Context.Service<Snapshots, {
  /** Returns the folder. Calls wait while it is copied. */
  readonly take: Effect.Effect<string, InvalidInput>
}>()("openaccounts/Features/Backup/Snapshots") {
  static readonly layer = Layer.effect(
    Snapshots,
    Effect.gen(function*() {
      const { kind } = yield* Database
      const sql = yield* SqlClient.SqlClient
      const dataDir = yield* DataDir

      /** Removes the snapshots of killed backups. */
      const removeOld = Effect.fnUntraced(function*(root: string) {
        for (const name of yield* Effect.promise(() => readdir(root))) {
          const folder = join(root, name)
          if (!(yield* isLocked(join(folder, "db")))) {
            yield* Effect.promise(() => rm(folder, { recursive: true, force: true }))
          }
        }
      })

      return Snapshots.of({
        take: kind === "server"
          ? Effect.fail(new InvalidInput({ message: "With DATABASE_URL, the server itself is read." }))
          : Effect.gen(function*() {
            const root = yield* Effect.orDie(dataDir.path("snapshots"))
            const database = yield* Effect.orDie(dataDir.path("db"))
            yield* Effect.promise(() => mkdir(root, { recursive: true, mode: 0o700 }))
            yield* removeOld(root)
            // A transaction has the only connection, so nothing is written meanwhile.
            return yield* Effect.orDie(sql.withTransaction(Effect.andThen(sql`CHECKPOINT`, copy(root, database))))
          }).pipe(Effect.provideService(FileSystem.FileSystem, yield* FileSystem.FileSystem))
      })
    })
  )
}

const copy = (root: string, database: string) =>
  Effect.promise(async () => {
    const folder = await mkdtemp(join(root, "snapshot-"))
    await cp(database, join(folder, "db"), { recursive: true, mode: constants.COPYFILE_FICLONE })
    return folder
  })
