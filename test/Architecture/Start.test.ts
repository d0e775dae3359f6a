import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = new URL("../..", import.meta.url).pathname

/** Without `import type` and `import()`. */
const staticImport = /^(?:import|export)\s(?!type\s)(?:[^"']*?\sfrom\s)?"([^"]+)"/gm

const packagesLoadedBy = (entry: string) => {
  const packages = new Set<string>()
  const files = new Set([join(root, entry)])
  for (const file of files) {
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(staticImport)) {
      if (specifier.startsWith(".")) files.add(join(dirname(file), specifier))
      else packages.add(specifier)
    }
  }
  return [...packages].filter((name) => !name.startsWith("node:"))
}

describe("A start", () => {
  it("loads no library that only some calls, sign-ins, agents or settings need", () => {
    const needed = ["@electric-sql/pglite", "aws4fetch"]
    const source = packagesLoadedBy("src/Cli/Commands/Serve.ts").filter((name) => !/^(?:effect|@effect)\b/.test(name))
    assert.sameMembers(source, needed)
    assert.sameMembers(packagesLoadedBy("dist/service/main.js"), needed)
  })
})
