import { PgPool } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { Data, Duration, Effect } from "effect"
import { execFile, type ExecFileException } from "node:child_process"
import { existsSync, statfsSync } from "node:fs"
import { mkdtemp, rename, rm } from "node:fs/promises"
import { dirname, extname } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { closeToOthers } from "../DataDir.ts"
import { lockDirectory } from "./DirectoryLock.ts"
import { embeddedOptions } from "./EmbeddedOptions.ts"
import { pgliteStream } from "./PGliteStream.ts"
import { makePoolClient, maxMessageSize } from "./PoolClient.ts"

export class DatabaseDamaged extends Data.TaggedError("DatabaseDamaged")<{
  readonly message: string
  readonly cause: unknown
}> {}

const fill = (folder: string) =>
  Effect.callback<void, ExecFileException>((resume) => {
    const script = fileURLToPath(new URL(`./CreateEmbedded${extname(import.meta.url)}`, import.meta.url))
    const child = execFile(process.execPath, ["--liftoff-only", "--max-old-space-size=64", script, folder], (error) => {
      resume(error === null ? Effect.void : Effect.fail(error))
    })
    return Effect.sync(() => void child.kill())
  })

/**
 * Creating a database takes 450 MB of memory, which V8 keeps for minutes, so another process does it if possible. The
 * folder gets its name when it is complete, because that process may outlive this one.
 */
const create = (folder: string) =>
  Effect.acquireUseRelease(
    Effect.tryPromise(() => mkdtemp(`${folder}.new-`)),
    (created) => Effect.andThen(fill(created), Effect.tryPromise(() => rename(created, folder))),
    (created) => Effect.promise(() => rm(created, { recursive: true, force: true }))
  )

/**
 * V8 never optimizes the WebAssembly that it compiles meanwhile. Just optimizing the SQL parser would take 600 MB and
 * 1.7 s, after a hundred statements. Without it, a statement takes 33 % more CPU.
 */
const withoutOptimizer = async <A>(compile: () => Promise<A>): Promise<A> => {
  setFlagsFromString("--no-wasm-tier-up")
  setFlagsFromString("--no-wasm-dynamic-tiering")
  try {
    return await compile()
  } finally {
    setFlagsFromString("--wasm-tier-up")
    setFlagsFromString("--wasm-dynamic-tiering")
  }
}

const mayStartProcesses = (): boolean => process.permission?.has("child") ?? true

const roomAt = (folder: string): number => {
  const { bavail, bsize } = statfsSync(dirname(folder))
  return Math.floor(bavail * bsize / 2 ** 20)
}

const open = (folder: string | undefined) =>
  Effect.acquireRelease(
    Effect.gen(function*() {
      if (folder !== undefined && !existsSync(folder) && mayStartProcesses()) yield* create(folder)
      return yield* Effect.tryPromise(() =>
        withoutOptimizer(() =>
          PGlite.create({ ...(folder === undefined ? {} : { dataDir: folder }), ...embeddedOptions })
        )
      )
    }).pipe(
      Effect.mapError((cause) =>
        new DatabaseDamaged({
          message: folder === undefined
            ? "The embedded database in memory could not be opened"
            : `The embedded database in ${folder}, with ${roomAt(folder)} MB left on its disk, could not be opened`,
          cause
        })
      )
    ),
    (database) => Effect.promise(() => database.close())
  )

const maxConcurrentStatements = 32

export const embeddedClient = Effect.fnUntraced(function*(folder: string | undefined) {
  if (folder !== undefined) yield* lockDirectory(folder)
  const database = yield* open(folder)
  // PGlite creates all its files now, with modes 0644 and 0666, whatever the umask is.
  if (folder !== undefined) yield* closeToOthers(folder)
  const pool = yield* PgPool.make({
    stream: () => pgliteStream(database),
    username: "postgres",
    database: "postgres",
    maxMessageSize,
    minConnections: 1,
    maxConnections: 1,
    multiplex: true,
    multiplexConcurrency: maxConcurrentStatements,
    idleTimeout: Duration.infinity
  })
  return yield* makePoolClient({ pool, statements: maxConcurrentStatements, perTransaction: maxConcurrentStatements })
})
