/**
 * Keeps months of the sandbox's large property while instances crash, and compares every file with the data that the
 * sandbox made. `README.md` says what it prints.
 */
import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect, FileSystem, Record, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { randomBytes } from "node:crypto"
import { addDays, pacificTime, today } from "../../src/Providers/Tooling/DateWindow.ts"
import { oauthClients } from "../../src/Sandbox/Identity/Identity.ts"
import { s3Server } from "../../test/support/S3Server.ts"
import { startProcess } from "../bench/NodeProcess.ts"
import { cpuTime } from "../bench/ProcessStats.ts"
import { heapFlags, mallocSettings } from "../HeapFlags.ts"
import { startInstance } from "./Instance.ts"
import { service } from "./Service.ts"
import { compare } from "./Truth.ts"

class ProofFailed extends Data.TaggedError("ProofFailed")<{ readonly message: string }> {}

const positive = Schema.Int.check(Schema.isGreaterThan(0))

const flags = {
  days: Flag.Int("days").pipe(
    Flag.withSchema(positive),
    Flag.withDescription("Days to keep; 16 months are 487"),
    Flag.withDefault(40)
  ),
  crashEvery: Flag.Int("crash-every").pipe(
    Flag.withSchema(positive),
    Flag.withDescription("Seconds between two crashes, of each instance in turn"),
    Flag.withDefault(20)
  ),
  dimensions: Flag.String("dimension").pipe(
    Flag.atLeast(0),
    Flag.withDescription("Dimension of the report, instead of query and page; repeatable")
  ),
  datasets: Flag.Int("datasets").pipe(
    Flag.withSchema(positive),
    Flag.withDescription("Datasets of the property at the same time"),
    Flag.withDefault(1)
  ),
  embedded: Flag.Boolean("embedded").pipe(
    Flag.withDefault(false),
    Flag.withDescription("One instance that has the database and the sandbox in its process, without crashes")
  )
}

const adminToken = randomBytes(32).toString("base64url")

const common = {
  ADMIN_TOKEN: adminToken,
  ENCRYPTION_KEYS: `proof:${randomBytes(32).toString("base64")}`,
  SANDBOX_QUOTAS: "on",
  LOG_LEVEL: "warn"
}

/** Two instances on Postgres and a bucket. The providers are another process, so that memory and CPU are the service's. */
const onPostgres = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const database = yield* startProcess({
    script: "scripts/bench/Postgres.ts",
    args: [yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-postgres-" }), "proof"]
  })
  const providers = yield* startProcess({ script: "scripts/datasets/Providers.ts", nodeArgs: heapFlags })
  const bucket = yield* s3Server
  const settings = {
    ...common,
    ...bucket.settings,
    DATABASE_URL: `${database.url}/proof`,
    ...mallocSettings.postgres,
    GOOGLE_CLIENT_ID: oauthClients.google.id,
    GOOGLE_CLIENT_SECRET: oauthClients.google.secret,
    GSC_BASE_URL: `${providers.url}/gsc`,
    GOOGLE_TOKEN_URL: `${providers.url}/googleToken`
  }
  const instances = [yield* startInstance(settings), yield* startInstance(settings)]
  return { instances, others: { database: database.pid, providers: providers.pid } }
})

const embedded = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const instance = yield* startInstance({
    ...common,
    DATA_DIR: yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-proof-" }),
    ...mallocSettings.embedded,
    PROVIDER_MODE: "sandbox"
  })
  return { instances: [instance], others: {} }
})

const at = (sorted: ReadonlyArray<number>, share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)

const waitsOf = (waits: ReadonlyArray<number>) => {
  const sorted = waits.toSorted((one, other) => one - other)
  return `p50 ${at(sorted, 0.5)} ms, p95 ${at(sorted, 0.95)} ms`
}

/** As long as the start of an instance takes, and until another one takes its datasets over. */
const secondsOfCrash = 20

