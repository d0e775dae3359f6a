import { Context, Effect, Layer, Record, Schema } from "effect"
import { CredentialsExpired, type ProviderError, UpstreamError } from "../Api/Errors.ts"
import { withSpan } from "../Observability/Span.ts"
import { redactKnownSecrets } from "../Redaction/KnownSecrets.ts"
import { classifyResponse, type Refused, rejected, secretOf, sentence } from "./ClassifyResponse.ts"
import { errorDetails } from "./ErrorDetails.ts"
import type { JsonText } from "./JsonText.ts"
import { Origins } from "./Origins.ts"
import type { AuthMethod, Credential, Provider, ProviderCalls, RawEndpoint, RawInput } from "./Provider.ts"
import { Upstream } from "./Upstream/Upstream.ts"
import { endpointUrl, upstreamUrl } from "./Upstream/UpstreamUrl.ts"

/** A connection's credentials, as the client needs them: it never sees where they are kept. */
export interface Access {
  readonly authMethod: AuthMethod
  /** False for a service account that acts for nobody: it has no storage of its own. */
  readonly ownsFiles: Effect.Effect<boolean, ProviderError>
  /** A credential that is good now; an access token about to expire is refreshed first. */
  readonly credential: Effect.Effect<Credential, ProviderError>
  /** Another credential, after the provider answered 401 to `refused`. Meaningful for `oauth` only. */
  readonly renew: (refused: Credential) => Effect.Effect<Credential, ProviderError>
  /** The grant is dead: the connection becomes `expired`. */
  readonly expire: Effect.Effect<void>
}

export interface ProviderRequest {
  readonly provider: Provider
  readonly endpoint: RawEndpoint
  readonly input: RawInput
  readonly access: Access
}

/**
 * The providers themselves: one request to a raw endpoint, answered with the provider's body or one of four errors
 * (section 7 of the contract).
 */
export class ProviderClient extends Context.Service<ProviderClient, {
  readonly call: (request: ProviderRequest) => Effect.Effect<JsonText, ProviderError>
}>()("openaccounts/Providers/ProviderClient") {
  static readonly layer = Layer.effect(
    ProviderClient,
    Effect.gen(function*() {
      const bases = Record.map(yield* Origins, upstreamUrl)
      const upstream = yield* Upstream

      const ask = Effect.fnUntraced(function*({ access, endpoint, input, provider }: ProviderRequest) {
        const url = endpointUrl(bases[endpoint.origin], endpoint.path, input)
        const credential = yield* access.credential
        const deadline = yield* upstream.deadline

        const attempt = (credential: Credential): Effect.Effect<JsonText, ProviderError | Refused> =>
          Effect.flatMap(
            upstream.exchange({
              method: endpoint.method,
              url,
              credential,
              body: endpoint.method === "GET" ? undefined : { _tag: "Json", text: JSON.stringify(input.body ?? {}) },
              repeatable: !endpoint.writes,
              deadline
            }),
            (answer) => classifyResponse(answer, provider, access.authMethod, credential)
          )

        const renewed = Effect.suspend(() =>
          Effect.flatMap(access.renew(credential), attempt).pipe(
            Effect.catchTag("Refused", ({ said }) =>
              Effect.andThen(
                access.expire,
                Effect.fail(
                  new CredentialsExpired({
                    message: sentence(`${provider.name} no longer accepts this connection; reconnect it`, said)
                  })
                )
              ))
          )
        )
        return yield* attempt(credential).pipe(
          Effect.catchTag(
            "Refused",
            ({ details, said }) =>
              access.authMethod === "oauth" ? renewed : Effect.fail(rejected(provider.name, said, details))
          )
        )
      })

      return ProviderClient.of({
        call: (request) =>
          withSpan(ask(request), "ProviderClient.call", {
            kind: "client",
            attributes: { provider: request.provider.id, target: `raw:${request.endpoint.id}` }
          })
      })
    })
  )
}

/** One connection to one provider, for smart tools. */
export const providerCalls = (
  client: ProviderClient["Service"],
  provider: Provider,
  access: Access
): ProviderCalls => ({
  call: (endpoint, input, response) =>
    client.call({ provider, endpoint, input, access }).pipe(
      Effect.flatMap((body) =>
        Schema.decodeUnknownEffect(response)(body.value).pipe(
          Effect.catch(() => Effect.flatMap(unexpected(provider, endpoint, body, access), Effect.fail))
        )
      )
    )
})

const unexpected = (provider: Provider, { id }: { readonly id: string }, body: JsonText, access: Access) =>
  access.credential.pipe(
    Effect.map((credential) =>
      new UpstreamError({
        status: 502,
        message: `${provider.name} answered ${id} in a form that this service does not know.`,
        details: errorDetails(body.text, body, redactKnownSecrets([secretOf(credential)]))
      })
    )
  )
