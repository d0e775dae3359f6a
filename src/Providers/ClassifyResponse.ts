import { Data, Effect, type Redacted, type Schema } from "effect"
import {
  CredentialsRejected,
  type ProviderError,
  UpstreamError,
  UpstreamUnreachable
} from "../Api/Errors/ProviderErrors.ts"
import type { AuthType } from "../Domain/Connection.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"
import { isSuccessful, type UpstreamResponse } from "../Outbound/UpstreamResponse.ts"
import { makeKnownSecretsRedactor } from "../Secrets/Redaction/KnownSecrets.ts"
import { errorDetails, toOneLine } from "./ErrorDetails.ts"
import type { Provider } from "./Provider.ts"

interface Refusal {
  readonly reason: string | undefined
  readonly hint: string | undefined
  readonly details: Schema.Json
}

/** Treated as a 401. An OAuth connection may still be refreshed. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Refusal> {}

export const classifyResponse = (
  response: UpstreamResponse,
  provider: Provider,
  authType: AuthType,
  secret: Redacted.Redacted
): Effect.Effect<JsonText, ProviderError | Unauthorized> => {
  const { headers, json: body, status } = response
  const successful = isSuccessful(status)
  if (successful && body === undefined) return Effect.fail(notJson(provider.name, status, response.text))
  const verdict = provider.classify({ status, body: () => body?.value, authType })
  if (verdict === "ok" && successful && body !== undefined) return Effect.succeed(body)

  const details = errorDetails(response.text, body, makeKnownSecretsRedactor([secret]))
  const message = toOneLine(provider.errorMessage(details))
  const hint = message === undefined ? undefined : provider.hint?.(message)
  const reason = message === undefined || hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`
  switch (verdict) {
    case "unauthorized":
      return Effect.fail(new Unauthorized({ reason, hint, details }))
    case "rejected":
      return Effect.fail(rejected(provider.name, { reason, hint, details }))
    case "not_shared":
      return Effect.fail(
        new CredentialsRejected({
          message: withReason(`${provider.name} gives the account no access`, reason),
          details,
          denied: true
        })
      )
    default:
      return Effect.fail(
        new UpstreamError({
          status,
          ...messages(answered(provider.name, status), reason, hint),
          details,
          retryAfter: headers["retry-after"]
        })
      )
  }
}

export const rejected = (who: string, { details, hint, reason }: Refusal): CredentialsRejected =>
  new CredentialsRejected({ ...messages(`${who} refused the stored credentials`, reason, hint), details })

/** Agents read all of `details`, where Google's errors have their message twice. */
const messages = (sentence: string, reason: string | undefined, hint: string | undefined) => ({
  message: withReason(sentence, reason),
  agentMessage: reason === undefined
    ? undefined
    : [`${sentence}; \`details\` has its message.`, ...hint === undefined ? [] : [hint]].join(" ")
})

export const notJson = (who: string, status: number, text: string): UpstreamUnreachable =>
  new UpstreamUnreachable({
    message: `${who} answered ${status} with ${text === "" ? "an empty body" : "a body that is not JSON"}.`
  })

const answered = (who: string, status: number): string =>
  status < 300 ? `${who} answered ${status} with an error` : `${who} answered ${status}`

export const statusMessage = (who: string, status: number, reason: string | undefined): string =>
  withReason(answered(who, status), reason)

export const withReason = (sentence: string, reason: string | undefined): string =>
  reason === undefined ? `${sentence}.` : `${sentence}: ${reason}${/[.?!…]$/.test(reason) ? "" : "."}`
