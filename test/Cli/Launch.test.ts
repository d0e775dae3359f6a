import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { appendFile, cp, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { startFlags } from "../../scripts/StartFlags.ts"

const root = new URL("../..", import.meta.url).pathname

const clone = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "openaccounts-clone-"))
    for (const path of ["src", "dist/service", "package.json", "package-lock.json"]) {
      await cp(join(root, path), join(folder, path), { recursive: true })
    }
    await symlink(join(root, "node_modules"), join(folder, "node_modules"))
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

it.live("a server has the flags of npm start, and with the embedded database it returns large freed blocks", () =>
  Effect.gen(function*() {
    const folder = yield* clone
    const print = "\nconsole.log(JSON.stringify([process.execArgv, process.env.MALLOC_MMAP_THRESHOLD_]))\n"
    yield* Effect.promise(() => appendFile(join(folder, "dist/service/main.js"), print))
    const startWith = (flags: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) =>
      Effect.promise(async () => {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [...flags, "src/launch.js", "serve", "--help"],
          { cwd: folder, env: { PATH: process.env["PATH"], ...settings } }
        )
        return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")
      })

    const limit = process.platform === "linux" ? "4194304" : null
    assert.deepStrictEqual(yield* startWith([], {}), [startFlags, limit])
    assert.deepStrictEqual(yield* startWith(startFlags, {}), [startFlags, limit])
    assert.deepStrictEqual(yield* startWith(startFlags, { DATABASE_URL: "postgres://127.0.0.1/x" }), [startFlags, null])
    assert.deepStrictEqual(yield* startWith([], { MALLOC_MMAP_THRESHOLD_: "65536" }), [startFlags, "65536"])
  }))

it.live("a clone runs its bundle, and its sources once they have changed", () =>
  Effect.gen(function*() {
    const folder = yield* clone
    const version = Effect.promise(async () =>
      (await promisify(execFile)(process.execPath, ["src/launch.js", "--version"], { cwd: folder })).stdout
    )
    const append = (file: string, code: string) => Effect.promise(() => appendFile(join(folder, file), code))

    yield* append("dist/service/main.js", "\nconsole.log(\"bundle\")\n")
    assert.include(yield* version, "bundle")
    yield* append("src/main.ts", "\nconsole.log(\"sources\")\n")
    const changed = yield* version
    assert.include(changed, "sources")
    assert.notInclude(changed, "bundle")
  }))
