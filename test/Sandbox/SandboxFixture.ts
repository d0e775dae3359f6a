import { ConfigProvider, DateTime, Effect, Layer, Predicate, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { ProviderHttp } from "../../src/Outbound/UndiciHttpClient.ts"
import { rawOperation, toolOperation } from "../../src/Providers/Catalog/Operation.ts"
import type { IdentityProvider } from "../../src/Providers/IdentityProvider.ts"
import { OAuth } from "../../src/Providers/OAuth/OAuth.ts"
import { identitiesOf, type Provider } from "../../src/Providers/Provider.ts"
import { type Access, ProviderClient } from "../../src/Providers/ProviderClient.ts"
import { Upstream } from "../../src/Providers/Upstream.ts"
import { fakeProviders, providers } from "../../src/Registrations.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { type IdentityName, oauthClients, signRefreshToken } from "../../src/Sandbox/Identity/Identity.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { assertOutput } from "../support/ToolOutput.ts"

/** Wednesday, 10:00 in Los Angeles. */
export const now = "2026-03-18T17:00:00Z"

export const setTime = (instant: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(instant)))

export const sandboxAt = (instant: string) =>
  Sandbox.layerMemory(fakeProviders).pipe(Layer.provideMerge(Layer.effectDiscard(setTime(instant))))

const settings = {
  GOOGLE_CLIENT_ID: oauthClients.google.id,
  GOOGLE_CLIENT_SECRET: oauthClients.google.secret,
  SITESEARCH_CLIENT_ID: oauthClients.sitesearch.id,
  SITESEARCH_CLIENT_SECRET: oauthClients.sitesearch.secret
}

export const clientsOf = <E, R>(sandbox: Layer.Layer<Sandbox, E, R>) =>
  Layer.mergeAll(ProviderClient.layer, OAuth.layer(identitiesOf(providers))).pipe(
    Layer.provideMerge(Upstream.layer),
    Layer.provide(ProviderHttp.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))),
    Layer.provide(Sandbox.originsLayer),
    Layer.provideMerge(sandbox)
  )

export interface SentRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE"
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
  readonly form?: Readonly<Record<string, string>>
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const send = (
  origin: string,
  path: string,
  sent: SentRequest = {}
): Effect.Effect<ReceivedResponse, never, Sandbox> =>
  Effect.flatMap(Sandbox, ({ urlOf }) => Effect.promise((signal) => exchange(`${urlOf(origin)}${path}`, sent, signal)))

const exchange = async (
  url: string,
  { body: text, form, headers, json, method, token }: SentRequest,
  signal: AbortSignal
): Promise<ReceivedResponse> => {
  const body = text ?? (form === undefined ? JSON.stringify(json) : new URLSearchParams(form))
  const response = await fetch(url, {
    signal,
    redirect: "manual",
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body })
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export const at = (text: string, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (value, segment) => Predicate.isObjectOrArray(value) ? Reflect.get(value, segment) : undefined,
    JSON.parse(text)
  )

let grants = 0

export const newRefreshToken = (identity: IdentityName, ...scope: ReadonlyArray<string>): string =>
  signRefreshToken(identity, { grant: `test-${grants++}`, account: company.account, scope: scope.join(" ") })

export const clientOf = (identity: IdentityName) => ({
  client_id: oauthClients[identity].id,
  client_secret: oauthClients[identity].secret
})

export const refreshed = (identity: IdentityName, refreshToken: string) =>
  Effect.map(
    send(identity === "google" ? "googleToken" : "sitesearchToken", "", {
      form: { grant_type: "refresh_token", refresh_token: refreshToken, ...clientOf(identity) }
    }),
    ({ text }) => String(at(text, "access_token") ?? "")
  )

export const accessToken = (identity: IdentityName, ...scope: ReadonlyArray<string>) =>
  Effect.suspend(() => refreshed(identity, newRefreshToken(identity, ...scope)))

export const oauthConnection = (
  identity: IdentityProvider,
  ...scope: ReadonlyArray<string>
): Effect.Effect<{ readonly access: Access }, never, OAuth> =>
  Effect.map(OAuth, (oauth) => {
    const refreshToken = Redacted.make(newRefreshToken(identity.id === "google" ? "google" : "sitesearch", ...scope))
    const secret = Effect.map(oauth.refresh(identity, refreshToken), ({ accessToken }) => accessToken)
    return {
      access: { authType: "oauth", ownsFiles: Effect.succeed(true), secret, renew: () => secret, expire: Effect.void }
    }
  })

export const call = Effect.fnUntraced(function*(provider: Provider, target: string, input: unknown, access: Access) {
  const client = yield* ProviderClient
  const endpoint = provider.endpoints.find(({ id }) => id === target)
  const tool = provider.tools.find(({ name }) => name === target)
  const operation = endpoint !== undefined
    ? rawOperation(provider, endpoint)
    : tool !== undefined
    ? toolOperation(provider, tool)
    : undefined
  if (operation === undefined) return yield* Effect.die(`${provider.id} has no ${target}`)
  const prepared = yield* operation.prepare(input)
  const { text } = yield* prepared.run(client.call, access)
  if (tool !== undefined) assertOutput(tool, JSON.parse(text))
  return text
})
