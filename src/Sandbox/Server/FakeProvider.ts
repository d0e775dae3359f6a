import { Effect, type Schema } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { AuthType } from "../../Domain/Connection.ts"
import type { SandboxStore } from "../Data/SandboxStore.ts"
import type { FaultInjection } from "../Faults/FaultInjection.ts"
import type { Identity } from "../Identity/Identity.ts"

export type App = Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

export interface SandboxConnection {
  readonly provider: string
  readonly auth_type: AuthType
  readonly credentials: { readonly [field: string]: Schema.Json }
  readonly label: string
  readonly external_account: string
  readonly scopes: ReadonlyArray<string>
}

export interface FakeProvider {
  readonly apps: { readonly [originId: string]: App }
  readonly connection?: SandboxConnection
}

export type LoadFakeProvider = () => Promise<{
  readonly fakeProvider: Effect.Effect<FakeProvider, never, Identity | FaultInjection | SandboxStore>
}>

export interface RequestTarget {
  readonly path: string
  readonly query: URLSearchParams
}

export const requestTarget = ({ url }: HttpServerRequest.HttpServerRequest): RequestTarget => {
  const mark = url.indexOf("?")
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) }
}

export const bodyText: Effect.Effect<string, never, HttpServerRequest.HttpServerRequest> = Effect.orDie(
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => request.text)
)

export const bearerToken = (request: HttpServerRequest.HttpServerRequest): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(request.headers["authorization"] ?? "")?.[1]
