import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"

const version = "1.5.6-r.1"

/** Outside `node_modules`, because it has 70 MB. */
const folder = join(tmpdir(), `openaccounts-duckdb-${version}`)

const install = () => {
  mkdirSync(folder, { recursive: true })
  spawnSync("npm", [
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    `@duckdb/node-api@${version}`
  ], { timeout: 60_000 })
}

/** False without a package registry. */
export const hasDuckDb = (): boolean => {
  const installed = join(folder, "node_modules/@duckdb/node-api/package.json")
  if (!existsSync(installed)) install()
  return existsSync(installed)
}

/** Rows as a list of texts. Another process, because threads share no native module safely. */
export const duckDb = (sql: string): ReadonlyArray<ReadonlyArray<string | null>> => {
  const module = createRequire(join(folder, "package.json")).resolve("@duckdb/node-api")
  const script = `
    const { DuckDBInstance } = require(${JSON.stringify(module)})
    DuckDBInstance.create(":memory:").then((database) => database.connect()).then(async (connection) => {
      const reader = await connection.runAndReadAll(${JSON.stringify(sql)})
      process.stdout.write(JSON.stringify(reader.getRowsJson().map((row) => row.map((cell) =>
        cell === null || typeof cell === "string" ? cell : JSON.stringify(cell)))))
    })`
  const { stderr, stdout } = spawnSync(process.execPath, ["--eval", script], { encoding: "utf8" })
  if (stderr !== "") throw new Error(stderr)
  return JSON.parse(stdout)
}
