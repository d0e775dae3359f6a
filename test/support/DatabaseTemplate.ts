import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Database } from "../../src/Sql/Database.ts"

const root = new URL("../..", import.meta.url).pathname
const cache = join(root, "node_modules", ".cache")

/** The path of an embedded database with all migrations, one for each version of them. */
const templateFolder = async (): Promise<string> => {
  const migrations = join(root, "src/Sql/migrations")
  const hash = createHash("sha256")
  for (const file of (await readdir(migrations)).toSorted()) hash.update(await readFile(join(migrations, file)))
  hash.update(await readFile(join(root, "node_modules/@electric-sql/pglite/package.json")))
  return join(cache, `openaccounts-database-${hash.digest("hex").slice(0, 16)}`)
}

export const setup = async (): Promise<void> => {
  const template = await templateFolder()
  if (await exists(template)) return
  const created = join(await mkdtemp(join(tmpdir(), "openaccounts-template-")), "db")
  await Effect.runPromise(Effect.void.pipe(
    Effect.provide(Database.layerEmbedded(created).pipe(Layer.provide(NodeServices.layer)))
  ))
  const staged = `${template}.${process.pid}`
  await cp(created, staged, { recursive: true })
  // A concurrent run has made the same template.
  await rename(staged, template).catch(() => rm(staged, { recursive: true, force: true }))
}

const exists = (path: string) => stat(path).then(() => true, () => false)

export const copyTemplate = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "openaccounts-test-"))
  await cp(await templateFolder(), join(folder, "db"), { recursive: true })
  return folder
}
