import { Data, Effect, type Redacted, type Schema } from "effect"
import { CredentialsRejected, type ProviderError, UpstreamError, UpstreamUnreachable } from "../Api/Errors.ts"
import type { AuthType } from "../Domain/Connection.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import { isSuccessful, type UpstreamResponse } from "../Outbound/UpstreamResponse.ts"
import { makeKnownSecretsRedactor } from "../Secrets/Redaction/KnownSecrets.ts"
import { errorDetails, toOneLine } from "./ErrorDetails.ts"
import type { Provider } from "./Provider.ts"

/** Treated as a 401. An OAuth connection may still be refreshed. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<{
  readonly reason: string | undefined
  readonly details: Schema.Json
}> {}

export const classifyResponse = (
  { headers, json: body, status, text }: UpstreamResponse,
  provider: Provider,
  authType: AuthType,
  secret: Redacted.Redacted
): Effect.Effect<JsonText, ProviderError | Unauthorized> => {
  const successful = isSuccessful(status)
  if (successful && body === undefined) return Effect.fail(notJson(provider.name, status, text))
  const verdict = provider.classify({ status, body: () => body?.value, authType })
  if (verdict === "ok" && successful && body !== undefined) return Effect.succeed(body)

  const details = errorDetails(text, body, makeKnownSecretsRedactor([secret]))
  const message = toOneLine(provider.errorMessage(details))
  const reason = message === undefined ? undefined : withHint(message, provider)
  switch (verdict) {
    case "unauthorized":
      return Effect.fail(new Unauthorized({ reason, details }))
    case "rejected":
      return Effect.fail(rejected(provider.name, reason, details))
    default:
      return Effect.fail(
        new UpstreamError({
          status,
          message: statusMessage(provider.name, status, reason),
          details,
          retryAfter: headers["retry-after"]
        })
      )
  }
}

const withHint = (message: string, { hint }: Provider): string => {
  const sentence = hint?.(message)
  return sentence === undefined ? message : `${message.replace(/\.$/, "")}. ${sentence}`
}

export const rejected = (who: string, reason: string | undefined, details: Schema.Json): CredentialsRejected =>
  new CredentialsRejected({ message: withReason(`${who} refused the stored credentials`, reason), details })

export const notJson = (who: string, status: number, text: string): UpstreamUnreachable =>
  new UpstreamUnreachable({
    message: `${who} answered ${status} with ${text === "" ? "an empty body" : "a body that is not JSON"}.`
  })

export const statusMessage = (who: string, status: number, reason: string | undefined): string =>
  withReason(status < 300 ? `${who} answered ${status} with an error` : `${who} answered ${status}`, reason)

export const withReason = (sentence: string, reason: string | undefined): string =>
  reason === undefined ? `${sentence}.` : `${sentence}: ${reason.replace(/\.$/, "")}.`
