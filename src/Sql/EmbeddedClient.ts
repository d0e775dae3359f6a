import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { Data, Duration, Effect } from "effect"
import { closeToOthers } from "./DataDir.ts"
import { lockDirectory } from "./DirectoryLock.ts"
import { pgliteStream } from "./PGliteStream.ts"

export class DatabaseDamaged extends Data.TaggedError("DatabaseDamaged")<{
  readonly message: string
  readonly cause: unknown
}> {}

const open = (folder: string | undefined) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create(folder === undefined ? {} : { dataDir: folder }),
      catch: (cause) =>
        new DatabaseDamaged({ message: `The embedded database in ${folder ?? "memory"} could not be opened`, cause })
    }),
    (database) => Effect.promise(() => database.close())
  )

export const embeddedClient = Effect.fnUntraced(function*(folder: string | undefined) {
  if (folder !== undefined) yield* lockDirectory(folder)
  const database = yield* open(folder)
  // PGlite gives new files the modes 0644 and 0666, whatever the umask is. All of them are created when it opens.
  if (folder !== undefined) yield* closeToOthers(folder)
  return yield* PgClient.make({
    stream: () => pgliteStream(database),
    username: "postgres",
    database: "postgres",
    minConnections: 1,
    maxConnections: 1,
    multiplex: true,
    idleTimeout: Duration.infinity
  })
})
