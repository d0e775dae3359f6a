import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect, FileSystem, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { checkOut } from "./Checkout.ts"
import { fillLog } from "./FillLog.ts"
import { startProcess } from "./NodeProcess.ts"
import { profile } from "./Profile.ts"
import { findProblems, formatResult } from "./Report.ts"
import { runScenario, type ScenarioResult } from "./RunScenario.ts"
import type { Environment, ScenarioName } from "./Scenarios.ts"
import { makeAccount, startService, type Storage } from "./Service.ts"
import { formatRatios, tableScenarios } from "./Table.ts"

class BenchFailed extends Data.TaggedError("BenchFailed")<{ readonly message: string }> {}

const names: ReadonlyArray<ScenarioName> = [
  "small",
  "unchanged",
  "latency",
  "cached",
  "cached-latency",
  "write",
  "large",
  "tool",
  "embedded",
  "log-page",
  "log-pages",
  "logs"
]
const positive = Schema.isGreaterThan(0)

const flags = {
  only: Flag.Literals("only", names).pipe(
    Flag.atLeast(0),
    Flag.withDescription("Run only this scenario; repeatable")
  ),
  database: Flag.Literals("database", ["postgres", "embedded", "both"]).pipe(
    Flag.withDescription("Database of the service"),
    Flag.withDefault("both")
  ),
  programs: Flag.Path("postgres").pipe(
    Flag.optional,
    Flag.withDescription("Folder of an installed server's programs, instead of the packaged Postgres")
  ),
  seconds: Flag.Finite("seconds").pipe(
    Flag.withSchema(Schema.Finite.check(positive)),
    Flag.withDescription("Length of one measurement"),
    Flag.withDefault(2)
  ),
  pairs: Flag.Int("pairs").pipe(
    Flag.withSchema(Schema.Int.check(positive)),
    Flag.withDescription("Measurements of each subject"),
    Flag.withDefault(11)
  ),
  rows: Flag.Int("rows").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1000))),
    Flag.withDescription("Calls in the log when its pages are read"),
    Flag.withDefault(100_000)
  ),
  against: Flag.Path("against").pipe(
    Flag.optional,
    Flag.withDescription("Compare with the service of another checkout, on Postgres; not for the scenario logs")
  ),
  compare: Flag.String("compare").pipe(
    Flag.optional,
    Flag.withDescription("Like --against, with a temporary checkout of this commit and the packages installed here")
  ),
  table: Flag.Boolean("table").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Run the scenarios that have a peer and an aim, each on one database, and print the ratios")
  ),
  json: Flag.Path("json").pipe(Flag.optional, Flag.withDescription("Also write all figures to this file")),
  profile: Flag.Path("profile").pipe(
    Flag.optional,
    Flag.withDescription("Only write a CPU profile of small reads to this folder")
  )
}

const bench = Effect.fn("bench")(
  function*(
    { against: folderOfOther, compare, database, json, only, pairs, profile: folder, programs, rows, seconds, table }:
      Flags
  ) {
    const fs = yield* FileSystem.FileSystem
    const temp = yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-bench-" })
    // Postgres runs as another user and must reach its folder below this one.
    yield* fs.chmod(temp, 0o755)

    const against = Option.isSome(compare)
      ? Option.some(yield* checkOut(compare.value, `${temp}/compared`))
      : folderOfOther

    const postgres = yield* startProcess({
      script: "scripts/bench/Postgres.ts",
      args: [`${temp}/postgres`, "openaccounts,gateway,other", ...Option.toArray(programs)]
    })
    const upstream = yield* startProcess({ script: "scripts/bench/Upstream.ts" })

    const storages: ReadonlyArray<Storage> = [
      ...(database === "embedded" ? [] : [{ kind: "postgres", url: `${postgres.url}/openaccounts` } as const]),
      ...(database === "postgres" || Option.isSome(against)
        ? []
        : [{ kind: "embedded", folder: `${temp}/data` } as const])
    ]
    const results: Array<ScenarioResult> = []
    let onServer: Environment["onServer"]
    const isChosen = (scenario: ScenarioName, kind: Storage["kind"]) => {
      if (only.length > 0 && !only.includes(scenario)) return false
      if (!table) return scenario !== "embedded" || kind === "embedded"
      return tableScenarios.includes(scenario) && (scenario === "embedded") === (kind === "embedded")
    }
    for (const storage of storages) {
      const environmentOf = Effect.fnUntraced(function*(storage: Storage, folder?: string) {
        const { account, rare, startUp } = yield* Effect.scoped(Effect.gen(function*() {
          const { startUp, url } = yield* startService(storage, upstream.url, { folder })
          const account = yield* makeAccount(url, "bench", ["gsc", "gsheets"])
          return { startUp, account, rare: yield* makeAccount(url, "rare", []) }
        }))
        const environment: Environment = {
          storage,
          upstream,
          gatewayUrl: `${postgres.url}/gateway`,
          account,
          rare,
          filledLog: yield* Effect.cached(fillLog(storage, rows, account, rare)),
          onServer,
          folder,
          against: undefined
        }
        return { environment, startUp }
      })
      const own = yield* environmentOf(storage)
      const { startUp } = own
      const environment: Environment = {
        ...own.environment,
        // A database of its own, because its tables may differ.
        against: Option.isNone(against)
          ? undefined
          : (yield* environmentOf({ kind: "postgres", url: `${postgres.url}/other` }, against.value)).environment
      }
      if (storage.kind === "postgres") onServer = environment
      if (Option.isSome(folder)) {
        yield* profile(environment, { folder: folder.value, seconds, postgres })
        continue
      }
      yield* Console.log(`First start, migrations included; ${storage.kind}: ${startUp.toFixed(0)} ms\n`)
      for (const scenario of names.filter((name) => isChosen(name, storage.kind))) {
        const result = yield* runScenario(scenario, environment, { seconds, pairs, postgres })
        yield* Console.log(`${formatResult(result)}\n`)
        results.push(result)
      }
    }

    if (table) yield* Console.log(formatRatios(results))
    if (Option.isSome(json)) {
      const machine = { node: process.version, cpus: navigator.hardwareConcurrency }
      yield* fs.writeFileString(
        json.value,
        `${JSON.stringify({ machine, seconds, pairs, rows, played: results }, null, 2)}\n`
      )
    }
    const problems = results.flatMap(findProblems)
    if (problems.length > 0) return yield* new BenchFailed({ message: problems.join("\n") })
  },
  Effect.scoped
)
type Flags = Command.Command.Config.Infer<typeof flags>

Command.run(Command.make("bench", flags, bench), { version: "" }).pipe(
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
