/** Tries mutants of the sources. See `README.md`. */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { makeOrder } from "./Order.ts"
import { findPlaces, type Place, type Planted, sample } from "./Plant.ts"
import { TestProcess } from "./Process.ts"
import type { Failure } from "./Runner.ts"
import { plantTree } from "./Tree.ts"

interface TestFile {
  readonly file: string
  readonly milliseconds: number
  readonly reached: ReadonlyArray<number>
  readonly failures: ReadonlyArray<Failure>
}

interface Tried extends Planted {
  readonly status?: "killed" | "survived" | "unreached"
  readonly killedBy?: Failure
  readonly tried?: number
  readonly covering?: number
}

interface Results {
  readonly files: ReadonlyArray<TestFile>
  readonly mutants: ReadonlyArray<Tried>
}

const root = join(import.meta.dirname, "../..")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    against: { type: "string" },
    sample: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    sources: { type: "string", default: root },
    tests: { type: "string", default: root },
    skip: { type: "string", default: "^$" },
    seconds: { type: "string" },
    workers: { type: "string", default: "1" }
  }
})
const { against, out } = values
const sources = resolve(values.sources)
const tests = resolve(values.tests)
if (out === undefined) throw new Error("Say where the results go: --out <file>")
const folders = positionals.length > 0
  ? positionals
  : ["src/Calls", "src/Connections/Bounds", "src/Auth", "src/Secrets/Redaction"]
// A survivor that was killed before is worth all test files that reach it.
const seconds = Number(values.seconds ?? (against === undefined ? 60 : Infinity))
const only = values.only?.split(",").map(Number)

const read = (file: string): Results => JSON.parse(readFileSync(file, "utf8"))
const readIn = (folder: string) => (file: string) => readFileSync(join(folder, file), "utf8")
const say = (line: string) => process.stdout.write(`${line}\n`)

const places = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: sources })).toSorted()
  .flatMap((file) => findPlaces(file, readIn(sources)(file)))

const nameOf = ({ file, kind, nth, what, within }: Place) => JSON.stringify([file, kind, what, within, nth])

/** The same mutants in the sources of now. */
const findAgain = (mutants: ReadonlyArray<Planted>): ReadonlyArray<Planted> => {
  const known = new Map(places.map((place) => [nameOf(place), place]))
  return mutants.flatMap((mutant) => {
    const place = known.get(nameOf(mutant))
    if (place !== undefined) return { ...place, id: mutant.id }
    say(`gone ${mutant.id} ${mutant.file} ${mutant.what}`)
    return []
  })
}

const chooseMutants = (): ReadonlyArray<Planted> =>
  against === undefined
    ? sample(places, Number(values.sample), values.seed).map((place, index) => ({ ...place, id: index + 1 }))
    : findAgain(read(against).mutants.filter(({ status }) => status === "killed"))

const stored: Results = existsSync(out) ? read(out) : { files: [], mutants: chooseMutants() }
const before = new Map((against === undefined ? stored : read(against)).mutants.map((mutant) => [mutant.id, mutant]))
const storedById = new Map(stored.mutants.map((mutant) => [mutant.id, mutant]))
let results: Results = {
  files: stored.files,
  mutants: findAgain(stored.mutants).map((mutant) => ({ ...storedById.get(mutant.id), ...mutant }))
}
const save = () => writeFileSync(out, JSON.stringify(results, null, 1))

const tree = plantTree(sources, tests, results.mutants)
process.once("exit", () => rmSync(tree, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))

