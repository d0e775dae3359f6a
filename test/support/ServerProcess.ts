import { Effect, Schedule, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { heapFlags } from "../../scripts/HeapFlags.ts"
import type { CreateConnection } from "../../src/Domain/Connection.ts"
import type { ApiClient } from "./ApiClient.ts"
import { type Seed, seed, TestServer } from "./TestServer.ts"

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
}

interface Process {
  readonly pid: number
  readonly output: () => string
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  readonly ended: Effect.Effect<Ended>
}

export interface ServerProcess extends Process {
  readonly url: string
  readonly bootMillis: number
  /** Rejects if the connection breaks before the end of the response. */
  readonly send: (
    method: string,
    path: string,
    key: string,
    body?: unknown
  ) => Promise<{ readonly status: number; readonly text: string }>
  readonly admin: ApiClient
  readonly adminToken: string
  readonly seed: (connection?: Partial<CreateConnection>) => Effect.Effect<Seed>
}

export interface Program {
  readonly folder: string
  readonly args: ReadonlyArray<string>
}

export const here: Program = {
  folder: new URL("../..", import.meta.url).pathname,
  args: ["dist/service/main.js", "serve"]
}

/** The last: optimizing the embedded database takes a fifth of the CPU time of a start, which short runs do not earn back. */
const flags = [...heapFlags, "--liftoff-only"]

/** A shared compile cache saves a third of the start time. */
const compiled = join(here.folder, "node_modules", ".cache", "openaccounts-compiled")

const start = (
  settings: Readonly<Record<string, string>>,
  { args, folder }: Program = here
): Effect.Effect<Process, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(process.execPath, folder === here.folder ? [...flags, ...args] : args, {
          cwd: folder,
          env: {
            PATH: process.env["PATH"],
            HOST: "127.0.0.1",
            PORT: "0",
            ...(folder === here.folder ? { NODE_COMPILE_CACHE: compiled } : {}),
            ...settings
          },
          stdio: ["ignore", "pipe", "pipe"]
        })
        let output = ""
        child.stdout.setEncoding("utf8").on("data", (text: string) => output += text)
        child.stderr.setEncoding("utf8").on("data", (text: string) => output += text)
        const closed = new Promise<void>((resolve) => child.once("close", () => resolve()))
        return { child, closed, output: () => output }
      }),
      ({ child, closed }) => Effect.promise(() => (child.kill("SIGKILL"), closed))
    ),
    ({ child, closed, output }) => ({
      pid: child.pid ?? 0,
      output,
      kill: (signal) => Effect.sync(() => void child.kill(signal)),
      ended: Effect.promise(async () => {
        await closed
        return { ...exitStatus(child), output: output() }
      })
    })
  )

const exitStatus = ({ exitCode, signalCode }: ChildProcess) => ({ code: exitCode, signal: signalCode })

export const runServer = (settings: Readonly<Record<string, string>>) =>
  Effect.scoped(Effect.flatMap(start(settings), ({ ended }) => ended))

export const runProgram = (args: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) =>
  Effect.scoped(
    Effect.flatMap(start(settings, { ...here, args: ["dist/service/main.js", ...args] }), ({ ended }) => ended)
  )

/** Waits for the address. Dies with the process's output if it ends before. */
export const startServer = Effect.fnUntraced(function*(
  folder: string,
  settings: Readonly<Record<string, string>>,
  program?: Program
) {
  const startedAt = performance.now()
  const server = yield* start({ DATA_DIR: folder, ...settings }, program)
  const url = yield* Effect.raceFirst(
    Effect.repeat(Effect.sync(() => /(?:listens on|runs at) (http:\S+)/.exec(server.output())?.[1]), {
      until: (url) => url !== undefined,
      schedule: Schedule.spaced("5 millis"),
      times: 40_000
    }),
    Effect.flatMap(server.ended, ({ output }) => Effect.die(new Error(`The server ended at its start:\n${output}`)))
  )
  if (url === undefined) return yield* Effect.die(new Error(`The server does not listen:\n${server.output()}`))
  const bootMillis = performance.now() - startedAt

  const send: ServerProcess["send"] = async (method, path, key, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, text: await response.text() }
  }
  const adminToken = settings["ADMIN_TOKEN"] ??
    (yield* Effect.promise(() => readFile(join(folder, "admin-token"), "utf8"))).trim()
  const client = TestServer.at(url, adminToken)
  const self: ServerProcess = {
    ...server,
    url,
    bootMillis,
    send,
    admin: client.admin,
    adminToken,
    seed: (connection) => Effect.provideService(seed(connection), TestServer, client)
  }
  return self
})
