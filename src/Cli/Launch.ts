import { Config, Effect, Layer } from "effect"
import { Ended } from "./ExitCode.ts"
import { settingProblem } from "./Failure.ts"
import { complain, legible } from "./Output.ts"

/** Its message and those of its causes, each said once. */
const explained = (error: Error): string => {
  const said = [error.message]
  let { cause } = error
  while (cause instanceof Error) {
    const { message } = cause
    if (!said.some((earlier) => earlier.includes(message))) said.push(message)
    cause = cause.cause
  }
  return said.filter((message) => message !== "").join(": ")
}

/** Prints why a server did not start, for the operator, and ends the command: a setting, or what it names, is wrong. */
const startReported = <A, E extends Error, R>(server: Effect.Effect<A, E, R>) =>
  Effect.catch(server, (error) =>
    Effect.andThen(
      complain(({ bad }) =>
        `${bad("Error:")} ${legible(error instanceof Config.ConfigError ? settingProblem(error) : explained(error))}`
      ),
      new Ended({ exit: "usage" })
    ))

/** Serves until a signal ends it, which is a success once everything is closed, and not the 130 of other commands. */
export const launch = <A, E extends Error, R>(server: Layer.Layer<A, E, R>) =>
  Layer.launch(server).pipe(
    startReported,
    Effect.onInterrupt(() => Effect.sync(() => process.exit(0)))
  )
