import { Duration, type Effect } from "effect"
import type { Configuration, errors as libraryErrors } from "oidc-provider"
import { newIdAt } from "../../../../Domain/NewId.ts"
import { paths } from "../AuthorizationGroup.ts"
import { type AuthorizationUrls, scopes } from "../AuthorizationUrls.ts"
import type { Run } from "./Adapter.ts"
import { normalizeMetadata } from "./AgentMetadata.ts"
import { onEachClient, unusedKey } from "./LibraryBends.ts"

const accessTokenLifetime = Duration.hours(24)
const refreshTokenLifetime = Duration.days(30)
const codeLifetime = Duration.seconds(60)
const interactionLifetime = Duration.minutes(30)

export const cookieNames = ({ isSecure }: Pick<AuthorizationUrls, "isSecure">) => {
  const prefix = isSecure ? "__Secure-" : ""
  return {
    session: `${prefix}openaccounts_unused`,
    interaction: `${prefix}openaccounts_consent`,
    resume: `${prefix}openaccounts_resume`
  }
}

export interface ConfigurationOptions {
  readonly urls: AuthorizationUrls
  readonly adapter: NonNullable<Configuration["adapter"]>
  readonly errors: typeof libraryErrors
  readonly run: Run
  readonly isMember: (id: string) => Effect.Effect<boolean>
  readonly fetchDocument: NonNullable<Configuration["fetch"]>
  readonly mayFetch: (url: string, isSignedIn: boolean) => Effect.Effect<boolean>
  readonly renderError: NonNullable<Configuration["renderError"]>
}

export const libraryConfiguration = (options: ConfigurationOptions): Configuration => {
  const { adapter, errors, fetchDocument, isMember, mayFetch, renderError, run, urls } = options
  const resourceServer = {
    scope: scopes.join(" "),
    audience: urls.resource,
    accessTokenTTL: Duration.toSeconds(accessTokenLifetime),
    accessTokenFormat: "opaque" as const
  }
  return {
    adapter,
    clientAuthMethods: ["none"],
    clientBasedCORS: () => true,
    clientDefaults: { id_token_signed_response_alg: "ES256", token_endpoint_auth_method: "none" },
    cookies: { names: cookieNames(urls) },
    expiresWithSession: async () => false,
    extraClientMetadata: onEachClient((metadata) => normalizeMetadata(metadata, errors.InvalidClientMetadata)),
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: {
        enabled: true,
        idFactory: () => newIdAt("agent", Date.now()),
        issueRegistrationAccessToken: false
      },
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => urls.resource,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_, resource) => {
          if (resource !== urls.resource) throw new errors.InvalidTarget()
          return resourceServer
        }
      },
      clientIdMetadataDocument: {
        enabled: true,
        // The draft that this version of the library implements.
        ack: "draft-02",
        // `ClientDocuments` caches the documents.
        cacheDuration: { min: 0, max: 0 },
        allowFetch: async ({ oidc: { route } }, url) => {
          if (await run(mayFetch(url, route === "authorization"))) return true
          throw new errors.InvalidClientAuth({ detail: "client not found" })
        }
      }
    },
    fetch: fetchDocument,
    findAccount: async (_, id) =>
      await run(isMember(id)) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined,
    interactions: { url: (_, { uid }) => `${urls.prefix}${paths.consent}/${uid}` },
    issueRefreshToken: async () => true,
    jwks: { keys: [unusedKey()] },
    loadExistingGrant: async ({ oidc: { provider, result } }) => {
      const grantId = result?.consent?.grantId
      return grantId === undefined ? undefined : provider.Grant.find(grantId)
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    renderError,
    responseTypes: ["code"],
    // Includes revoked access tokens: a grant without tokens is useless.
    revokeGrantPolicy: () => true,
    rotateRefreshToken: () => true,
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      registration: paths.register,
      revocation: paths.revoke
    },
    scopes: [],
    ttl: {
      AccessToken: Duration.toSeconds(accessTokenLifetime),
      AuthorizationCode: Duration.toSeconds(codeLifetime),
      RefreshToken: Duration.toSeconds(refreshTokenLifetime),
      Interaction: Duration.toSeconds(interactionLifetime),
      Grant: Duration.toSeconds(refreshTokenLifetime),
      IdToken: 60,
      Session: 60
    }
  }
}
