import { NodeServices } from "@effect/platform-node"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { cp, glob, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { keepPartitions } from "../../src/Calls/Log/Storage/Partitions.ts"
import { Database } from "../../src/Sql/Database.ts"

const root = new URL("../..", import.meta.url).pathname
const cache = join(root, "node_modules", ".cache")
const prefix = "openaccounts-database-"

/**
 * The path of an embedded database with all migrations and the log's partitions of the coming days. Made once for each
 * version of the migrations and each day.
 */
const templateFolder = async (): Promise<string> => {
  const hash = createHash("sha256")
  const files = await Array.fromAsync(glob(["src/Sql/migrations/*.ts", "src/Features/*/Migration.ts"], { cwd: root }))
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(root, file)))
  hash.update(await readFile(join(root, "node_modules/@electric-sql/pglite/package.json")))
  hash.update(await readFile(import.meta.filename))
  hash.update(new Date().toISOString().slice(0, 10))
  return join(cache, `${prefix}${hash.digest("hex").slice(0, 16)}`)
}

/** Sets `TEST_DATABASE`, so that a run that goes on at midnight keeps its template. */
export const setup = async (): Promise<void> => {
  const template = await templateFolder()
  process.env["TEST_DATABASE"] = template
  if (await exists(template)) return
  await removeOld()
  const folder = await mkdtemp(join(tmpdir(), "openaccounts-template-"))
  const created = join(folder, "db")
  // Only here: it takes a second.
  const { ownedData } = await import("../../src/Features/OwnedData.ts")
  await Effect.runPromise(fill.pipe(
    Effect.provide(Database.layerEmbedded(created).pipe(Layer.provide([NodeServices.layer, ownedData()]))),
    Effect.scoped
  ))
  const staged = `${template}.${process.pid}`
  await cp(created, staged, { recursive: true })
  await rm(folder, { recursive: true })
  // A concurrent run has made the same template.
  await rename(staged, template).catch(() => rm(staged, { recursive: true, force: true }))
}

/**
 * Drops Postgres' own templates, which are two thirds of a database's 1,100 files, and begins a new file of the
 * write-ahead log, which is half of its bytes.
 */
const fill = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* keepPartitions("calls", Duration.days(90))
  yield* keepPartitions("refused_calls", Duration.days(90))
  yield* sql`UPDATE pg_database SET datistemplate = false, datallowconn = true`
  yield* sql`DROP DATABASE template0`
  yield* sql`DROP DATABASE template1`
  yield* sql`SET wal_recycle = off`
  yield* sql`SELECT FROM pg_switch_wal()`
  yield* sql`CHECKPOINT`
})

const removeOld = async (): Promise<void> => {
  for (const name of await readdir(cache).catch(() => [])) {
    const path = join(cache, name)
    if (name.startsWith(prefix) && (await stat(path)).mtimeMs < Date.now() - 86_400_000) {
      await rm(path, { recursive: true, force: true })
    }
  }
}

const exists = (path: string) => stat(path).then(() => true, () => false)

interface File {
  readonly path: string
  readonly size: number
  /** Without the empty pages at the end. */
  readonly bytes: Buffer
}

const emptyPage = Buffer.alloc(8192)

const withoutEmptyPages = (bytes: Buffer): Buffer => {
  let end = bytes.length
  while (end >= emptyPage.length && bytes.subarray(end - emptyPage.length, end).equals(emptyPage)) {
    end -= emptyPage.length
  }
  return bytes.subarray(0, end)
}

const readTemplate = (template: string) => {
  const folders: Array<string> = []
  const files: Array<File> = []
  for (const entry of readdirSync(template, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const path = relative(template, source)
    if (entry.isDirectory()) {
      folders.push(path)
    } else {
      const bytes = readFileSync(source)
      files.push({ path, size: bytes.length, bytes: withoutEmptyPages(bytes) })
    }
  }
  return { folders, files }
}

let template: ReturnType<typeof readTemplate> | undefined

/** Synchronous and from memory, which takes a third of the time of `cpSync` for many small files. */
export const copyTemplate = (): string => {
  template ??= readTemplate(process.env["TEST_DATABASE"] ?? "")
  const folder = mkdtempSync(join(tmpdir(), "openaccounts-test-"))
  const database = join(folder, "db")
  for (const path of ["", ...template.folders]) mkdirSync(join(database, path), { mode: 0o700 })
  for (const { bytes, path, size } of template.files) {
    const copy = join(database, path)
    writeFileSync(copy, bytes, { mode: 0o600 })
    if (bytes.length < size) truncateSync(copy, size)
  }
  return folder
}

/** Synchronous, like copying it. */
export const removeCopy = (folder: string): Effect.Effect<void> =>
  Effect.sync(() => rmSync(folder, { recursive: true, force: true }))

export const dataFolder = Effect.acquireRelease(Effect.sync(copyTemplate), removeCopy)
