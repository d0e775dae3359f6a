import { Effect, Redacted } from "effect"
import { InvalidInput } from "../Api/Errors.ts"
import { type Credentials, parseNewCredentials } from "../Connections/Credentials.ts"
import type { AuthType, NewCredentials } from "../Domain/Connection.ts"
import { authTypesOf, type Provider } from "../Providers/Provider.ts"

export interface NewCredentialsOf {
  readonly provider: Provider
  readonly credentials: { readonly parsed: Credentials; readonly text: Redacted.Redacted }
  readonly scopes: ReadonlyArray<string>
  readonly test?: boolean | undefined
}

export const requireAuthType = (provider: Provider, authType: AuthType, field: string) =>
  provider.authentication[authType] !== undefined
    ? Effect.void
    : Effect.fail(
      InvalidInput.at(
        field,
        `Provider "${provider.id}" takes ${authTypesOf(provider).join(" or ")}, not ${authType}`
      )
    )

export const validateCredentials = Effect.fnUntraced(function*(provider: Provider, authType: AuthType, json: unknown) {
  yield* requireAuthType(provider, authType, "auth_type")
  const parsed = yield* InvalidInput.fromResult(parseNewCredentials(authType, json))
  return { parsed, text: Redacted.make(JSON.stringify(json)) }
})

/** The account that is named, else the address of a service account. Other credentials do not name their account. */
export const accountOf = (
  { credentials: { client_email }, external_account }: Pick<NewCredentials, "credentials" | "external_account">
): string | null => external_account ?? (typeof client_email === "string" ? client_email.trim() : null)
