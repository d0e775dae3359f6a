import { Context, Effect, Exit, Layer, Redacted, Scope, Semaphore } from "effect"
import { randomBytes } from "node:crypto"
import { globSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { eventually } from "../../support/Eventually.ts"
import { LoopbackUpstream } from "../../support/LoopbackUpstream.ts"
import { OwnPostgres } from "../../support/RealPostgres.ts"
import { s3Server } from "../../support/S3Server.ts"
import { type ServerProcess, startServer } from "../../support/ServerProcess.ts"
import { diskAbsence, smallDisk } from "../../support/SmallDisk.ts"
import { tempFolder } from "../../support/TempFolder.ts"
import { makeLink } from "./Link.ts"

/** Of the package `faketime`. Without it the clocks do not jump. */
export const fakeTime: string | undefined = globSync("/usr/lib/{*-linux-gnu/,}faketime/libfaketimeMT.so.1")[0]

/** Of the package `fiu-utils`. Without them no `fsync` fails. */
export const fiu: ReadonlyArray<string> = globSync("/usr/lib/{*-linux-gnu/,}fiu/fiu_{run,posix}_preload.so")

const failingSync = {
  LD_PRELOAD: fiu.join(" "),
  FIU_ENABLE: "enable_random name=posix/io/sync/*,probability=0.02,failinfo=5"
}

type Database = "up" | "down" | "without fsync"

type Settings = Readonly<Record<string, string>>

/** A service with its own network and clock, which is started again after it was killed. */
const makeInstance = Effect.fnUntraced(function*(databaseUrl: string, providerPort: number, settings: Settings) {
  const scope = yield* Effect.scope
  const url = new URL(databaseUrl)
  const database = yield* makeLink(Number(url.port))
  const provider = yield* makeLink(providerPort)
  url.port = `${database.port}`
  const clock = join(yield* tempFolder, "clock")
  const jump = (seconds: number) => Effect.promise(() => writeFile(clock, `${seconds < 0 ? "" : "+"}${seconds}`))
  yield* jump(0)
  const origin = `http://127.0.0.1:${provider.port}`
  const start = Effect.flatMap(tempFolder, (folder) =>
    startServer(folder, {
      ...settings,
      DATABASE_URL: url.href,
      GSC_BASE_URL: `${origin}/gsc`,
      GSHEETS_BASE_URL: `${origin}/gsheets`,
      GOOGLE_TOKEN_URL: `${origin}/token`,
      GOOGLE_CLIENT_ID: "id",
      GOOGLE_CLIENT_SECRET: "secret",
      ...fakeTime === undefined ? {} : {
        LD_PRELOAD: fakeTime,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1"
      }
    })).pipe(Scope.provide(scope))
  const ended: Array<string> = []
  let server = yield* start
  let isUp = true
  const inOrder = Semaphore.makeUnsafe(1).withPermits(1)

  return {
    database,
    provider,
    /** By this many seconds from the true time. */
    jump,
    server: () => server,
    signal: (signal: "SIGSTOP" | "SIGCONT") => server.kill(signal),
    kill: inOrder(Effect.gen(function*() {
      isUp = false
      yield* server.kill("SIGKILL")
      yield* server.ended
    })),
    /** Until it runs: it does not start without its database. */
    restart: inOrder(Effect.gen(function*() {
      if (isUp) return
      ended.push(server.output())
      server = yield* Effect.flatten(eventually(Effect.exit(start), Exit.isSuccess))
      isUp = true
    })),
    output: () => [...ended, server.output()].join("")
  }
})

export type Instance = Effect.Success<ReturnType<typeof makeInstance>>

const makeCluster = Effect.gen(function*() {
  const upstream = yield* LoopbackUpstream.make
  const bucket = yield* s3Server
  const disk = diskAbsence() === "" ? yield* smallDisk(256) : undefined
  const postgres = yield* OwnPostgres.make(
    disk && {
      parent: disk.folder,
      // Small files of the log of transactions, so that it needs a new one soon.
      initFlags: ["--wal-segsize=1"],
      flags: ["-c", "fsync=on", "-c", "min_wal_size=2MB", "-c", "max_wal_size=8MB", "-c", "wal_recycle=off"]
    }
  )
  const url = Redacted.value(yield* postgres.createDatabase)
  const port = Number(new URL(upstream.url).port)
  const settings = {
    ...bucket.settings,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ADMIN_TOKEN: randomBytes(32).toString("base64url"),
    DATABASE_TIMEOUT: "2 seconds",
    QUOTAS: "off",
    RATE_LIMIT: "100000/second"
  }
  const first = yield* makeInstance(url, port, settings)
  const instances = [first, yield* makeInstance(url, port, settings)] as const
  let state: Database = "up"
  const inOrder = Semaphore.makeUnsafe(1).withPermits(1)

  const setDatabase = (wanted: Database) =>
    inOrder(Effect.gen(function*() {
      if (wanted !== state) yield* postgres.stop
      state = wanted
      // Without `fsync` it may end at its start.
      if (wanted === "without fsync") yield* Effect.exit(postgres.startWith(failingSync))
      // A server that a fault has ended starts again, once its processes have gone.
      if (wanted === "up") yield* eventually(Effect.exit(postgres.start), Exit.isSuccess)
    }))

  return {
    upstream,
    instances,
    disk,
    setDatabase,
    /** Ends every fault. Waits until both instances say that they are ready. */
    heal: Effect.gen(function*() {
      yield* disk?.free ?? Effect.void
      yield* setDatabase("up")
      for (const { database, jump, provider, restart, signal } of instances) {
        database.heal()
        provider.heal()
        yield* jump(0)
        yield* signal("SIGCONT")
        yield* restart
      }
      for (const { server } of instances) yield* eventually(isReady(server()), (ready) => ready)
    })
  }
})

const isReady = ({ send }: ServerProcess) =>
  Effect.promise(() => send("GET", "/readyz", "").then(({ status }) => status === 200, () => false))

/** Two services on one database, whose processes, clocks and networks can be broken. */
export class Cluster extends Context.Service<Cluster, Effect.Success<typeof makeCluster>>()(
  "openaccounts/test/Histories/Cluster"
) {
  static readonly layer = Layer.effect(Cluster, makeCluster)
}
