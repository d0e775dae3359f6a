import { Config, Console, Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import { AdminToken } from "../Management/AdminToken.ts"
import { ConfiguredOrigins, makeServer } from "../Server.ts"
import { ownBaseUrl } from "../Settings.ts"
import { Database } from "../Sql/Database.ts"
import { DataDir } from "../Sql/DataDir.ts"
import { launch } from "./Launch.ts"

/** Where the server is and how to get a first key: the first thing that a new operator reads. */
const greeting = Effect.gen(function*() {
  const listening = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const { kind } = yield* Database
  const { token } = yield* AdminToken
  const dataDir = yield* DataDir
  const url = yield* ownBaseUrl

  yield* Console.log(`OpenAccounts listens on ${listening} (read and try the API: ${url}/docs)`)
  yield* Console.log(
    kind === "embedded" ? `Its database is in ${yield* dataDir.path("db")}` : "Its database is DATABASE_URL"
  )
  if (Option.isNone(token)) {
    return yield* Console.log("The management API is off; set ADMIN_TOKEN to make members and keys")
  }
  const configured = yield* Config.option(Config.Redacted("ADMIN_TOKEN"))
  const admin = Option.isSome(configured) ? "$ADMIN_TOKEN" : `$(cat ${yield* dataDir.path("admin-token")})`
  yield* Console.log(`
A first key:
  curl -s ${url}/admin/v1/members -H "Authorization: Bearer ${admin}" -d '{"email":"you@example.com"}'
  curl -s ${url}/admin/v1/keys -H "Authorization: Bearer ${admin}" -d '{"member_id":"<its id>","name":"first"}'
`)
})

export const serve = Command.make(
  "serve",
  {},
  () => launch(Layer.effectDiscard(greeting).pipe(Layer.provideMerge(makeServer(ConfiguredOrigins))))
).pipe(Command.withDescription("Start the server; every setting is an environment variable (see the README)"))
