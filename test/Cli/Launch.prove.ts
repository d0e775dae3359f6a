import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { heapFlags, mallocSettings } from "../../scripts/HeapFlags.ts"
import { eventually } from "../support/Eventually.ts"
import { here, runProgram, startServer } from "../support/ServerProcess.ts"

const root = new URL("../..", import.meta.url).pathname

/** A clone whose bundle prints how it was started. */
const clone = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "openaccounts-clone-"))
    await cp(join(root, "bin"), join(folder, "bin"), { recursive: true })
    await symlink(join(root, "src"), join(folder, "src"))
    await mkdir(join(folder, "dist/service"), { recursive: true })
    const print = "const { MALLOC_ARENA_MAX: arenas, MALLOC_MMAP_THRESHOLD_: threshold } = process.env;" +
      "console.log(JSON.stringify([process.argv.slice(2), process.execArgv, { arenas, threshold }]))"
    await writeFile(join(folder, "dist/service/main.js"), print)
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

const start = (folder: string, env: Readonly<Record<string, string | undefined>>) =>
  Effect.promise(async () => {
    const program = join(folder, "bin/openaccounts")
    const { stdout } = await promisify(execFile)(program, ["serve", "a b"], {
      env: { PATH: process.env["PATH"], ...env }
    })
    const started: unknown = JSON.parse(stdout)
    return started
  })

it.live("a start has the heap's flags, and by the database the limits of the C library", () =>
  Effect.gen(function*() {
    const folder = yield* clone
    yield* Effect.promise(() => symlink(join(root, "node_modules"), join(folder, "node_modules")))
    const args = ["serve", "a b"]
    const flags = ["--max-semi-space-size=16", "--heap-growing-percent=100", "--no-allocation-site-pretenuring"]
    assert.deepStrictEqual<ReadonlyArray<string>>(heapFlags, flags)
    const dockerfile = yield* Effect.promise(() => readFile(join(root, "scripts/docker/Dockerfile"), "utf8"))
    assert.include(dockerfile, flags.map((flag) => `"${flag}"`).join(", "))
    assert.deepStrictEqual<Readonly<Record<string, Readonly<Record<string, string>>>>>(mallocSettings, {
      embedded: { MALLOC_MMAP_THRESHOLD_: "1048576" },
      postgres: { MALLOC_ARENA_MAX: "2" }
    })
    assert.deepStrictEqual(yield* start(folder, {}), [args, flags, { threshold: "1048576" }])
    assert.deepStrictEqual(yield* start(folder, { DATABASE_URL: "postgres://127.0.0.1/x" }), [args, flags, {
      arenas: "2"
    }])
    assert.deepStrictEqual(yield* start(folder, { MALLOC_MMAP_THRESHOLD_: "65536" }), [args, flags, {
      threshold: "65536"
    }])
  }))

it.live("a start without the dependency `node` says what the machine's own lacks", () =>
  Effect.gen(function*() {
    const folder = yield* clone
    const older = join(folder, "older")
    yield* Effect.promise(async () => {
      await mkdir(older)
      await writeFile(join(older, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
    })
    assert.isArray(yield* start(folder, {}))
    const failed = yield* Effect.promise(() =>
      promisify(execFile)(join(folder, "bin/openaccounts"), ["serve"], { env: { PATH: `${older}:/usr/bin:/bin` } })
        .catch((error: unknown) => error)
    )
    assert.deepInclude(failed, { code: 2, stdout: "" })
    assert.include(Object(failed).stderr, "needs Node 24 or later")
  }))

it.live("the demo needs no folder, and ends with a sentence when the port is in use", () =>
  Effect.gen(function*() {
    const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "openaccounts-demo-")))
    const program = { ...here, args: ["dist/service/main.js", "demo"] }
    const first = yield* startServer(`${folder}/demo`, { DATA_DIR: folder }, program)
    yield* eventually(Effect.sync(first.output), (output) => output.includes("5 connection(s) are ready"))
    const { port } = new URL(first.url)
    assert.deepStrictEqual(yield* runProgram(["demo"], { DATA_DIR: `${folder}/other`, PORT: port }), {
      code: 2,
      signal: null,
      output: `Error: Port ${port} of 127.0.0.1 is in use. ` +
        "Stop what listens there, or set PORT to another port, or to 0 for any.\n"
    })
  }))
