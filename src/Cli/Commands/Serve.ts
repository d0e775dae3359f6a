import { Config, Console, Effect, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import { AdminToken } from "../../Management/AdminToken.ts"
import { configuredOrigins, makeServer } from "../../Server.ts"
import { ownBaseUrl } from "../../Settings.ts"
import { Database } from "../../Sql/Database.ts"
import { DataDir, restrictNewFiles } from "../../Sql/DataDir.ts"
import { CommandFailed } from "../ExitCode.ts"
import { configMessage } from "../Failure.ts"
import { printError, sanitize } from "../Output.ts"

const greeting = Effect.gen(function*() {
  const listening = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const { kind } = yield* Database
  const { token } = yield* AdminToken
  const dataDir = yield* DataDir
  const url = yield* ownBaseUrl

  yield* Console.log(`OpenAccounts listens on ${listening} (API documentation: ${url}/docs)`)
  yield* Console.log(
    kind === "embedded" ? `Database: embedded, in ${yield* dataDir.path("db")}` : "Database: DATABASE_URL"
  )
  if (Option.isNone(token)) {
    return yield* Console.log("The management API is off. Set ADMIN_TOKEN to create members and keys.")
  }
  const configured = yield* Config.option(Config.Redacted("ADMIN_TOKEN"))
  const admin = Option.isSome(configured) ? "$ADMIN_TOKEN" : `$(cat ${yield* dataDir.path("admin-token")})`
  yield* Console.log(`
A first key:
  curl -s ${url}/admin/v1/members -H "Authorization: Bearer ${admin}" -d '{"email":"you@example.com"}'
  curl -s ${url}/admin/v1/keys -H "Authorization: Bearer ${admin}" -d '{"member_id":"<its id>","name":"first"}'
`)
})

const messageChain = (error: Error): string => {
  const messages = [error.message]
  let { cause } = error
  while (cause instanceof Error) {
    const { message } = cause
    if (!messages.some((earlier) => earlier.includes(message))) messages.push(message)
    cause = cause.cause
  }
  return messages.filter((message) => message !== "").join(": ")
}

const reportStartFailure = <A, E extends Error, R>(server: Effect.Effect<A, E, R>) =>
  Effect.catch(server, (error) =>
    Effect.andThen(
      printError(({ bad }) =>
        `${bad("Error:")} ${sanitize(error instanceof Config.ConfigError ? configMessage(error) : messageChain(error))}`
      ),
      new CommandFailed({ exit: "usage" })
    ))

/** A signal ends a server normally: it closes everything and exits with 0. */
const launch = <A, E extends Error, R>(server: Layer.Layer<A, E, R>) =>
  Effect.andThen(restrictNewFiles, Layer.launch(server)).pipe(
    reportStartFailure,
    Effect.onInterrupt(() => Effect.sync(() => process.exit(0)))
  )

export const serve = Command.make(
  "serve",
  {},
  () => launch(Layer.effectDiscard(greeting).pipe(Layer.provideMerge(makeServer({ origins: configuredOrigins() }))))
).pipe(Command.withDescription("Start the server; its settings are environment variables (see the README)"))