const proof = Command.make("proof", flags, (options) =>
  Effect.gen(function*() {
    const dimensions = options.dimensions.length === 0 ? ["query", "page"] : options.dimensions
    const { instances, others } = yield* options.embedded ? embedded : onPostgres
    const usedBy = Effect.map(
      Effect.forEach(instances, ({ used }) => used),
      (used) => ({
        memory: used.map(({ memory }) => Math.round(memory)),
        cpu: used.reduce((sum, { cpu }) => sum + cpu, 0)
      })
    )
    const oa = service(instances.map(({ url }) => url), adminToken)
    const account = yield* Effect.promise(oa.connect)
    const now = yield* today(pacificTime)
    const since = addDays(now, -options.days)
    const before: Array<number> = []
    while (before.length < 20) before.push(yield* Effect.promise(() => oa.call(account)))
    const idle = yield* usedBy
    const usedByOthers = Effect.all(Record.map<string, number, ReturnType<typeof cpuTime>>(others, cpuTime))
    const othersBefore = yield* usedByOthers
    const requestsBefore = (yield* Effect.promise(() => oa.used(account.key))).day
    yield* Console.log(`idle: ${idle.memory.join(" and ")} MB`)

    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1000
    const ids = yield* Effect.promise(() =>
      Promise.all(Array.from({ length: options.datasets }, () => oa.create(account.connection, since, dimensions)))
    )
    const rates: Array<number> = []
    const watch = Effect.gen(function*() {
      for (let count = 1;; count++) {
        yield* Effect.sleep("1 second")
        const all = yield* Effect.promise(() => Promise.all(ids.map(oa.dataset)))
        const rate = (yield* Effect.promise(() => oa.used(account.key))).minute * 60 / Math.min(60, seconds())
        rates.push(rate)
        const isEnded = all.every(({ status }) => status !== "running")
        if (count % 5 > 0 && !isEnded) continue
        const { memory } = yield* usedBy
        yield* Console.log(
          `${seconds().toFixed(0)} s: ${all.map(({ days }) => days.done + days.capped).join("+")} days, ` +
            `${all.reduce((sum, { rows }) => sum + rows, 0)} rows, ${rate.toFixed(0)} requests/min, ` +
            `${memory.join(" and ")} MB${all.flatMap(({ last_error }) => last_error?.message ?? []).join(" ")}`
        )
        if (isEnded) return
      }
    })
    let crashedAt = -Infinity
    const crashes = Effect.gen(function*() {
      for (let count = 0;; count++) {
        yield* Effect.sleep(`${options.crashEvery} seconds`)
        crashedAt = seconds()
        yield* instances[count % instances.length]?.crash ?? Effect.void
        yield* Console.log(`${seconds().toFixed(0)} s: SIGKILL`)
      }
    })
    const waits: Array<number> = []
    const afterCrash: Array<number> = []
    const calls = Effect.gen(function*() {
      for (;;) {
        const wait = yield* Effect.promise(() => oa.call(account))
        waits.push(wait)
        if (seconds() - crashedAt < secondsOfCrash) afterCrash.push(wait)
        yield* Effect.sleep("1 second")
      }
    })
    yield* Effect.raceFirst(watch, options.embedded ? calls : Effect.raceFirst(calls, crashes))
    const took = seconds()

    const used = yield* usedBy
    const requests = (yield* Effect.promise(() => oa.used(account.key))).day - requestsBefore - waits.length
    const cpu = Object.entries({
      service: used.cpu - idle.cpu,
      ...Record.map(yield* usedByOthers, (cpu, name) => cpu - (othersBefore[name] ?? 0))
    })
    const compared = { rows: 0, missing: 0, twice: 0, partial: 0, wrong: 0 }
    const capped: Array<string> = []
    const problems: Array<string> = []
    for (const id of ids) {
      const days = yield* Effect.promise(() => oa.days(id))
      if (days.length !== options.days) problems.push(`${id} has ${days.length} days`)
      for (const { coverage, day, rows, status } of days) {
        const file = yield* Effect.promise(() => oa.file(id, day))
        const found = yield* Effect.promise(() => compare(file, day, now, dimensions))
        if (status === "capped") {
          capped.push(
            `${day} (${rows} of ${rows + found.missing} rows, ${found.partial} of them in part, coverage ${coverage})`
          )
        } else {
          compared.missing += found.missing
          compared.partial += found.partial
        }
        if (status !== "capped" && status !== "done") problems.push(`${day} is ${status}`)
        if (found.rows !== rows) problems.push(`${day} has ${found.rows} rows, not ${rows}`)
        compared.rows += found.rows
        compared.twice += found.twice
        compared.wrong += found.wrong
      }
    }
    const sortedRates = rates.toSorted((one, other) => one - other)
    yield* Console.log([
      "",
      `days: ${ids.length * options.days} in ${took.toFixed(0)} s`,
      `rows: ${compared.rows}, missing ${compared.missing}, twice ${compared.twice}, ` +
      `in part ${compared.partial}, wrong ${compared.wrong}`,
      `capped: ${capped.join(", ") || "none"}`,
      `requests/min: at the end ${Math.round(rates.at(-1) ?? 0)}, ` +
      `median ${at(sortedRates, 0.5)}, most ${at(sortedRates, 1 - 1e-9)}`,
      `calls: ${waits.length}, ${waitsOf(waits)}, before the run ${waitsOf(before)}`,
      `after a crash: ${afterCrash.length}, ${waitsOf(afterCrash)}`,
      `memory: ${used.memory.join(" and ")} MB`,
      `cores: ${cpu.map(([name, cpu]) => `${name} ${(cpu / took / 1000).toFixed(2)}`).join(", ")}`,
      // The units that a killed instance held count as used.
      ...crashedAt > 0 ? [] : [
        `CPU of each of ${requests} requests: ${
          cpu.map(([name, cpu]) => `${name} ${Math.round(cpu / requests)} ms`).join(", ")
        }`
      ]
    ].join("\n"))
    const { missing, partial, twice, wrong } = compared
    if (missing + partial + twice + wrong > 0) problems.push("rows differ")
    if (problems.length > 0) return yield* new ProofFailed({ message: problems.join("\n") })
  }))

Command.run(proof, { version: "1" }).pipe(
  Effect.scoped,
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
