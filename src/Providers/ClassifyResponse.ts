import { Data, Effect, type Redacted, type Schema } from "effect"
import { CredentialsRejected, type ProviderError, UpstreamError, UpstreamUnreachable } from "../Api/Errors.ts"
import { redactKnownSecrets } from "../Redaction/KnownSecrets.ts"
import { errorDetails, errorMessage } from "./ErrorDetails.ts"
import type { JsonText } from "./JsonText.ts"
import type { AuthMethod, Credential, Provider } from "./Provider.ts"
import { isSuccessful, type UpstreamResponse } from "./Upstream/UpstreamResponse.ts"

/** The provider does not know the credential, as with a 401: what that means depends on how the connection was made. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly said: string | undefined
  readonly details: Schema.Json
}> {}

/** What an answer means for the call (section 7 of the contract). */
export const classifyResponse = (
  { headers, json: body, status, text }: UpstreamResponse,
  provider: Provider,
  authMethod: AuthMethod,
  credential: Credential
): Effect.Effect<JsonText, ProviderError | Refused> => {
  const successful = isSuccessful(status)
  if (successful && body === undefined) return Effect.fail(notJson(provider.name, status, text))
  const verdict = provider.classify({ status, body: () => body?.value, authMethod })
  if (verdict === "ok" && successful && body !== undefined) return Effect.succeed(body)

  const details = errorDetails(text, body, redactKnownSecrets([secretOf(credential)]))
  const said = errorMessage(details)
  switch (verdict) {
    case "unauthorized":
      return Effect.fail(new Refused({ said, details }))
    case "rejected":
      return Effect.fail(rejected(provider.name, said, details))
    default:
      return Effect.fail(
        new UpstreamError({
          status,
          message: answered(provider.name, status, said),
          details,
          retryAfter: headers["retry-after"]
        })
      )
  }
}

export const secretOf = (credential: Credential): Redacted.Redacted =>
  credential._tag === "Bearer" ? credential.token : credential.key

export const rejected = (who: string, said: string | undefined, details: Schema.Json): CredentialsRejected =>
  new CredentialsRejected({ message: sentence(`${who} refused the stored credentials`, said), details })

export const notJson = (who: string, status: number, text: string): UpstreamUnreachable =>
  new UpstreamUnreachable({
    message: `${who} answered ${status} with ${text === "" ? "an empty body" : "a body that is not JSON"}.`
  })

export const answered = (who: string, status: number, said: string | undefined): string =>
  sentence(status < 300 ? `${who} answered ${status} with an error` : `${who} answered ${status}`, said)

export const sentence = (what: string, said: string | undefined): string =>
  said === undefined ? `${what}.` : `${what}: ${said.replace(/\.$/, "")}.`
