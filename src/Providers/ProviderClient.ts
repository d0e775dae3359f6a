import { Context, Effect, Function, Layer, Option, type Redacted, References, Schema } from "effect"
import { type ProviderCallError, type ToolCallError } from "../Api/Errors.ts"
import { CredentialsExpired, CredentialsRejected, UpstreamError } from "../Api/Errors/ProviderErrors.ts"
import type { AuthType } from "../Domain/Connection.ts"
import { findFault } from "../Domain/Json/JsonSyntax.ts"
import { JsonText } from "../Domain/Json/JsonText.ts"
import { type LostNumbers, stringifyWith } from "../Domain/Json/LostNumbers.ts"
import { redacted } from "../Secrets/Redaction/JsonFields.ts"
import { makeKnownSecretsRedactor, redactEcho } from "../Secrets/Redaction/KnownSecrets.ts"
import { classifyResponse, rejected, type Unauthorized, withReason } from "./ClassifyResponse.ts"
import { errorDetails } from "./ErrorDetails.ts"
import { type Origin, Origins } from "./Origins.ts"
import type { FollowedBy, Provider, ProviderCalls, RawEndpoint, RawInput } from "./Provider.ts"
import type { QuotaAccount } from "./Quota.ts"
import { bearer } from "./RequestAuthentication.ts"
import type { Permit } from "./Sending/Permit.ts"
import { Upstream } from "./Upstream.ts"
import { endpointUrl, upstreamUrl } from "./UpstreamUrl.ts"

export interface Access {
  /** The account whose quotas a request counts to. Without one, it counts to none. */
  readonly quotaAccount?: Effect.Effect<QuotaAccount, ProviderCallError>
  readonly authType: AuthType
  readonly ownsFiles: Effect.Effect<boolean, ProviderCallError>
  /** The access token or API key. An access token that is about to expire is refreshed first. */
  readonly secret: Effect.Effect<Redacted.Redacted, ProviderCallError>
  /** Replaces a secret that the provider refused with 401. Only for `oauth`. */
  readonly renew: (refused: Redacted.Redacted) => Effect.Effect<Redacted.Redacted, ProviderCallError>
  readonly expire: Effect.Effect<void>
  /** Whether the connection was revoked during the call. By default never. */
  readonly isStopped?: Effect.Effect<boolean>
}

export interface ProviderRequest {
  readonly provider: Provider
  readonly endpoint: RawEndpoint
  readonly input: RawInput
  readonly access: Access
  /** Numbers of the input that are sent with more digits than a double keeps. */
  readonly lost?: LostNumbers
  /** The quota units that the caller has taken for the request. */
  readonly permit?: Permit
  /** The writes that need the response of this one. Only a preview sets it. */
  readonly followedBy?: FollowedBy
}

export type SendRequest = (request: ProviderRequest) => Effect.Effect<JsonText, ToolCallError>

/** Sends one request to a raw endpoint. The provider's failures are four errors. */
export class ProviderClient extends Context.Service<ProviderClient, {
  readonly call: (request: ProviderRequest) => Effect.Effect<JsonText, ProviderCallError>
}>()("openaccounts/Providers/ProviderClient") {
  static readonly layer = Layer.effect(
    ProviderClient,
    Effect.gen(function*() {
      const originUrl = yield* Origins
      const baseUrl = Function.memoize((origin: Origin) => upstreamUrl(originUrl(origin)))
      const upstream = yield* Upstream
      const isTraced = yield* References.TracerEnabled

      const send = Effect.fnUntraced(function* send(
        { access, endpoint, input, lost, permit, provider }: ProviderRequest
      ) {
        const { authType } = access
        const url = endpointUrl(baseUrl(endpoint.origin), endpoint.path, input)
        const secret = yield* access.secret
        const deadline = yield* upstream.deadline

        const attempt = (secret: Redacted.Redacted): Effect.Effect<JsonText, ProviderCallError | Unauthorized> =>
          upstream.exchange({
            method: endpoint.method,
            url,
            credential: { secret, authentication: provider.authentication[authType] ?? bearer },
            body: jsonBody(endpoint, input, lost),
            repeatable: !endpoint.writes,
            retriesServerErrors: endpoint.limitsServerErrors !== true,
            ...(access.isStopped === undefined ? {} : { isOver: access.isStopped }),
            ...(permit === undefined ? {} : { permit }),
            deadline
          }).pipe(Effect.flatMap((response) => classifyResponse(response, provider, authType, secret)))

        const retryRenewed = Effect.suspend(() =>
          Effect.flatMap(access.renew(secret), attempt).pipe(
            Effect.catchTag("Unauthorized", ({ reason }) =>
              Effect.andThen(
                access.expire,
                Effect.fail(
                  new CredentialsExpired({
                    message: withReason(`${provider.name} no longer accepts this connection; reconnect it`, reason)
                  })
                )
              ))
          )
        )
        return yield* attempt(secret).pipe(
          Effect.catchTag(
            "Unauthorized",
            (refusal) => authType === "oauth" ? retryRenewed : Effect.fail(rejected(provider.name, refusal))
          )
        )
      })

      const traced = (request: ProviderRequest) =>
        Effect.withSpan(send(request), "ProviderClient.call", {
          kind: "client",
          attributes: { provider: request.provider.id, target: `raw:${request.endpoint.id}` },
          captureStackTrace: false
        })

      return ProviderClient.of({ call: isTraced ? traced : send })
    })
  )

  /** Sends nothing and reads no credential. */
  static readonly layerTest = (respond: (request: ProviderRequest) => Effect.Effect<unknown, ProviderCallError>) =>
    Layer.succeed(ProviderClient, {
      call: (request) => Effect.map(Effect.suspend(() => respond(request)), JsonText.stringify)
    })
}

