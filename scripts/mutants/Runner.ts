/** A process of a planted copy, which runs test files for `Run.ts`. Each run has a thread of its own, so no module is old. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import process from "node:process"
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from "vitest/node"

export interface Job {
  readonly files: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly timeout: number
}

export interface Failure {
  readonly file: string
  readonly test: string
  readonly message: string
}

export type Report =
  | { readonly files: ReadonlyArray<string>; readonly temporary: string }
  | { readonly milliseconds: number; readonly failures: ReadonlyArray<Failure> }

const root = join(import.meta.dirname, "../..")

class AsGiven extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    return files
  }
}

const vitest = await createVitest({
  root,
  watch: false,
  silent: true,
  reporters: [{}],
  cache: false,
  bail: 1,
  maxWorkers: 1,
  sequence: { sequencer: AsGiven, seed: 1 }
})

// `Run.ts` removes it when it has ended this process in the midst of a test. Postgres runs as another user.
const temporary = mkdtempSync(join(tmpdir(), "openaccounts-mutants-"))
chmodSync(temporary, 0o755)
process.env["TMPDIR"] = temporary

const send = (report: Report) => process.connected && process.send?.(report)

// Others need servers and browsers.
const specifications = new Map(
  (await vitest.globTestSpecifications()).map((found) => [relative(root, found.moduleId), found] as const)
    .filter(([file]) => file.endsWith(".test.ts"))
)

const firstLine = (text: string | undefined) => (text ?? "").split("\n", 1).join("").slice(0, 200)

/** Without the time in which the shared servers start. */
const duration = (modules: ReadonlyArray<TestModule>) =>
  modules.map((module) => module.diagnostic())
    .reduce((sum, { collectDuration, duration, setupDuration }) => sum + collectDuration + duration + setupDuration, 0)

const run = async ({ env, files, timeout }: Job): Promise<Report> => {
  Object.assign(process.env, env)
  for (const { config } of vitest.projects) config.testTimeout = config.hookTimeout = timeout
  // Otherwise the results of earlier runs would be among those of this one.
  vitest.state.filesMap.clear()
  const chosen = files.flatMap((file) => specifications.get(file) ?? [])
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen)
  const failures = testModules.flatMap((module): ReadonlyArray<Failure> => {
    const file = relative(root, module.moduleId)
    const ofTests = [...module.children.allTests("failed")].map((test) => ({
      file,
      test: test.fullName,
      message: firstLine(test.result().errors?.[0]?.message)
    }))
    const suites = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors())
    return [...ofTests, ...suites.map(({ message }) => ({ file, test: "", message: firstLine(message) }))]
  })
  const unhandled = unhandledErrors.map((error) => ({ file: "", test: "", message: firstLine(String(error)) }))
  return { milliseconds: duration(testModules), failures: [...failures, ...unhandled] }
}

process.on("message", (job: Job) => void run(job).then(send))
process.once("disconnect", () =>
  void vitest.close().finally(() => {
    rmSync(temporary, { recursive: true, force: true })
    process.exit()
  }))
send({ files: [...specifications.keys()].toSorted(), temporary })
