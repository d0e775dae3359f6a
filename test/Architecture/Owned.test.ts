import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { advisoryLock } from "../../src/Sql/AdvisoryLock.ts"

const src = new URL("../../src", import.meta.url).pathname

const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(src, file), "utf8"))

const matches = (pattern: RegExp) =>
  sources.flatMap((source) => [...source.matchAll(pattern)].map(([, ...found]) => found))

/** Written by the caches, which miss without their keys and need no rotation. */
const cached = ["responses"]

describe("What owners declare", () => {
  it("no two locks have the same number", () => {
    const locks = matches(/= advisoryLock\("(\w+)"(?:, ([\d_]+))?\)/g).map(([name = "", number]) =>
      number === undefined ? advisoryLock(name) : advisoryLock(name, Number(number.replaceAll("_", "")))
    )
    assert.strictEqual(locks.length, matches(/ advisoryLock\(/g).length)
    assert.strictEqual(new Set(locks.map(({ number }) => number)).size, locks.length)
  })

  it("a rotation of the keys re-encrypts every table with encrypted data", () => {
    const tables = matches(/CREATE TABLE (\w+) \(([^]*?)\n\s*\)/g)
      .flatMap(([table, columns = ""]) => /^\s+encryption_key_id /m.test(columns) ? [table] : [])
    const declared = matches(/table: "(\w+)",\s+(?:id: [^\n]*\s+)?bytes: "/g).flat()
    assert.sameMembers(tables.filter((table) => !cached.includes(`${table}`)), declared)
  })

  it("every declaration of encrypted data is in the core's list or a feature's", () => {
    const lists = matches(/\bsecrets(?:: ReadonlyArray<StoredSecrets<[^>]*>> =|:) \[([^\]]*)\]/g)
    const listed: ReadonlyArray<string> = `${lists}`.match(/\w+/g) ?? []
    const declared = matches(/^export const (\w+): StoredSecrets\b/gm).flat()
    assert.deepStrictEqual(declared.filter((name) => !listed.includes(`${name}`)), [])
  })
})
