import { Config, Data, Effect, Schema } from "effect"
import { HttpClientError } from "effect/http"
import type { AnyApiError } from "../Api/ApiError.ts"
import type { ErrorBody } from "../Api/ErrorBody.ts"
import { Issue } from "../Domain/Validation/Issue.ts"
import { issuesOf } from "../Domain/Validation/Validation.ts"
import { CommandFailed, type ExitCode } from "./ExitCode.ts"
import { formatJson, jsonFlag, printError, sanitize } from "./Output.ts"

export class Failure extends Data.TaggedError("Failure")<{
  readonly exit: ExitCode
  readonly message: string
  readonly hint?: string
  readonly response?: ErrorBody
}> {}

export const usageError = (message: string) => new Failure({ exit: "usage", message })

export const configMessage = ({ cause }: Config.ConfigError): string =>
  Schema.isSchemaError(cause)
    ? issuesOf(cause.issue).map(({ message, path }) => `${path.join(".")}: ${message}`).join("\n")
    : cause.message

/** Where the message of the API names a parameter, this one names the flag. */
const flagMessages = new Map([
  ["client_in_use", "Active connections belong to the client. Revoke them first, or with --revoke."],
  ["connection_ambiguous", "Several active connections match. Pass one of them with --connection."],
  ["idempotency_key_reused", "The --idempotency-key was used with another call. Use a new key."],
  ["route_not_found", "The service does not have this: its FEATURES_OFF leaves it out, or its version is older."],
  ["read_only", "The key is read-only. The dashboard and `oa key create … --access read_write` make one that writes."]
])

export const messageChain = (error: Error): string => {
  const messages = [error.message]
  let { cause } = error
  while (cause instanceof Error) {
    const { message } = cause
    if (!messages.some((earlier) => earlier.includes(message))) messages.push(message)
    cause = cause.cause
  }
  return messages.filter((message) => message !== "").join(": ")
}

export const serviceError = (response: ErrorBody) => {
  const { code, message } = response.error
  return new Failure({
    exit: code === "unauthenticated" ? "unauthenticated" : "refused",
    message: flagMessages.get(code) ?? message,
    response
  })
}

/** The innermost cause, such as a certificate that is not trusted. A name with several addresses has no message. */
const whyNot = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ""
  return cause.cause === undefined ? cause.message && `: ${cause.message.trim()}` : whyNot(cause.cause)
}

const unreachable = ({ reason, request }: HttpClientError.HttpClientError) => {
  const { origin } = new URL(request.url)
  if (reason._tag === "TransportError") {
    return new Failure({
      exit: "unreachable",
      message: `No service answers at ${origin}${whyNot(reason.cause)}`,
      hint: "Start it with `oa serve`, or pass its URL with --url or OA_URL."
    })
  }
  return reason._tag !== "DecodeError" || reason.cause instanceof SyntaxError ? otherService : new Failure({
    exit: "unreachable",
    message: `The answer of ${origin} was cut off${whyNot(reason.cause)}`
  })
}

const otherService = new Failure({
  exit: "unreachable",
  message: "The server at the URL is not this service, or is another version of it",
  hint: "Pass the URL of the service with --url or OA_URL."
})

/** `AnyApiError` is in the types of the client alone: `ApiClient` fails with a `Failure` for any error status. */
export type CommandError =
  | Failure
  | CommandFailed
  | HttpClientError.HttpClientError
  | Schema.SchemaError
  | Config.ConfigError
  | AnyApiError

const toFailure = (error: Exclude<CommandError, CommandFailed>): Effect.Effect<Failure> => {
  if (error instanceof Failure) return Effect.succeed(error)
  if (HttpClientError.isHttpClientError(error)) return Effect.succeed(unreachable(error))
  if (Schema.isSchemaError(error)) return Effect.succeed(otherService)
  if (error instanceof Config.ConfigError) return Effect.succeed(usageError(configMessage(error)))
  return Effect.die(error)
}

const isIssueList = Schema.is(Schema.Array(Issue))

const formatDetails = (details: unknown): ReadonlyArray<string> => {
  if (details === undefined) return []
  return isIssueList(details)
    ? details.map(({ message, path }) => sanitize(`${path.join(".")}: ${message}`))
    : [formatJson(details, 2)]
}

export const reportFailure = <A, E extends CommandError, R>(command: Effect.Effect<A, E, R>) =>
  Effect.catch(command, (error: CommandError) =>
    Effect.gen(function*() {
      if (error instanceof CommandFailed) return yield* error
      const { exit, hint, message, response } = yield* toFailure(error)
      if (yield* jsonFlag) {
        yield* printError(() => formatJson(response ?? { error: { code: exit, message } }))
      } else {
        yield* printError(({ bad, dim }) =>
          [
            `${bad("Error:")} ${sanitize(message)}`,
            ...(response ? [dim(`${response.error.code} (${response.call_id})`)] : []),
            ...formatDetails(response?.error.details),
            ...[response?.error.check?.fix, response?.error.check?.url].flatMap((text) => text ? [sanitize(text)] : []),
            ...(hint ? [hint] : [])
          ].join("\n")
        )
      }
      return yield* new CommandFailed({ exit })
    }))
