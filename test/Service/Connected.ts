import { Context, Effect, Layer } from "effect"
import type { AuthType } from "../../src/Domain/Connection.ts"
import type { Handler } from "../support/LoopbackUpstream.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import { expiredGrant, freshGrant, seed, TestServer } from "../support/TestServer.ts"

export const apiKey = "5ecre7edecc1ea4ae341cc8b6a1b2c3d"

/** How each provider's connections can authenticate. */
export const authMethods: Readonly<Record<string, ReadonlyArray<AuthType>>> = {
  gsc: ["oauth", "service_account"],
  ga4: ["oauth", "service_account"],
  sitesearch: ["oauth", "api_key"],
  gsheets: ["oauth", "service_account"],
  gdocs: ["oauth", "service_account"]
}

export const providerIds = Object.keys(authMethods)

const credentialsOf = (authMethod: AuthType): object => {
  switch (authMethod) {
    case "oauth":
      return freshGrant("connected")
    case "service_account":
      return keyFile
    case "api_key":
      return { api_key: apiKey }
  }
}

/** The credentials of a grant whose access token has to be refreshed before it is used. */
export const staleGrant = expiredGrant("connected")

/** A service account that acts for a user of its domain. */
export const delegated = { ...keyFile, subject: "jane@example.com" }

/** One member of one client, whose keys see what is connected here. */
export class Connected extends Context.Service<Connected, {
  readonly readOnly: string
  readonly readWrite: string
  /** The id of a connection that all tests share. */
  readonly connection: (provider: string, authMethod: AuthType) => Effect.Effect<string>
  /** The id of a new connection. */
  readonly connect: (
    provider: string,
    authMethod: AuthType,
    more?: { readonly credentials?: object; readonly scopes?: ReadonlyArray<string> }
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

/** The identity providers grant what they are asked for; everything else goes to `handler`. */
export const granting = (handler: Handler): Handler => (request) =>
  isTokenRequest(request)
    ? { body: { access_token: "ya29.granted-0123456789", expires_in: 3599, token_type: "Bearer" } }
    : handler(request)

export const isTokenRequest = ({ url }: { readonly url: string }): boolean => /^\/(?:google|sitesearch)Token$/.test(url)
