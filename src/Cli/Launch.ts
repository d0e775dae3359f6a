import { Config, Effect, Layer, Predicate } from "effect"
import { HttpServerError } from "effect/http"
import { listenAddress } from "../Settings.ts"
import { restrictNewFiles } from "../Sql/DataDir.ts"
import { CommandFailed } from "./ExitCode.ts"
import { configMessage, messageChain } from "./Failure.ts"
import { printError, sanitize } from "./Output.ts"

const systemError = (error: unknown): { readonly code?: unknown; readonly port?: unknown } => {
  if (Predicate.hasProperty(error, "code")) return error
  return Predicate.hasProperty(error, "cause") ? systemError(error.cause) : {}
}

const startFailure = Effect.fnUntraced(function*(error: Error) {
  if (error instanceof Config.ConfigError) return configMessage(error)
  if (error instanceof HttpServerError.ServeError) {
    const { code, port } = systemError(error)
    const { host, port: configured } = yield* listenAddress
    const isMain = port === undefined || port === configured
    const setting = isMain ? "PORT" : "ADMIN_PORT"
    const place = isMain ? `Port ${configured} of ${host}` : `Port ${port}`
    switch (code) {
      case "EADDRINUSE":
        return `${place} is in use. Stop what listens there, or set ${setting} to another port, or to 0 for any.`
      case "EACCES":
        return `${place} is not open to this user. Set ${setting} to 1024 or higher.`
      case "EADDRNOTAVAIL":
      case "ENOTFOUND":
        return `${messageChain(error)}. Set HOST (or ADMIN_HOST) to an address of this machine, or to 0.0.0.0 for all.`
    }
  }
  return messageChain(error)
})

const reportStartFailure = <A, E extends Error, R>(server: Effect.Effect<A, E, R>) =>
  Effect.catch(server, (error) =>
    Effect.gen(function*() {
      const message = yield* startFailure(error)
      yield* printError(({ bad }) => `${bad("Error:")} ${sanitize(message)}`)
      return yield* new CommandFailed({ exit: "usage" })
    }))

export const launch = <A, E extends Error, R>(server: Layer.Layer<A, E, R>) =>
  Effect.andThen(restrictNewFiles, Layer.launch(server)).pipe(
    reportStartFailure,
    Effect.onInterrupt(() => Effect.sync(() => process.exit(0)))
  )
