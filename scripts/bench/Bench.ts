/**
 * How fast the service is, on a throw-away Postgres and on the embedded database, next to two yardsticks that have
 * their turns in between: a bare Node proxy and a hand-written Fastify gateway. Everything stays on 127.0.0.1. Reads
 * CPU time and memory from /proc, so it needs Linux.
 *
 *     npm run bench -- --only small --database postgres --seconds 5 --pairs 7
 */
import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect, FileSystem, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { start } from "./Children.ts"
import { play, type Played } from "./Play.ts"
import { profile } from "./Profile.ts"
import { faults, report } from "./Report.ts"
import type { ScenarioName, Stage } from "./Scenarios.ts"
import { makeAccount, startService, type Storage } from "./Service.ts"

class Faulty extends Data.TaggedError("Faulty")<{ readonly message: string }> {}

const names: ReadonlyArray<ScenarioName> = ["small", "unchanged", "latency", "cached", "write", "large", "logs"]
const positive = Schema.isGreaterThan(0)

const flags = {
  only: Flag.Literals("only", names).pipe(
    Flag.atLeast(0),
    Flag.withDescription("Play this scenario only; can be given several times")
  ),
  database: Flag.Literals("database", ["postgres", "embedded", "both"]).pipe(
    Flag.withDescription("What the service keeps its data in"),
    Flag.withDefault("both")
  ),
  seconds: Flag.Finite("seconds").pipe(
    Flag.withSchema(Schema.Finite.check(positive)),
    Flag.withDescription("Length of a phase"),
    Flag.withDefault(2)
  ),
  pairs: Flag.Int("pairs").pipe(
    Flag.withSchema(Schema.Int.check(positive)),
    Flag.withDescription("How often everybody has a turn"),
    Flag.withDefault(11)
  ),
  rows: Flag.Int("rows").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1000))),
    Flag.withDescription("How many calls the log holds where its pages are read"),
    Flag.withDefault(100_000)
  ),
  json: Flag.Path("json").pipe(Flag.optional, Flag.withDescription("Write all figures to this file as well")),
  profile: Flag.Path("profile").pipe(
    Flag.optional,
    Flag.withDescription("Instead of measuring, write a CPU profile of the service's small reads to this folder")
  )
}

const bench = Effect.fn("bench")(function*({ database, json, only, pairs, profile: folder, rows, seconds }: Flags) {
  const fs = yield* FileSystem.FileSystem
  const temp = yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-bench-" })
  // Postgres does not run as root, and must get to its own folder below this one.
  yield* fs.chmod(temp, 0o755)

  const postgres = yield* start({
    script: "scripts/bench/Postgres.ts",
    args: [`${temp}/postgres`, "openaccounts", "gateway"]
  })
  const upstream = yield* start({ script: "scripts/bench/Upstream.ts" })

  const storages: ReadonlyArray<Storage> = [
    ...(database === "embedded" ? [] : [{ kind: "postgres", url: `${postgres.url}/openaccounts` } as const]),
    ...(database === "postgres" ? [] : [{ kind: "embedded", folder: `${temp}/data` } as const])
  ]
  const played: Array<Played> = []
  for (const storage of storages) {
    const { account, rare, startUp } = yield* Effect.scoped(Effect.gen(function*() {
      const { startUp, url } = yield* startService(storage, upstream.url)
      const account = yield* makeAccount(url, "bench", ["gsc", "gsheets"])
      return { startUp, account, rare: yield* makeAccount(url, "rare", []) }
    }))
    const stage: Stage = { storage, upstream, gatewayUrl: `${postgres.url}/gateway`, account, rare, rows }
    if (Option.isSome(folder)) {
      yield* profile(stage, { folder: folder.value, seconds, postgres })
      continue
    }
    yield* Console.log(`First start, migrations included; ${storage.kind}: ${startUp.toFixed(0)} ms\n`)
    for (const scenario of only.length === 0 ? names : names.filter((name) => only.includes(name))) {
      const result = yield* play(scenario, stage, { seconds, pairs, postgres })
      yield* Console.log(`${report(result)}\n`)
      played.push(result)
    }
  }

  if (Option.isSome(json)) {
    const machine = { node: process.version, cpus: navigator.hardwareConcurrency }
    yield* fs.writeFileString(json.value, `${JSON.stringify({ machine, seconds, pairs, rows, played }, null, 2)}\n`)
  }
  const found = played.flatMap(faults)
  if (found.length > 0) return yield* new Faulty({ message: found.join("\n") })
}, Effect.scoped)
type Flags = Command.Command.Config.Infer<typeof flags>

Command.run(Command.make("bench", flags, bench), { version: "" }).pipe(
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
