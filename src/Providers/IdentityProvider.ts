import { Effect } from "effect"
import { CredentialsRejected } from "../Api/Errors/ProviderErrors.ts"
import type { Origin } from "./Origins.ts"

export interface IdentityProvider {
  readonly id: string
  /** The name that people know it by. */
  readonly name: string
  readonly application: { readonly clientId: string; readonly clientSecret: string }
  readonly authorize: Origin
  readonly token: Origin
  readonly revoke?: Origin
  readonly userinfo?: Origin
  readonly pkce: boolean
  /**
   * One sign-in covers all providers of a connect link, whose connections then have the same refresh token. A refresh
   * must not replace the token.
   */
  readonly sharesTokens?: boolean
  readonly extraScopes: ReadonlyArray<string>
  readonly parameters: Readonly<Record<string, string>>
}

export const originsOf = ({ authorize, revoke, token, userinfo }: IdentityProvider): ReadonlyArray<Origin> => [
  authorize,
  token,
  ...(revoke === undefined ? [] : [revoke]),
  ...(userinfo === undefined ? [] : [userinfo])
]

export const identityOf = (
  { identity, name }: { readonly name: string; readonly identity?: IdentityProvider }
): Effect.Effect<IdentityProvider, CredentialsRejected> =>
  identity === undefined
    ? Effect.fail(new CredentialsRejected({ message: `${name} has no sign-in.` }))
    : Effect.succeed(identity)
