import { DateTime, Effect, Layer, Predicate } from "effect"
import { TestClock } from "effect/testing"
import { fakeProviders } from "../../src/Registrations.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { type IdentityName, oauthClients, signRefreshToken } from "../../src/Sandbox/Identity/Identity.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"

/** Wednesday, 10:00 in Los Angeles. */
export const now = "2026-03-18T17:00:00Z"

export const setTime = (instant: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(instant)))

export const sandboxAt = (instant: string) =>
  Sandbox.layerMemory(fakeProviders).pipe(Layer.provideMerge(Layer.effectDiscard(setTime(instant))))

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
