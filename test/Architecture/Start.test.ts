import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const src = new URL("../../src", import.meta.url).pathname

/** Without `import type` and `import()`. */
const staticImport = /^(?:import|export)\s(?!type\s)(?:[^"']*?\sfrom\s)?"([^"]+)"/gm

const packagesLoadedBy = (entry: string): ReadonlySet<string> => {
  const packages = new Set<string>()
  const files = new Set([join(src, entry)])
  for (const file of files) {
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(staticImport)) {
      if (specifier.startsWith(".")) files.add(join(dirname(file), specifier))
      else packages.add(specifier)
    }
  }
  return packages
}

describe("A start", () => {
  it("loads no library that only some calls, sign-ins or agents need", () => {
    const packages = packagesLoadedBy("Cli/Commands/Serve.ts")
    assert.includeMembers([...packages], ["effect", "@effect/sql-pg", "@electric-sql/pglite"])
    const rare = /^(?:mdast|micromark|jose|re2js|oidc-provider|openid-client|@modelcontextprotocol|@simplewebauthn)/
    assert.deepStrictEqual([...packages].filter((name) => rare.test(name)), [])
  })
})
