import { Context, Data, type Effect, type Redacted } from "effect"
import type { ProviderError } from "../Api/Errors.ts"
import type { Provider } from "./Provider.ts"
import type { ServiceAccountKey } from "./ServiceAccountKey.ts"

export interface Tokens {
  readonly accessToken: Redacted.Redacted
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Absent where the old one stays good. */
  readonly refreshToken?: Redacted.Redacted
  readonly scopes?: ReadonlyArray<string>
}

export type IdentityProvider = Provider["identity"]

/** The operator has not registered an OAuth application with the identity provider. */
export class OAuthNotConfigured extends Data.TaggedError("OAuthNotConfigured")<{
  /** The variables to set. */
  readonly missing: ReadonlyArray<string>
}> {
  override get message() {
    return `The OAuth application is not configured; set ${this.missing.join(" and ")}.`
  }
}

/** The identity providers: where grants are made, refreshed and revoked (section 7 of the contract holds here as well). */
export class OAuth extends Context.Service<OAuth, {
  /** Where the connect flow sends a person. `codeChallenge` is S256, and used where the identity provider has PKCE. */
  readonly authorizeUrl: (options: {
    readonly identity: IdentityProvider
    readonly scopes: ReadonlyArray<string>
    readonly redirectUri: string
    readonly state: string
    readonly codeChallenge: string
  }) => Effect.Effect<string, OAuthNotConfigured>
  readonly exchangeCode: (options: {
    readonly identity: IdentityProvider
    readonly code: Redacted.Redacted
    readonly redirectUri: string
    readonly codeVerifier: Redacted.Redacted
  }) => Effect.Effect<Tokens, ProviderError | OAuthNotConfigured>
  readonly refresh: (
    identity: IdentityProvider,
    refreshToken: Redacted.Redacted
  ) => Effect.Effect<Tokens, ProviderError>
  readonly assertServiceAccount: (
    key: ServiceAccountKey,
    scopes: ReadonlyArray<string>
  ) => Effect.Effect<Tokens, ProviderError>
  /** A token that is dead already counts as revoked; so does every token where the provider has nothing to call. */
  readonly revoke: (identity: IdentityProvider, token: Redacted.Redacted) => Effect.Effect<void, ProviderError>
  /** The e-mail address behind an access token, where the identity provider tells it and the grant allows it. */
  readonly account: (
    identity: IdentityProvider,
    accessToken: Redacted.Redacted
  ) => Effect.Effect<string | undefined, ProviderError>
}>()("openaccounts/Providers/OAuth") {}
