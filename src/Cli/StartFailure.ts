import { Config, Effect } from "effect"
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
export const startReported = <A, E extends Error, R>(server: Effect.Effect<A, E, R>) =>
  Effect.catch(server, (error) =>
    Effect.andThen(
      complain(({ bad }) =>
        `${bad("Error:")} ${legible(error instanceof Config.ConfigError ? settingProblem(error) : explained(error))}`
      ),
      new Ended({ exit: "usage" })
    ))