const skipped = new RegExp(values.skip)
const isSkipped = (file: string) => {
  const imports = readIn(tree)(file).match(/(?<=from |import\()"[^"]+"/g) ?? []
  return skipped.test([file, ...imports].join("\n"))
}

const reachedIn = (log: string): ReadonlyArray<number> =>
  existsSync(log) ? [...new Set(readFileSync(log, "utf8").split("\n").filter(Boolean).map(Number))] : []

const mapFile = async (tests: TestProcess, file: string): Promise<TestFile> => {
  const log = join(tree, `${file}.reached`)
  const report = await tests.run(
    { files: [file], env: { MUTANT: "0", MUTANTS_REACHED: log }, timeout: 300_000 },
    900_000
  )
  if (typeof report === "string" || "files" in report) {
    return { file, milliseconds: 0, reached: [], failures: [{ file, test: "", message: String(report) }] }
  }
  return { file, milliseconds: Math.round(report.milliseconds), reached: reachedIn(log), failures: report.failures }
}

const milliseconds = (files: ReadonlyArray<TestFile>) => files.reduce((sum, file) => sum + file.milliseconds, 0)

const groupsOf = (files: ReadonlyArray<TestFile>): ReadonlyArray<ReadonlyArray<TestFile>> => {
  const groups: Array<Array<TestFile>> = []
  for (const file of files) {
    const last = groups.at(-1)
    if (last !== undefined && milliseconds(last) < 3000 * groups.length) last.push(file)
    else groups.push([file])
  }
  return groups
}

const tryMutant = async (
  tests: TestProcess,
  mutant: Planted,
  orderOf: ReturnType<typeof makeOrder>
): Promise<Tried> => {
  const killer = before.get(mutant.id)?.killedBy?.file
  const order = orderOf(mutant)
  const covering = results.files.filter(({ failures, file, reached }) =>
    failures.length === 0 && reached.includes(mutant.id) && !isSkipped(file)
  )
    .toSorted((one, other) => Number(other.file === killer) - Number(one.file === killer) || order(one, other))
  const chosen = covering.filter((_, index) =>
    index === 0 || milliseconds(covering.slice(0, index + 1)) <= seconds * 1000
  )
  const log = join(tree, `${mutant.id}.reached`)
  const env = { MUTANT: `${mutant.id}`, MUTANTS_REACHED: log }
  const figures = { tried: chosen.length, covering: covering.length }
  for (const group of groupsOf(chosen)) {
    const files = group.map(({ file }) => file)
    const timeout = 15_000 + 3 * Math.max(...group.map((file) => file.milliseconds))
    const report = await tests.run({ files, env, timeout }, 60_000 + 5 * milliseconds(group))
    const failures = typeof report === "string"
      ? [{ file: files.join(" "), test: "", message: report }]
      : "failures" in report
      ? report.failures
      : []
    const [killedBy] = failures
    if (killedBy !== undefined) return { ...mutant, status: "killed", killedBy, ...figures }
  }
  return { ...mutant, status: reachedIn(log).includes(mutant.id) ? "survived" : "unreached", ...figures }
}

const processes = Array.from({ length: Number(values.workers) }, () => new TestProcess(tree))

const each = async <A>(items: ReadonlyArray<A>, run: (tests: TestProcess, item: A) => Promise<void>) => {
  const left = [...items]
  await Promise.all(processes.map(async (tests) => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(tests, item)
  }))
}

try {
  await processes[0]?.start()
  const files = (processes[0]?.files ?? []).filter((file) =>
    !isSkipped(file) && !results.files.some((known) => known.file === file)
  )
  say(`${results.mutants.length} mutants; which of them do ${files.length} test files reach?`)
  await each(files, async (tests, file) => {
    const mapped = await mapFile(tests, file)
    results = { ...results, files: [...results.files, mapped] }
    save()
    const [failure] = mapped.failures
    if (failure !== undefined) say(`Not used, because it fails without a mutant: ${file}: ${failure.message}`)
  })
  const pending = results.mutants.filter(({ id, status }) => only?.includes(id) ?? status === undefined)
  say(`Trying ${pending.length} mutants`)
  const order = makeOrder(results.files, readIn(tree), readIn(sources))
  await each(pending, async (tests, mutant) => {
    const tried = await tryMutant(tests, mutant, order)
    results = { ...results, mutants: results.mutants.map((other) => other.id === mutant.id ? tried : other) }
    save()
    say(`${tried.id} ${tried.status} ${tried.file}:${tried.line} ${tried.what}`)
  })
} finally {
  await Promise.all(processes.map((tests) => tests.stop()))
}

const byStatus = Map.groupBy(results.mutants, ({ status }) => status)
say([...byStatus].map(([status, { length }]) => `${length} ${status}`).join(", "))
const alive = (byStatus.get("survived") ?? []).concat(byStatus.get("unreached") ?? [])
for (const { file, id, kind, line, status, what } of alive) say(`${status} ${id} ${file}:${line} ${kind}: ${what}`)
if (against !== undefined && alive.length > 0) process.exitCode = 1
