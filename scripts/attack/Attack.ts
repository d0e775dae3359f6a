// `node scripts/attack/Attack.ts [--checkout folder] [--only name]…` starts the service of a checkout and attacks it.
import { NodeHttpClient, NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { startProcess } from "../bench/NodeProcess.ts"
import { inviteMember, makeAccount, startService } from "../bench/Service.ts"
import { attacks } from "./Attacks.ts"
import { observe } from "./Observe.ts"
import { acceptInvitation } from "./SigningIn.ts"

const flags = {
  checkout: Flag.Path("checkout").pipe(Flag.optional, Flag.withDescription("Another checkout of the service")),
  only: Flag.String("only").pipe(
    Flag.atLeast(0),
    Flag.withDescription("Only attacks with this in their name; repeatable")
  )
}

const attack = Command.make("attack", flags, ({ checkout, only }) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped({ prefix: "openaccounts-attack-" })
    const provider = yield* startProcess({ script: "scripts/attack/Provider.ts" })
    const storage = { kind: "embedded", folder } as const
    const { pid, url } = yield* startService(storage, provider.url, {
      folder: Option.getOrUndefined(checkout),
      env: { TRUSTED_PROXIES: "127.0.0.1", QUOTAS: "off" }
    })
    const member = yield* makeAccount(url, "member", ["gsc"])
    const link = yield* inviteMember(url, member.memberId)
    const signingIn = yield* Effect.promise(() => acceptInvitation(url, "member@example.com", link))
    const victim = { pid, url, key: member.key, member: signingIn }
    const attacker = yield* makeAccount(url, "attacker", ["gsc", "gdocs", "gsheets"])
    for (const name of Object.keys(attacks)) {
      if (only.length > 0 && !only.some((part) => name.includes(part))) continue
      const observed = yield* Effect.promise(() => observe(victim, name, attacker.key))
      yield* Console.log(`${name}: ${JSON.stringify(observed)}`)
    }
  }))

Command.run(attack, { version: "1" }).pipe(
  Effect.scoped,
  Effect.provide([NodeServices.layer, NodeHttpClient.layerUndici]),
  NodeRuntime.runMain
)
