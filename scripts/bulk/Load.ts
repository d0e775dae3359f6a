/**
 * `node scripts/bulk/Load.ts [--seconds 20] [--json]` asks 300 accounts of the sandbox at once. 7 are broken, and 3 answer
 * late. First one instance does it, beside the small reads of another member, then two, of which one is killed in the
 * middle. Exits with 1 if an aim is missed; with `--json` it only prints what it has found.
 */
import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Data, Effect, FileSystem } from "effect"
import { Command, Flag } from "effect/cli"
import { generateKeyPairSync } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { oauthClients } from "../../src/Sandbox/Identity/Identity.ts"
import { startProcess } from "../bench/NodeProcess.ts"
import { create, Created, startService } from "../bench/Service.ts"
import { makeKey } from "../quotas/Accounts.ts"
import { askAll, type Outcome, p95, readsWhile } from "./Ask.ts"

class AimMissed extends Data.TaggedError("AimMissed")<{ readonly message: string }> {}

const accounts = 300
const broken = 7
const late = 3

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

const serviceAccount = (name: string) => ({
  auth_type: "service_account",
  credentials: {
    type: "service_account",
    project_id: "sandbox",
    private_key_id: "sandbox",
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    client_email: `${name}@sandbox.iam.gserviceaccount.com`,
    token_uri: "https://oauth2.googleapis.com/token"
  }
})

const connect = Effect.fnUntraced(function*(url: string, index: number) {
  const kind = index < broken ? "broken" : index < broken + late ? "late" : "account"
  const name = `${kind}-${index}`
  const client = yield* create(url, "clients", { name }, Created)
  return (yield* create(url, "connections", {
    provider: "gsc",
    label: name,
    client_id: client.id,
    ...serviceAccount(name)
  }, Created)).id
})

const isWhole = ({ failed, inRows, status, twice }: Outcome): boolean =>
  status === "done" && failed === broken && inRows === accounts - broken && twice === 0

const flags = {
  seconds: Flag.Int("seconds").pipe(Flag.withDescription("Seconds that three accounts take"), Flag.withDefault(20)),
  json: Flag.Boolean("json").pipe(Flag.withDefault(false)),
  profile: Flag.Boolean("profile").pipe(
    Flag.withDescription("Writes a profile of the first instance to .profile"),
    Flag.withDefault(false)
  )
}

const load = Command.make("bulk", flags, ({ json, profile, seconds }) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const temp = yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-bulk-" })
    // Postgres runs as another user and must reach its folder below this one.
    yield* fs.chmod(temp, 0o755)
    const postgres = yield* startProcess({ script: "scripts/bench/Postgres.ts", args: [`${temp}/postgres`, "bulk"] })
    const provider = yield* startProcess({
      script: "scripts/bulk/Provider.ts",
      env: { LATE_SECONDS: `${seconds}`, LOG_LEVEL: "none" }
    })
    const start = (nodeArgs: ReadonlyArray<string> = []) =>
      startService({ kind: "postgres", url: `${postgres.url}/bulk` }, provider.url, {
        nodeArgs,
        env: {
          LOG_LEVEL: "error",
          GSC_BASE_URL: `${provider.url}/gsc`,
          GOOGLE_TOKEN_URL: `${provider.url}/googleToken`,
          GOOGLE_CLIENT_ID: oauthClients.google.id,
          GOOGLE_CLIENT_SECRET: oauthClients.google.secret
        }
      })
    const first = yield* start(profile ? ["--cpu-prof", "--cpu-prof-dir=.profile"] : [])
    const ids = yield* Effect.forEach(Array.from({ length: accounts }).keys(), (index) => connect(first.url, index), {
      concurrency: 8
    })
    const key = yield* makeKey(first.url, "agency")
    const other = yield* makeKey(first.url, "other")

    const outcomes = yield* Effect.promise(async () => {
      // Gets the access tokens, which later calls share.
      await askAll([first.url], key)
      const readsAlone = () => readsWhile(first.url, other, ids.at(-1) ?? "", () => setTimeout(8000))
      const before = await readsAlone()
      let whole: Outcome | undefined
      const beside = await readsWhile(first.url, other, ids.at(-1) ?? "", async () => {
        whole = await askAll([first.url], key)
      })
      const alone = [...before, ...await readsAlone()]
      return { alone: p95(alone), beside: p95(beside), whole }
    })
    const second = yield* start()
    const killed = yield* Effect.promise(() =>
      askAll([second.url, first.url], key, () => process.kill(second.pid, "SIGKILL"))
    )
    const found = { ...outcomes, killed }
    if (json) return yield* Console.log(JSON.stringify(found))
    const { alone, beside, whole } = found
    const aims = [
      ["one table of 300 accounts, none twice", JSON.stringify(whole), whole !== undefined && isWhole(whole)],
      ["the same after a kill", JSON.stringify(killed), isWhole(killed)],
      [
        "at most 60 s",
        `${whole?.seconds.toFixed(1)} s, with a kill ${killed.seconds.toFixed(1)} s`,
        killed.seconds <= 60
      ],
      [
        "p95 of reads at most twice",
        `${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside`,
        beside <= 2 * alone
      ]
    ] as const
    for (const [aim, measured, isMet] of aims) yield* Console.log(`${isMet ? "met   " : "MISSED"}  ${aim}: ${measured}`)
    if (aims.some(([, , isMet]) => !isMet)) return yield* new AimMissed({ message: "An aim is missed" })
  }))

Command.run(load, { version: "1" }).pipe(
  Effect.scoped,
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
