/**
 * `node scripts/quotas/Load.ts [--seconds 300] [--limit 300]` loads two instances beyond quotas that the sandbox enforces,
 * and shows whether they keep to them, use them up and share them. Exits with 1 if an aim is missed.
 */
import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect, FileSystem, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { oauthClients } from "../../src/Sandbox/Identity/Identity.ts"
import { startProcess } from "../bench/NodeProcess.ts"
import { startService } from "../bench/Service.ts"
import { makeAccount, makeKey } from "./Accounts.ts"
import { failing, type Finding, foreign, kill, load, off, remaining, type World } from "./Scenarios.ts"

class AimMissed extends Data.TaggedError("AimMissed")<{ readonly message: string }> {}

const members = 21

const flags = {
  seconds: Flag.Int("seconds").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(150))),
    Flag.withDescription(
      "Length of the load; at least 150, as the third minute shows what is left to another application"
    ),
    Flag.withDefault(180)
  ),
  limit: Flag.Int("limit").pipe(
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(60))),
    Flag.withDescription("Requests a minute of an account"),
    Flag.withDefault(300)
  ),
  programs: Flag.Path("postgres").pipe(
    Flag.optional,
    Flag.withDescription("Folder of an installed server's programs, instead of the packaged Postgres")
  )
}

const makeKeys = (url: string) =>
  Effect.forEach(Array.from({ length: members }, (_, index) => `member-${index}`), (name) => makeKey(url, name))

const run = Command.make("quotas", flags, ({ limit, programs, seconds }) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const temp = yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-quotas-" })
    // Postgres runs as another user and must reach its folder below this one.
    yield* fs.chmod(temp, 0o755)
    const postgres = yield* startProcess({
      script: "scripts/bench/Postgres.ts",
      args: [`${temp}/postgres`, "governed,ungoverned", ...Option.toArray(programs)]
    })
    const quotas = JSON.stringify({ "gsheets.read.account": limit, "gsheets.read.project": 100 * limit })
    const provider = yield* startProcess({
      script: "scripts/quotas/Provider.ts",
      env: { SANDBOX_QUOTAS: "on", QUOTAS: quotas, LOG_LEVEL: "none" }
    })
    const start = (database: string, QUOTAS: string) =>
      startService({ kind: "postgres", url: `${postgres.url}/${database}` }, provider.url, {
        env: {
          QUOTAS,
          LOG_LEVEL: "error",
          GSHEETS_BASE_URL: `${provider.url}/gsheets`,
          GA4_DATA_BASE_URL: `${provider.url}/ga4Data`,
          GOOGLE_TOKEN_URL: `${provider.url}/googleToken`,
          GOOGLE_CLIENT_ID: oauthClients.google.id,
          GOOGLE_CLIENT_SECRET: oauthClients.google.secret
        }
      })
    const first = yield* start("governed", quotas)
    const second = yield* start("governed", quotas)
    const ungoverned = yield* start("ungoverned", "off")

    const world: World = {
      provider: provider.url,
      instances: [first.url, second.url],
      keys: yield* makeKeys(first.url),
      limit,
      seconds
    }
    const accountOf = (name: string, provider?: string) => makeAccount(first.url, name, provider)
    const short: World = { ...world, seconds: 60 }
    const loaded = {
      "ten times the limit": load(world, yield* accountOf("load"), yield* accountOf("quiet")),
      "two fifths of the limit": remaining(world, yield* accountOf("remaining")),
      "another application": foreign(world, yield* accountOf("foreign")),
      "GA4 fails": failing(short, yield* accountOf("failing", "ga4"))
    }
    const findings: Record<string, ReadonlyArray<Finding>> = {}
    for (const [name, found] of Object.entries(loaded)) findings[name] = yield* Effect.promise(() => found)
    const apart: World = { ...short, instances: [ungoverned.url], keys: yield* makeKeys(ungoverned.url) }
    const alone = yield* makeAccount(ungoverned.url, "alone")
    findings["without the governor"] = yield* Effect.promise(() => off(apart, alone))
    const doomed = yield* accountOf("kill")
    findings["kill -9 of an instance"] = yield* Effect.promise(() =>
      kill({ ...world, seconds: 120 }, doomed, () => process.kill(first.pid, "SIGKILL"))
    )

    const rows = Object.entries(findings).flatMap(([name, found]) => found.map((finding) => ({ name, ...finding })))
    for (const { aim, isMet, measured, name, what } of rows) {
      yield* Console.log(`${isMet ? "met   " : "MISSED"}  ${name}: ${what}: ${measured} (${aim})`)
    }
    const missed = rows.filter(({ isMet }) => !isMet)
    if (missed.length > 0) return yield* new AimMissed({ message: `${missed.length} of ${rows.length} aims missed` })
  }))

Command.run(run, { version: "1" }).pipe(
  Effect.scoped,
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
