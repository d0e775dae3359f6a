import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const folder = new URL("..", import.meta.url).pathname

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.[mt]s$/.test(file) && !file.includes("node_modules"))
  .map((file) => join(folder, file))
  .filter((file) => file !== import.meta.filename)
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]))
const textOf = (file: string) => texts.get(file) ?? ""
const tests = files.filter((file) => file.endsWith(".test.ts"))
const proofs = files.filter((file) => file.endsWith(".prove.ts"))

const linesWith = (where: ReadonlyArray<string>, pattern: RegExp) =>
  where.flatMap((file) =>
    textOf(file).split("\n").flatMap((line, index) =>
      pattern.test(line) ? [`${relative(folder, file)}:${index + 1} ${line.trim()}`] : []
    )
  )

/** What a file imports, below `test` and by package, without `import type`. */
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/^(?:import|export)\s(?!type\s)(?:[^"']*?\sfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm)]
    .map(([, specifier = "", later = ""]) => specifier || later)
    .map((specifier) => specifier.startsWith(".") ? join(dirname(file), specifier) : specifier)

const spawning = /^(?:node:)?(?:child_process|cluster)$|^playwright/

/** All tests may use the Postgres server that they share. */
const postgres = join(folder, "support/PostgresServer.ts")

/** The imports that lead from a file to what starts another program. */
const pathToSpawning = (file: string, seen = new Set<string>()): ReadonlyArray<string> | undefined => {
  if (spawning.test(file)) return [file]
  if (!file.startsWith(folder) || file === postgres || seen.has(file)) return undefined
  seen.add(file)
  for (const imported of importsOf(file)) {
    const path = pathToSpawning(imported, seen)
    if (path !== undefined) return [relative(folder, file), ...path]
  }
  return undefined
}

describe("The test suite", () => {
  it("starts no other program in npm test", () => {
    assert.deepStrictEqual(tests.flatMap((file) => [pathToSpawning(file) ?? []]).filter(({ length }) => length > 0), [])
  })

  it("bounds no gap of the event loop in npm test", () => {
    assert.deepStrictEqual(linesWith(tests, /\blongestHold\b|\bmaxHoldMillis\b/), [])
  })

  it("compares no time that passed with a number", () => {
    const limit = /\bis(?:Below|AtMost)\(.*(?:performance\.now|Date\.now|cpuMillis|hrtime|elapsed\().*,\s*[\d_]+[,)]/
    assert.deepStrictEqual(linesWith([...tests, ...proofs], limit), [])
  })

  it("waits for what it waits for, not for a time", () => {
    const sleep = /\bsetTimeout\(|timers\/promises|withLive\(Effect\.(?:sleep|delay)|Atomics\.wait\(/
    assert.deepStrictEqual(linesWith([...tests, ...proofs], sleep), [])
  })

  it("tries nothing twice", () => {
    assert.deepStrictEqual(linesWith(files, /[{,]\s*retry: \d|\bflakyTest\b/), [])
    assert.notMatch(readFileSync(join(folder, "../vitest.config.ts"), "utf8"), /\bretry\b/)
  })
})
