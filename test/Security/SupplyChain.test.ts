import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { globSync, readFileSync } from "node:fs"
import packageJson from "../../package.json" with { type: "json" }

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")

const Lock = Schema.Struct({
  packages: Schema.Record(
    Schema.String,
    Schema.Struct({
      resolved: Schema.optionalKey(Schema.String),
      integrity: Schema.optionalKey(Schema.String),
      dev: Schema.optionalKey(Schema.Boolean),
      link: Schema.optionalKey(Schema.Boolean),
      hasInstallScript: Schema.optionalKey(Schema.Boolean)
    })
  )
})

const dependencies = { ...packageJson.dependencies, ...packageJson.peerDependencies }

const locked = Object.entries(Schema.decodeUnknownSync(Lock)(JSON.parse(read("package-lock.json"))).packages)
  .filter(([path, { link = false }]) => path.startsWith("node_modules/") && !link)
const packages = locked.filter(([, { dev = false }]) => !dev)

describe("The cryptography of the service", () => {
  const sources = globSync("src/**/*.{ts,tsx}", { cwd: new URL("../..", import.meta.url).pathname }).map(read).join(
    "\n"
  )
  const [, table = ""] = read("docs/conformance.md").split("## ASVS V11")

  it("has no other algorithm than the inventory in docs/conformance.md", () => {
    const named = sources.matchAll(/\b(?:create(?:Cipheriv|Decipheriv|Hash|Hmac)|hash|hkdfSync|argon2)\(\s*"([\w-]+)"/g)
    assert.sameMembers([...new Set(named.map(([, name]) => name))], ["aes-256-gcm", "argon2id", "sha256"])
    assert.notMatch(sources, /\b(?:md5|sha-?1)\b|crypto\.subtle|\bpbkdf2/i)
    for (const name of ["AES-256-GCM", "Argon2id", "SHA-256", "HKDF-SHA-256", "HMAC-SHA-256", "scrypt"]) {
      assert.include(table, name)
    }
  })
})

describe("The dependencies of the service", () => {
  it("lists each package in SECURITY.md with a reason", () => {
    const [, section = ""] = read("SECURITY.md").split("## Dependencies")
    const rows = section.split("\n").filter((line) => line.startsWith("| `"))
    const named = rows.flatMap((row) => row.split("|")[1]?.match(/(?<=`)[^`, ]+(?=`)/g) ?? [])
    assert.sameMembers(named, Object.keys(dependencies))
    for (const row of rows) assert.isAbove(row.split("|")[2]?.trim().length ?? 0, 10, row)
  })

  it("is of exact versions, from the registry, with the hash of each", () => {
    for (const [name, version] of Object.entries(dependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+[\w.-]*$/, name)
    }
    assert.isNotEmpty(packages)
    // Also of packages for development and of other platforms, but for two tools that are published for them elsewhere.
    for (const [path, { integrity, resolved }] of locked) {
      if (resolved !== undefined) assert.match(resolved, /^https:\/\/registry\.npmjs\.org\//, path)
      if (integrity === undefined) assert.match(path, /^node_modules\/(?:@dprint|@effect\/tsgo)-?/, path)
      else assert.match(integrity, /^sha512-/, path)
    }
  })

  it("runs no script when it is installed, except the one that installs Node", () => {
    const scripts = packages.filter(([, { hasInstallScript = false }]) => hasInstallScript)
    assert.deepStrictEqual(scripts.map(([path]) => path), ["node_modules/node"])
  })
})
