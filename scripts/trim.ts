/** Removes what this project never uses from packages that have no smaller edition: 185 MB of `node_modules`. */
import { globSync, rmSync } from "node:fs"
import { join } from "node:path"

const unused = [
  // Headers for building native add-ons.
  "node/node_modules/node-*/include",
  // Linters, and the compilers for other versions of TypeScript.
  "@effect/tsgo-*/{lib,artifacts/oxlint*,artifacts/typescript/*-dev.*}"
]

for (const path of globSync(unused, { cwd: join(import.meta.dirname, "../node_modules") })) {
  rmSync(join(import.meta.dirname, "../node_modules", path), { recursive: true })
}
