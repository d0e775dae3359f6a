import { Context, Effect, Layer } from "effect"
import type { AuthType, CreateConnection } from "../../src/Domain/Connection.ts"
import type { Handler } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { freshGrant, seed, TestServer } from "../support/TestServer.ts"

export type Credentials = NonNullable<CreateConnection["credentials"]>

export const apiKey = "5ecre7edecc1ea4ae341cc8b6a1b2c3d"

export const authMethods: Readonly<Record<string, ReadonlyArray<AuthType>>> = {
  gsc: ["oauth", "service_account"],
  ga4: ["oauth", "service_account"],
  sitesearch: ["oauth", "api_key"],
  gsheets: ["oauth", "service_account"],
  gdocs: ["oauth", "service_account"]
}

export const providerIds = Object.keys(authMethods)

const credentialsOf = (authMethod: AuthType): Credentials => {
  switch (authMethod) {
    case "oauth":
      return freshGrant("connected")
    case "service_account":
      return keyFile
    case "api_key":
      return { api_key: apiKey }
  }
}

export const delegated = { ...keyFile, subject: "jane@example.com" }

export class Connected extends Context.Service<Connected, {
  readonly readOnly: string
  readonly readWrite: string
  readonly connection: (provider: string, authMethod: AuthType) => Effect.Effect<string>
  readonly connect: (
    provider: string,
    authMethod: AuthType,
    more?: { readonly credentials?: Credentials; readonly scopes?: ReadonlyArray<string> }
  ) => Effect.Effect<string>
}>()("openaccounts/test/Connected") {
  static readonly layer = Layer.effect(
    Connected,
    Effect.gen(function*() {
      const { connect: store, readOnly, readWrite } = yield* seed()
      const connect: Connected["Service"]["connect"] = (provider, authMethod, more) =>
        Effect.map(
          store({ provider, auth_type: authMethod, credentials: credentialsOf(authMethod), ...more }),
          ({ id }): string => id
        )
      const shared = new Map<string, string>()
      const connection = Effect.fnUntraced(function*(provider: string, authMethod: AuthType) {
        const key = `${provider} ${authMethod}`
        const id = shared.get(key) ?? (yield* connect(provider, authMethod))
        shared.set(key, id)
        return id
      })
      return { readOnly, readWrite, connect, connection }
    })
  ).pipe(Layer.provideMerge(TestServer.layer))
}

export const grantTokens = (handler: Handler): Handler => (request) =>
  isTokenRequest(request)
    ? { body: { access_token: "ya29.granted-0123456789", expires_in: 3599, token_type: "Bearer" } }
    : handler(request)

export const isTokenRequest = ({ url }: { readonly url: string }): boolean => /^\/(?:google|sitesearch)Token$/.test(url)
