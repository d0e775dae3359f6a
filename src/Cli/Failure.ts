import { Config, Data, Effect, Schema } from "effect"
import { HttpClientError } from "effect/http"
import { Issue } from "../Domain/Issue.ts"
import { issuesOf } from "../Domain/Validation.ts"
import { Ended, type ExitCode } from "./ExitCode.ts"
import { asJson, complain, jsonText, legible } from "./Output.ts"

/** The error body as it came over the wire; `upstream_error` has any status, so the typed errors are not used here. */
export const ErrorAnswer = Schema.Struct({
  call_id: Schema.String,
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Unknown)
  })
})
export type ErrorAnswer = typeof ErrorAnswer.Type

/** Why a command did not do what it was asked to. */
export class Failure extends Data.TaggedError("Failure")<{
  readonly exit: ExitCode
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
  readonly answer?: ErrorAnswer
}> {}

export const misuse = (message: string) => new Failure({ exit: "usage", message })

/** Names the variable that is wrong. */
export const settingProblem = ({ cause, message }: Config.ConfigError): string =>
  Schema.isSchemaError(cause)
    ? issuesOf(cause.issue).map(({ message, path }) => `${path.join(".")}: ${message}`).join("\n")
    : message

/** What the service refused. */
export const refusal = (answer: ErrorAnswer) => {
  const { code, message } = answer.error
  return new Failure({ exit: code === "unauthenticated" ? "unauthenticated" : "refused", message, answer })
}

const unreachable = ({ reason, request }: HttpClientError.HttpClientError) =>
  reason._tag === "TransportError"
    ? new Failure({
      exit: "unreachable",
      message: `No service answers at ${new URL(request.url).origin}`,
      hint: "Start it with `oa serve`, or say where it is with --url or OA_URL."
    })
    : notThisService

const notThisService = new Failure({
  exit: "unreachable",
  message: "What answers is not this service, or another version of it",
  hint: "Say where the service is with --url or OA_URL."
})

const failureOf = (error: unknown): Effect.Effect<Failure> => {
  if (error instanceof Failure) return Effect.succeed(error)
  if (HttpClientError.isHttpClientError(error)) return Effect.succeed(unreachable(error))
  if (Schema.isSchemaError(error)) return Effect.succeed(notThisService)
  if (error instanceof Config.ConfigError) return Effect.succeed(misuse(settingProblem(error)))
  return Effect.die(error)
}

const isIssues = Schema.is(Schema.Array(Issue))

const details = (answer: ErrorAnswer | undefined): ReadonlyArray<string> => {
  const details = answer?.error.details
  if (details === undefined) return []
  return isIssues(details)
    ? details.map(({ message, path }) => legible(`${path.join(".")}: ${message}`))
    : [jsonText(details, 2)]
}

/** Prints why a command failed to standard error, as JSON when asked for, and ends it with the exit code of that. */
export const reported = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.catch(command, (error) =>
    Effect.gen(function*() {
      if (error instanceof Ended) return yield* error
      const { answer, exit, hint, message } = yield* failureOf(error)
      if (yield* asJson) {
        yield* complain(() => jsonText(answer ?? { error: { code: exit, message } }))
      } else {
        yield* complain(({ bad, dim }) =>
          [
            `${bad("Error:")} ${legible(message)}`,
            ...(answer ? [dim(`${answer.error.code} (${answer.call_id})`)] : []),
            ...details(answer),
            ...(hint ? [hint] : [])
          ].join("\n")
        )
      }
      return yield* new Ended({ exit })
    }))
