import { Context, Effect, Layer } from "effect"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "../../scripts/FreePort.ts"
import { tempFolder } from "./TempFolder.ts"

/** ClickHouse's engine for Node. It has 540 MB, so `npm ci` does not install it, and clones share it. */
const version = "3.4.0"

const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "openaccounts")

const installLimit = 120_000

const install = async (): Promise<string> => {
  const folder = join(cache, `chdb-${version}`)
  const module = join(folder, "node_modules", "chdb")
  if (existsSync(module)) return module
  await mkdir(cache, { recursive: true })
  const staged = await mkdtemp(`${folder}.`)
  try {
    const args = ["install", "--prefix", staged, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"]
    await promisify(execFile)("npm", [...args, `chdb@${version}`], { cwd: staged, timeout: installLimit })
    // A concurrent run may have installed it.
    await rename(staged, folder).catch(() => undefined)
  } catch (cause) {
    throw new Error(`chdb@${version}, which tests ClickHouse, could not be installed from npm`, { cause })
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
  return module
}

const start = async (module: string, folder: string, port: number): Promise<ChildProcess> => {
  const script = new URL("ChdbServer.mjs", import.meta.url).pathname
  const child = spawn(process.execPath, [script, module, folder, `${port}`], { stdio: ["ignore", "pipe", "inherit"] })
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => {
      throw new Error("ClickHouse's engine ended at its start")
    })
  ])
  return child
}

/** ClickHouse's engine behind HTTP, with an empty database. It can go away and come back. */
export class ClickHouseServer extends Context.Service<ClickHouseServer, {
  readonly url: string
  readonly stop: Effect.Effect<void>
  /** Unless it runs. */
  readonly restart: Effect.Effect<void>
}>()("openaccounts/test/ClickHouseServer") {
  static readonly layer = Layer.effect(
    ClickHouseServer,
    Effect.gen(function*() {
      const module = yield* Effect.promise(install)
      const folder = yield* tempFolder
      const port = yield* Effect.promise(freePort)
      const begin = () => start(module, join(folder, "data"), port)
      let child = yield* Effect.promise(begin)
      const stop = Effect.promise(async () => {
        if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await once(child, "exit")
      })
      yield* Effect.addFinalizer(() => stop)
      const url = `http://test:secret@127.0.0.1:${port}/openaccounts`
      yield* Effect.promise(async () => {
        const created = await fetch(`http://127.0.0.1:${port}/`, {
          method: "POST",
          body: "CREATE DATABASE openaccounts"
        })
        if (!created.ok) throw new Error(await created.text())
      })
      return {
        url,
        stop,
        restart: Effect.promise(async () => {
          if (child.exitCode !== null || child.signalCode !== null) child = await begin()
        })
      }
    })
  )
}
