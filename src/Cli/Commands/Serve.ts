import { Config, Console, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { adminListenerUrl } from "../../Http/Server/Listeners/AdminListener.ts"
import { AdminToken } from "../../Management/AdminToken.ts"
import { configuredOrigins } from "../../Registrations.ts"
import { makeServer } from "../../Server.ts"
import { isSandboxed, ownBaseUrl } from "../../Settings.ts"
import { Database } from "../../Sql/Database.ts"
import { DataDir } from "../../Sql/DataDir.ts"
import { launch } from "../Launch.ts"
import { sandboxServiceAccount } from "../Sandbox/SandboxServiceAccount.ts"
import { printSetupLink } from "./Member/SetupLink.ts"

const printSandbox = Effect.gen(function*() {
  const { sandboxGuide } = yield* Effect.promise(() => import("../Sandbox/SandboxGuide.ts"))
  const keyFile = yield* Effect.orElseSucceed(sandboxServiceAccount, () => "any Google key file")
  yield* Console.log(`Providers: the built-in sandbox. Nothing leaves this machine.\n\n${sandboxGuide(keyFile)}`)
})

const greeting = Effect.gen(function*() {
  const listening = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const { kind } = yield* Database
  const { token } = yield* AdminToken
  const dataDir = yield* DataDir
  const url = yield* ownBaseUrl
  const adminUrl = yield* adminListenerUrl

  yield* Console.log(`OpenAccounts listens on ${listening} (API documentation: ${url}/docs)`)
  if (Option.isSome(adminUrl)) yield* Console.log(`The management API listens on ${adminUrl.value}`)
  yield* Console.log(
    kind === "embedded" ? `Database: embedded, in ${yield* dataDir.path("db")}` : "Database: DATABASE_URL"
  )
  if (yield* isSandboxed) yield* printSandbox
  yield* printSetupLink
  if (Option.isNone(token)) {
    return yield* Console.log("\nWithout ADMIN_TOKEN, only signed-in members use the management API.")
  }
  const configured = yield* Config.option(Config.Redacted("ADMIN_TOKEN"))
  const admin = `${Option.isSome(adminUrl) ? "$OA_ADMIN_URL" : "$OA_URL"}/admin/v1`
  const ownToken = Option.isSome(configured) ? "" : ` ADMIN_TOKEN=$(cat ${yield* dataDir.path("admin-token")})`
  yield* Console.log(`
A first key:
  export OA_URL=${url}${Option.isSome(adminUrl) ? ` OA_ADMIN_URL=${adminUrl.value}` : ""}${ownToken}
  curl -s ${admin}/members -H "Authorization: Bearer $ADMIN_TOKEN" -d '{"email":"you@example.com","client_ids":null}'
  curl -s ${admin}/keys -H "Authorization: Bearer $ADMIN_TOKEN" -d '{"member_id":"<its id>","name":"first"}'
The same, for a key that can also write:
  npx oa key create first --access read_write --member <its id>
`)
})

export const startServer = launch(
  Layer.effectDiscard(greeting).pipe(Layer.provideMerge(makeServer({ origins: configuredOrigins() })))
)