/**
 * Removes the secrets of a request from the responses and errors of a client, so that a team's own client need not. A
 * body without them stays unchanged. Calls `onEcho` with each secret that was removed.
 */
export const withoutEchoes = (client: ProviderClient["Service"]) => ({
  call: (
    request: ProviderRequest,
    onEcho?: (secret: Redacted.Redacted) => void
  ): Effect.Effect<JsonText, ProviderCallError> =>
    Effect.suspend(() => {
      const used = new Set<Redacted.Redacted>()
      const noted = (secret: Effect.Effect<Redacted.Redacted, ProviderCallError>) =>
        Effect.tap(secret, (value) => Effect.sync(() => used.add(value)))
      const access: Access = {
        ...request.access,
        secret: noted(request.access.secret),
        renew: (refused) => noted(request.access.renew(refused))
      }
      return Effect.mapBoth(client.call({ ...request, access }), {
        onSuccess: (body) =>
          [...used].reduce((before, secret) => {
            const rest = redactEcho(before, secret)
            if (rest !== before) onEcho?.(secret)
            return rest
          }, body),
        onFailure: (error) => {
          const rest = withoutSecrets(error, [...used])
          // A client may have removed the secrets itself.
          if (onEcho !== undefined && isRedactedError(rest)) { for (const secret of used) onEcho(secret) }
          return rest
        }
      })
    })
})

const withoutSecrets = (error: ProviderCallError, secrets: ReadonlyArray<Redacted.Redacted>): ProviderCallError => {
  if (error._tag !== "UpstreamError" && error._tag !== "CredentialsRejected") return error
  const { json, text } = makeKnownSecretsRedactor(secrets)
  const [message, details] = [text(error.message), json(error.details)]
  if (message === error.message && JSON.stringify(details) === JSON.stringify(error.details)) return error
  return error._tag === "UpstreamError"
    ? new UpstreamError({ status: error.status, message, details, retryAfter: error.retryAfter })
    : new CredentialsRejected({ message, details, denied: error.denied, notShared: error.notShared })
}

const isRedactedError = (error: ProviderCallError): boolean =>
  error.message.includes(redacted) || "details" in error && `${JSON.stringify(error.details)}`.includes(redacted)

const jsonBody = ({ method }: RawEndpoint, { body }: RawInput, lost: LostNumbers | undefined) =>
  method === "GET" || (method === "DELETE" && body === undefined)
    ? undefined
    : { _tag: "Json" as const, text: lost === undefined ? JSON.stringify(body ?? {}) : stringifyWith(lost, body) }

export const providerCalls = (
  send: SendRequest,
  provider: Provider,
  access: Access
): ProviderCalls => {
  const callWith: ProviderCalls["callWith"] = (endpoint, input, decode, followedBy) =>
    Effect.flatMap(
      send({ provider, endpoint, input, access, ...followedBy && { followedBy } }),
      (body) =>
        Effect.flatMap(
          decode(body),
          Option.match({
            onSome: Effect.succeed,
            onNone: () => Effect.flatMap(unexpectedBody(provider, endpoint, body, access), Effect.fail)
          })
        )
    )
  return {
    callWith,
    call: (endpoint, input, response, followedBy) =>
      callWith(
        endpoint,
        input,
        (body) =>
          isReadable(body) ? Effect.option(Schema.decodeUnknownEffect(response)(body.value)) : Effect.succeedNone,
        followedBy
      )
  }
}

/** The bounds of a response that a tool parses. Tools ask for far less; more would hold the event loop for seconds. */
const readable = { depth: 200, values: 4_000_000, fields: 100_000 }

const isReadable = ({ bytes }: JsonText): boolean => bytes === undefined || findFault(bytes, readable) === undefined

const unexpectedBody = (provider: Provider, { id }: { readonly id: string }, body: JsonText, access: Access) =>
  Effect.map(access.secret, (secret) =>
    new UpstreamError({
      status: 502,
      message: `${provider.name} answered ${id} with an unexpected body.`,
      details: errorDetails(body.text, body, makeKnownSecretsRedactor([secret]))
    }))
