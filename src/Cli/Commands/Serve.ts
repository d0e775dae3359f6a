import { Config, Console, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { Greeting } from "../../Http/Greeting.ts"
import { adminListenerUrl } from "../../Http/Server/Listeners/AdminListener.ts"
import { AdminToken } from "../../Management/AdminToken.ts"
import { configuredOrigins } from "../../Registrations.ts"
import { makeServer } from "../../Server.ts"
import { isSandboxed, ownBaseUrl, ownDashboardUrl } from "../../Settings.ts"
import { Database } from "../../Sql/Database.ts"
import { DataDir } from "../../Sql/DataDir.ts"
import { launch } from "../Launch.ts"
import { sandboxServiceAccount } from "../Sandbox/SandboxServiceAccount.ts"

const printSandbox = Effect.gen(function*() {
  const { sandboxGuide } = yield* Effect.promise(() => import("../Sandbox/SandboxGuide.ts"))
  const keyFile = yield* Effect.orElseSucceed(sandboxServiceAccount, () => "any Google key file")
  yield* Console.log(`\n${sandboxGuide(keyFile)}`)
})

/** What a person needs first comes first. A line has at most 80 columns, unless a URL or a path is longer. */
const greeting = Effect.gen(function*() {
  const listening = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const { kind } = yield* Database
  const { token } = yield* AdminToken
  const dataDir = yield* DataDir
  const url = yield* ownBaseUrl
  const adminUrl = yield* adminListenerUrl
  const sandboxed = yield* isSandboxed

  yield* Console.log(`OpenAccounts listens on ${listening}
  documentation  ${url}/docs
  dashboard      ${yield* ownDashboardUrl}/dashboard`)
  if (Option.isSome(adminUrl)) yield* Console.log(`  management     ${adminUrl.value}`)
  yield* Effect.forEach(yield* (yield* Greeting).texts, (text) => Console.log(text))
  yield* Console.log(`
Providers: ${sandboxed ? "the built-in sandbox. Nothing leaves this machine." : "live"}
Database:  ${kind === "embedded" ? `embedded, in ${yield* dataDir.path("db")}` : "DATABASE_URL"}`)
  if (sandboxed) yield* printSandbox
  if (Option.isNone(token)) {
    return yield* Console.log(
      "\nWithout ADMIN_TOKEN, only signed-in members use the management API."
    )
  }
  const configured = yield* Config.option(Config.Redacted("ADMIN_TOKEN"))
  const admin = `${Option.isSome(adminUrl) ? "$OA_ADMIN_URL" : "$OA_URL"}/admin/v1`
  const settings = [
    `OA_URL=${url}`,
    ...Option.isSome(adminUrl) ? [`OA_ADMIN_URL=${adminUrl.value}`] : [],
    ...Option.isSome(configured) ? [] : [`ADMIN_TOKEN=$(cat ${yield* dataDir.path("admin-token")})`]
  ]
  yield* Console.log(`
A first key:
${settings.map((setting) => `  export ${setting}`).join("\n")}
  curl -s ${admin}/members \\
    -H "Authorization: Bearer $ADMIN_TOKEN" \\
    -d '{"email":"you@example.com","client_ids":null}'
  curl -s ${admin}/keys \\
    -H "Authorization: Bearer $ADMIN_TOKEN" \\
    -d '{"member_id":"<its id>","name":"first"}'
The same, for a key that can also write:
  npx oa key create first --access read_write --member <its id>
`)
})

export const startServer = launch(
  Layer.effectDiscard(greeting).pipe(Layer.provideMerge(makeServer({ origins: configuredOrigins() })))
)
