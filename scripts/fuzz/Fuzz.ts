/** See README.md. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { rolldown } from "rolldown"
import { sourceUrls } from "../bundle/Bundle.ts"
import type { Target } from "./Target.ts"
import { targets } from "./Targets.ts"

const jazzerPackage = "@jazzer.js/core@4.0.0"

const root = join(import.meta.dirname, "../..")
const folder = join(root, "node_modules/.cache/fuzz")
const bundled = join(folder, "bundle")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "60" }, jazzer: { type: "string" } }
})

/** Jazzer instruments JavaScript alone. Packages stay where they are. */
const bundle = async (): Promise<void> => {
  const built = await rolldown({
    input: join(import.meta.dirname, "Entry.ts"),
    platform: "node",
    external: /^[^./]/,
    checks: { ineffectiveDynamicImport: false },
    plugins: [sourceUrls(bundled, new RegExp(`^${RegExp.escape(root)}`))]
  })
  await built.write({ dir: bundled, format: "esm", cleanDir: true })
  await built.close()
}

/** Packages that parse what is fuzzed. */
const instrumented = [bundled, "@jmespath-community", "mdast-util", "micromark"]

const jazzer = (args: ReadonlyArray<string>): readonly [string, ReadonlyArray<string>] =>
  values.jazzer === undefined
    ? ["npx", ["--yes", `--package=${jazzerPackage}`, "jazzer", ...args]]
    : [process.execPath, [values.jazzer, ...args]]

const write = (line: string) => process.stdout.write(`${line}\n`)

/** Runs a target, and writes its statistics and the input that it fails on. Returns whether it fails on none. */
const run = async (name: string, target: Target): Promise<boolean> => {
  const [corpus, crashes] = [join(folder, "corpus", name), join(folder, "found", name)]
  await rm(crashes, { recursive: true, force: true })
  for (const path of [corpus, crashes]) await mkdir(path, { recursive: true })
  for (const [index, seed] of target.seeds.entries()) await writeFile(join(corpus, `seed-${index}`), seed)
  const [program, args] = jazzer([
    join(bundled, "Entry.js"),
    corpus,
    ...instrumented.flatMap((part) => ["-i", part]),
    "-e",
    "nothing",
    ...target.isAsync === true ? [] : ["--sync"],
    // In milliseconds. A busy machine needs seconds to open a database.
    "--timeout",
    "60000",
    "--",
    `-max_total_time=${values.seconds}`,
    "-max_len=600",
    "-rss_limit_mb=3000",
    `-artifact_prefix=${crashes}/`
  ])
  const env = { ...process.env, FUZZ_TARGET: name }
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] })
  let output = ""
  child.stderr.on("data", (part: Buffer) => output += part.toString())
  const [code] = await once(child, "close")
  const statistics = output.match(/#\d+\s+\w+\s+cov: .*/g) ?? []
  write(`${name}: from ${statistics[0]}\n${" ".repeat(name.length)}    to ${statistics.at(-1)}`)
  if (code === 0) return true
  write(output.slice(-2000))
  for (const file of await readdir(crashes)) {
    write(`${name} fails on ${JSON.stringify(await readFile(join(crashes, file), "utf8"))}`)
  }
  return false
}

await bundle()
const results: Array<boolean> = []
for (const [name, load] of Object.entries(targets)) {
  if (positionals.length === 0 || positionals.includes(name)) results.push(await run(name, await load()))
}
process.exitCode = results.length > 0 && results.every(Boolean) ? 0 : 1
