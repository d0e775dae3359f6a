import { Clock, Effect, type Redacted } from "effect"
import type { ProviderError } from "../Api/Errors/ProviderErrors.ts"
import { identityOf } from "../Providers/IdentityProvider.ts"
import type { OAuth } from "../Providers/OAuth/OAuth.ts"
import type { Provider } from "../Providers/Provider.ts"
import type { Access } from "../Providers/ProviderClient.ts"
import { quotaAccountOf } from "./Bounds/QuotaAccounts.ts"
import { type Credentials, isUsable, serializeTokens } from "./Credentials.ts"

/** The access of credentials that are tested before they are stored. */
export interface TrialAccess extends Access {
  readonly freshToken: Effect.Effect<Redacted.Redacted, ProviderError>
  readonly refreshed: Effect.Effect<Redacted.Redacted | undefined>
}

export const makeTrialAccess = Effect.fnUntraced(function*(
  oauth: OAuth["Service"],
  { credentials, provider, scopes }: {
    readonly provider: Provider
    readonly credentials: Credentials
    readonly scopes: ReadonlyArray<string>
  }
): Effect.fn.Return<TrialAccess> {
  let refreshed: Redacted.Redacted | undefined
  const common = {
    authType: credentials.type,
    quotaAccount: Effect.sync(() => quotaAccountOf(oauth, provider, credentials, null)),
    ownsFiles: Effect.succeed(true),
    expire: Effect.void,
    refreshed: Effect.sync(() => refreshed)
  }
  switch (credentials.type) {
    case "api_key": {
      const secret = Effect.succeed(credentials.apiKey)
      return { ...common, secret, renew: () => secret, freshToken: secret }
    }
    case "service_account": {
      const wanted = scopes.length > 0 ? scopes : provider.scopes.write
      const freshToken = Effect.flatMap(
        identityOf(provider),
        (identity) =>
          Effect.map(oauth.assertServiceAccount(identity, credentials.key, wanted), ({ accessToken }) => accessToken)
      )
      const secret = yield* Effect.cached(freshToken)
      // A key file may name any address. Only Google's token shows that the key is that account's.
      const quotaAccount = Effect.andThen(secret, common.quotaAccount)
      return { ...common, quotaAccount, secret, renew: () => freshToken, freshToken }
    }
    case "oauth": {
      const initial = credentials.oauth
      let latest = initial.refresh_token
      const end = initial.refresh_expires_at === undefined ? {} : { refresh_expires_at: initial.refresh_expires_at }
      const freshToken = Effect.gen(function*() {
        const tokens = yield* oauth.refresh(yield* identityOf(provider), latest)
        latest = tokens.refreshToken ?? latest
        refreshed = serializeTokens(tokens, { refresh_token: latest, ...end })
        return tokens.accessToken
      })
      const secret = Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => isUsable(initial, now) ? Effect.succeed(initial.access_token) : freshToken
      )
      return { ...common, secret, renew: () => freshToken, freshToken }
    }
  }
})
