import { assert, it } from "@effect/vitest"
import { lockFileProblems } from "../../scripts/check/LockFile.ts"

const integrity = "sha512-JYp7IbQjafoB+tBA3gMyHYHrpOtNuDiK/uB5uXxq5wM="
const ofMac = { version: "1.0.0", dev: true, optional: true, os: ["darwin"], cpu: ["arm64"] }

const refused: ReadonlyArray<readonly [string, Parameters<typeof lockFileProblems>[0]["packages"][string]]> = [
  ["without a hash", { version: "1.0.0" }],
  ["with an old hash", { version: "1.0.0", integrity: "sha1-a" }],
  ["from git", { version: "git+ssh://git@example.com/a.git#0", integrity }],
  ["from an address", { version: "1.0.0", integrity, resolved: "https://example.com/a.tgz" }],
  ["from a folder", { version: "file:../a", integrity }],
  ["of other systems without a hash, if they ship", { ...ofMac, dev: false }],
  ["of this system without a hash", { ...ofMac, os: ["linux"], cpu: ["x64"] }]
]

it.each(refused)("a lock file has no package %s", (_, entry) => {
  assert.lengthOf(lockFileProblems({ packages: { "": {}, "node_modules/a": entry } }), 1)
})

it("a lock file has packages of a registry, workspaces, and tools that its registry lacks", () => {
  const packages = {
    "node_modules/a": { version: "1.0.0", integrity },
    "node_modules/b": ofMac,
    "test/c": { version: "0" }
  }
  assert.deepStrictEqual(lockFileProblems({ packages }), [])
})
