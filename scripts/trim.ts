/** Removes what this project never uses from packages that have no smaller edition: 295 MB of `node_modules`. */
import { globSync, rmSync } from "node:fs"
import { join } from "node:path"

const unused = [
  // Headers for building native add-ons.
  "node/node_modules/node-*/include",
  // Linters, and the compilers for other versions of TypeScript.
  "@effect/tsgo-*/{lib,artifacts/oxlint*,artifacts/typescript/*-dev.*}",
  // Icons as CommonJS, and under two more names each.
  "lucide-react/dist/{cjs,lucide-react.*fixed.d.ts}",
  // What openapi-explorer brings in as modules: the page takes its bundle, which has them all.
  "{core-js-pure,openapi-resolver,prismjs,lit-html,xml-but-prettier,@babel/runtime-corejs3}/!(package.json)",
  // The viewer of recorded browser sessions.
  "playwright-core/lib/vite",
  // Source maps, except those of the framework, which stack traces name.
  "!(effect|@effect)/**/*.map"
]

const modules = join(import.meta.dirname, "../node_modules")

for (const path of globSync(unused, { cwd: modules })) rmSync(join(modules, path), { recursive: true, force: true })
